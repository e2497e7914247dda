// Play a project in scratch-vm and print what the child sees, as JSON.
//
//   node play.cjs MODULES PROJECT.sb3 '{"answers": ["{right}", ""], "then": "{right}", "seed": 1}'
//
// Time is counted in steps of the machine, not in seconds, and chance comes from the seed, so the same
// call prints the same. An answer may say {right} or {wrong} for the problem that was set.

const fs = require('fs');
const path = require('path');

const [modules, file, planText] = process.argv.slice(2);
const plan = JSON.parse(planText);
const STEP = 1000 / 30;
const MOST_STEPS = 30 * 60 * 10;

// Mulberry32: a small generator that is good enough to deal problems.
let state = plan.seed >>> 0;
Math.random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = state;
    value = Math.imul(value ^ (value >>> 15), value | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
};

console.log = console.warn = console.info = () => {};
const VirtualMachine = require(path.join(modules, 'scratch-vm'));

const turn = () => new Promise(resolve => setImmediate(resolve));

const useVirtualTime = () => {
    let now = 0;
    let timers = [];
    Date.now = () => now;
    global.setTimeout = (action, delay) => {
        const timer = {action, at: now + (delay || 0)};
        timers.push(timer);
        return timer;
    };
    global.clearTimeout = timer => {
        timers = timers.filter(one => one !== timer);
    };
    return () => {
        now += STEP;
        const due = timers.filter(one => one.at <= now);
        timers = timers.filter(one => one.at > now);
        for (const timer of due) timer.action();
    };
};

const answerTo = (question, answer) => {
    const numbers = question.match(/(\d+) - (\d+) = \?/);
    const right = numbers ? Number(numbers[1]) - Number(numbers[2]) : 0;
    return answer.replace('{right}', right).replace('{wrong}', right + 1);
};

const main = async () => {
    const vm = new VirtualMachine();
    await vm.loadProject(fs.readFileSync(file));
    const {runtime} = vm;
    const stage = runtime.getTargetForStage();
    const seen = [];
    let said = '';
    let asked = 0;
    runtime.on('SAY', (target, type, text) => {
        said = String(text);
        if (said) seen.push([type, target.getName(), said]);
    });
    runtime.on('QUESTION', question => {
        if (question === null) return;
        const text = question || said;
        const answer = answerTo(text, asked < plan.answers.length ? plan.answers[asked] : plan.then);
        asked += 1;
        seen.push(['answer', answer]);
        setImmediate(() => runtime.emit('ANSWER', answer));
    });

    const passTime = useVirtualTime();
    runtime.currentStepTime = STEP;
    vm.greenFlag();
    let steps = 0;
    do {
        runtime._step();
        passTime();
        await turn();
        await turn();
        steps += 1;
        if (steps > MOST_STEPS) throw new Error('the project does not end');
    } while (runtime.threads.length > 0);

    const variables = {};
    for (const one of Object.values(stage.variables)) variables[one.name] = one.value;
    process.stdout.write(JSON.stringify({
        seen,
        variables,
        backdrop: stage.getCostumes()[stage.currentCostume].name,
        clones: runtime.targets
            .filter(target => !target.isOriginal)
            .map(target => [target.getName(), target.x, target.y, target.visible])
    }));
};

main().then(() => process.exit(0), error => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
});
