// Ask npm scratch-parser, which Scratch itself opens files with, which projects it accepts.
//
//   node validate.cjs MODULES FILE.json     (a list of [whether it is a sprite, project])

const fs = require('fs');
const path = require('path');

const [modules, file] = process.argv.slice(2);
const validate = require(path.join(modules, 'scratch-parser', 'lib', 'validate.js'));

const cases = JSON.parse(fs.readFileSync(file, 'utf8'));
process.stdout.write(JSON.stringify(cases.map(([isSprite, project]) => {
    let accepted = null;
    validate(isSprite, project, error => {
        accepted = !error;
    });
    return accepted;
})));
