// Print the opcodes that scratch-vm runs: the core, and the extensions that need no device.
//
//   node opcodes.cjs MODULES

const path = require('path');

const [modules] = process.argv.slice(2);
console.log = console.warn = console.info = () => {};
// Node before 21 has none, and the translation asks it for the language.
global.navigator = global.navigator || {language: 'en'};
const VirtualMachine = require(path.join(modules, 'scratch-vm'));

const main = async () => {
    const vm = new VirtualMachine();
    for (const name of ['pen', 'music', 'text2speech', 'translate']) {
        await vm.extensionManager.loadExtensionURL(name);
    }
    const {_primitives: primitives, _hats: hats} = vm.runtime;
    const names = [...Object.keys(primitives), ...Object.keys(hats)];
    // What other extensions of the core add for themselves is no block of a project.
    process.stdout.write(JSON.stringify(names.filter(name => /^[a-z0-9]+_/.test(name))));
};

main().then(() => process.exit(0), error => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
});
