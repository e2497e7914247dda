// Play a project and print what play.cjs cannot tell: the lines on the paper and the sounds that are heard.
//
//   node witness.cjs MODULES PROJECT.json SECONDS '["answer", "answer"]'
//
// {"lines": [[x0, y0, x1, y1, colour, width]], "events": [["say", text], ["hear", sound]]}. The renderer and the
// sound bank are stand-ins; the last answer is given again and again.

const fs = require('fs');
const path = require('path');

const [modules, file, seconds, answers] = process.argv.slice(2);
console.log = console.warn = console.info = console.error = () => {};
const VirtualMachine = require(path.join(modules, 'scratch-vm'));

let lines = [];
const events = [];
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
    vm.runtime.on('SAY', (target, type, text) => text && events.push(['say', text]));
    const heard = {
        playSound: (target, sound) => {
            events.push(['hear', sound]);
            return Promise.resolve();
        }
    };
    const soundBank = new Proxy(heard, {get: (own, name) => own[name] || (() => {})});
    for (const target of vm.runtime.targets) {
        target.sprite.soundBank = soundBank;
        for (const sound of target.sprite.sounds) sound.soundId = sound.name;
    }
    const given = JSON.parse(answers);
    vm.runtime.on('QUESTION', question => {
        if (question !== null) setImmediate(() => vm.runtime.emit('ANSWER', given.length > 1 ? given.shift() : given[0]));
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
    fs.writeSync(1, JSON.stringify({lines, events}));
    process.exit(0);
};

main().catch(error => {
    process.stderr.write(error.stack);
    process.exit(1);
});
