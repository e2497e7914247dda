// Play a project in scratch-vm and print what the child sees: a line of JSON for each plan.
//
//   node play.cjs MODULES < '{"project": "…", "plans": [{"answers": ["{right}", ""], "then": "{right}", "seed": 1}]}'
//
// The project is the text of its project.json; costumes and sounds are not needed. A plan says what is
// answered, in turn or by what the question says; {right} and {wrong} stand for the answers to the sum in
// the question. Time is counted in steps of the machine, not in seconds, and chance comes from the seed, so
// the same plan prints the same. It asks nothing outside: every door to the network is shut first.

const path = require('path');

const [modules] = process.argv.slice(2);
const STEP = 1000 / 30;
// Each look at the clock takes a moment. Without it a loop that never rests would never see time pass.
const LOOK = 0.25;
const NOON = Date.UTC(2024, 0, 1, 12);
const MOST_SEEN = 2000;
const MOST_ITEMS = 200;
const MOST_LETTERS = 500;

const shut = () => {
    const refuse = () => {
        throw new Error('no network here');
    };
    for (const name of ['net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns']) {
        const part = require(name);
        for (const door of ['connect', 'createConnection', 'request', 'get', 'lookup', 'resolve', 'createSocket']) {
            if (part[door]) part[door] = refuse;
        }
    }
    require('net').Socket.prototype.connect = refuse;
    global.fetch = () => Promise.reject(new Error('no network here'));
    global.WebSocket = refuse;
};

console.log = console.warn = console.info = console.error = () => {};
// Node before 21 has none, and the blocks of translation ask it for the language.
global.navigator = global.navigator || {language: 'en'};
// What cleans drawings takes longer to load than all else together. No drawing is ever loaded here, and
// one that were would be refused rather than shown uncleaned.
const Module = require('module');
const load = Module._load;
Module._load = function (name, ...rest) {
    if (name !== 'isomorphic-dompurify') return load.call(this, name, ...rest);
    const sanitize = () => {
        throw new Error('no drawings here');
    };
    return {sanitize, addHook: () => {}};
};
const VirtualMachine = require(path.join(modules, 'scratch-vm'));
shut();
// The extension of music cannot load its sounds where nothing can be heard, and says so to nobody.
process.on('unhandledRejection', () => {});

const real = {Date: global.Date, set: global.setTimeout, clear: global.clearTimeout, random: Math.random};
const turn = () => new Promise(resolve => setImmediate(resolve));

// Mulberry32: a small generator that is good enough to deal problems.
const chanceFrom = seed => {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let value = state;
        value = Math.imul(value ^ (value >>> 15), value | 1);
        value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
        return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
    };
};

const virtualTime = () => {
    let step = 0;
    let now = 0;
    let timers = [];
    // Every play begins at the same noon, else a project that tells the time would tell another each day.
    class VirtualDate extends real.Date {
        constructor (...parts) {
            super(...(parts.length ? parts : [NOON + now]));
        }
        static now () {
            now += LOOK;
            return NOON + now;
        }
    }
    return {
        use: () => {
            global.Date = VirtualDate;
            global.setTimeout = (action, delay) => {
                const timer = {action, at: now + (delay || 0)};
                timers.push(timer);
                return timer;
            };
            global.clearTimeout = timer => {
                timers = timers.filter(one => one !== timer);
            };
        },
        pass: () => {
            step += 1;
            now = Math.max(now, step * STEP);
            const due = timers.filter(one => one.at <= now);
            timers = timers.filter(one => one.at > now);
            for (const timer of due) timer.action();
            return now / 1000;
        }
    };
};

const useRealTime = () => {
    global.Date = real.Date;
    global.setTimeout = real.set;
    global.clearTimeout = real.clear;
    Math.random = real.random;
};

// The sum in a question, such as 14 - 5 or 3 × 4; a child may have typed any of several signs.
const SUM = /(-?\d+(?:\.\d+)?)\s*([-+*\/−–×xX÷＋－])\s*(-?\d+(?:\.\d+)?)/;
const result = question => {
    const found = question.match(SUM);
    if (!found) return 0;
    const [first, sign, second] = [Number(found[1]), found[2], Number(found[3])];
    if ('+＋'.includes(sign)) return first + second;
    if ('*×xX'.includes(sign)) return first * second;
    if ('/÷'.includes(sign)) return first / second;
    return first - second;
};

const answerTo = (question, number, plan) => {
    const reply = (plan.replies || []).find(([part]) => question.includes(part));
    const answers = plan.answers || [];
    const answer = reply ? reply[1] : number < answers.length ? answers[number] : plan.then || '';
    const right = result(question);
    return answer.replace('{right}', right).replace('{wrong}', right + 1);
};

const short = value => (typeof value === 'string' && value.length > MOST_LETTERS ?
    `${value.slice(0, MOST_LETTERS)}…` : value);

// Null is what JSON makes of the numbers that it cannot hold.
const plain = value => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : short(value));

const dataOf = target => {
    const variables = {};
    const lists = {};
    for (const one of Object.values(target.variables)) {
        if (one.type === '') variables[one.name] = plain(one.value);
        if (one.type === 'list') lists[one.name] = one.value.slice(0, MOST_ITEMS).map(plain);
    }
    return {variables, lists};
};

const costumeOf = target => (target.getCostumes()[target.currentCostume] || {name: ''}).name;

// A key by its name in Scratch, and what a browser calls it.
const KEYS = {
    space: ' ',
    enter: 'Enter',
    'up arrow': 'ArrowUp',
    'down arrow': 'ArrowDown',
    'left arrow': 'ArrowLeft',
    'right arrow': 'ArrowRight'
};

const press = (vm, event) => {
    if (event.key) {
        const key = KEYS[event.key] || event.key;
        vm.postIOData('keyboard', {key, isDown: true});
        return () => vm.postIOData('keyboard', {key, isDown: false});
    }
    const target = event.click === 'Stage' ?
        vm.runtime.getTargetForStage() : vm.runtime.getSpriteTargetByName(event.click);
    const hat = event.click === 'Stage' ? 'event_whenstageclicked' : 'event_whenthisspriteclicked';
    if (target) vm.runtime.startHats(hat, null, target);
    return () => {};
};

// What asks a server goes on without one: nothing is spoken, and a text stays as it is.
const WITHOUT_SERVER = {
    text2speech_speakAndWait: () => {},
    translate_getTranslate: args => String(args.WORDS)
};

const play = async (project, plan) => {
    // The machine keeps the clock that it finds when it is made, by which it ends each step; loading waits
    // for the real one.
    const time = virtualTime();
    time.use();
    const vm = new VirtualMachine();
    useRealTime();
    await vm.loadProject(project);
    const {runtime} = vm;
    Object.assign(runtime._primitives, WITHOUT_SERVER);
    const stage = runtime.getTargetForStage();
    const seen = [];
    const see = entry => {
        if (seen.length < MOST_SEEN) seen.push(entry);
    };
    let said = '';
    let asked = 0;
    runtime.on('SAY', (target, type, text) => {
        said = String(text);
        if (said) see([type, target.getName(), short(said)]);
    });
    runtime.on('QUESTION', question => {
        if (question === null) return;
        if (question) see(['ask', short(question)]);
        const answer = answerTo(question || said, asked, plan);
        asked += 1;
        see(['answer', answer]);
        setImmediate(() => runtime.emit('ANSWER', answer));
    });

    Math.random = chanceFrom(plan.seed || 0);
    time.use();
    runtime.currentStepTime = STEP;
    vm.greenFlag();
    const events = (plan.events || []).slice().sort((one, other) => one.at - other.at);
    const releases = [];
    const end = plan.seconds || 600;
    let seconds = 0;
    do {
        while (releases.length && releases[0].at <= seconds) releases.shift().release();
        while (events.length && events[0].at <= seconds) {
            releases.push({at: seconds + 0.1, release: press(vm, events.shift())});
        }
        runtime._step();
        seconds = time.pass();
        await turn();
        await turn();
    } while (seconds < end && (runtime.threads.length > 0 || events.length > 0));

    const sprites = {};
    for (const target of runtime.targets) {
        if (target.isStage || !target.isOriginal) continue;
        const {x, y, size, direction, visible} = target;
        const place = {x: plain(x), y: plain(y), size: plain(size), direction: plain(direction), visible};
        sprites[target.getName()] = {...place, costume: costumeOf(target), ...dataOf(target)};
    }
    const ended = runtime.threads.length === 0;
    const done = {
        seen,
        asked,
        ended,
        seconds: Math.round(seconds * 10) / 10,
        ...dataOf(stage),
        sprites,
        backdrop: costumeOf(stage),
        clones: runtime.targets
            .filter(target => !target.isOriginal)
            .map(target => [target.getName(), target.x, target.y, target.visible])
    };
    runtime.quit();
    return done;
};

const main = async () => {
    const {project, plans} = JSON.parse(require('fs').readFileSync(0, 'utf8'));
    for (const plan of plans) {
        let line;
        try {
            line = await play(project, plan);
        } catch (error) {
            line = {error: String((error && error.message) || error)};
        }
        process.stdout.write(`${JSON.stringify(line)}\n`);
    }
};

main().then(() => process.exit(0), error => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
});
