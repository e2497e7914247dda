// Play a project that paints, and print the lines on the paper: a list of [x0, y0, x1, y1, colour, width].
//
//   node pen.cjs MODULES PROJECT.json SECONDS
//
// The renderer is a stand-in that knows of nothing but pens; questions are answered with the numbers 20, 21, 22.

const fs = require('fs');
const path = require('path');

const [modules, file, seconds] = process.argv.slice(2);
console.log = console.warn = console.info = console.error = () => {};
const VirtualMachine = require(path.join(modules, 'scratch-vm'));

let lines = [];
const known = {
    getFencedPositionOfDrawable: (drawable, position) => position,
    getNativeSize: () => [480, 360],
    penClear: () => {
        lines = [];
    },
    penPoint: () => {},
    penLine: (skin, pen, ...ends) => {
        lines.push([...ends, pen.color4f.map(one => Math.round(one * 255)), pen.diameter]);
    }
};
const renderer = new Proxy(known, {get: (own, name) => own[name] || (() => 1)});

const main = async () => {
    const vm = new VirtualMachine();
    await vm.loadProject(fs.readFileSync(file, 'utf8'));
    vm.runtime.renderer = renderer;
    for (const target of vm.runtime.targets) target.renderer = renderer;
    // Speech bubbles need a real renderer.
    vm.runtime.removeAllListeners('SAY');
    let asked = 20;
    vm.runtime.on('QUESTION', question => {
        if (question !== null) setImmediate(() => vm.runtime.emit('ANSWER', String(asked++)));
    });
    let now = 0;
    Date.now = () => now;
    vm.runtime.currentStepTime = 1000 / 30;
    const timers = [];
    global.setTimeout = (action, delay) => timers.push([now + delay, action]);
    vm.greenFlag();
    do {
        vm.runtime._step();
        now += 1000 / 30;
        for (const timer of timers.splice(0)) {
            if (timer[0] <= now) timer[1]();
            else timers.push(timer);
        }
        await new Promise(resolve => setImmediate(resolve));
    } while (vm.runtime.threads.length && now < seconds * 1000);
    fs.writeSync(1, JSON.stringify(lines));
    process.exit(0);
};

main().catch(error => {
    process.stderr.write(error.stack);
    process.exit(1);
});
