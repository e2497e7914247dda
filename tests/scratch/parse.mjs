// Read block text with scratchblocks and print the tree that it sees, as JSON.
//
//   node parse.mjs MODULES FILE.json     (a list of [language, text])

import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const [modules, file] = process.argv.slice(2);
const folder = path.join(modules, 'scratchblocks');
const {parse, loadLanguages} = await import(
    pathToFileURL(path.join(folder, 'syntax', 'index.js')).href
);
loadLanguages({
    'zh-cn': JSON.parse(fs.readFileSync(path.join(folder, 'locales', 'zh-cn.json'), 'utf8'))
});

const tree = node => {
    if (node.isScript) return {blocks: node.blocks.map(tree)};
    if (node.isBlock) {
        return {
            id: node.info.id || null,
            category: node.info.category,
            shape: node.info.shape,
            children: node.children.map(tree)
        };
    }
    if (node.isInput) return {input: node.shape, value: node.value};
    if (node.isIcon) return {icon: node.name};
    return {label: node.value};
};

const cases = JSON.parse(fs.readFileSync(file, 'utf8'));
process.stdout.write(JSON.stringify(cases.map(
    ([language, text]) => parse(text, {languages: [language]}).scripts.map(tree)
)));
