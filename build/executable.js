/*
 * Builds one executable file that contains Node, the program and its help: no other file, and no
 * Node on PATH, is needed to run it.
 *
 *     node build/executable.js <node 26> <file>
 *
 * The chunks of dist/ become assets of the executable, which loads one when a command needs it, as
 * the package does.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { joinNotices } from './notices.js';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/* Replaces require() of the files of dist/ in bin/carbon.cjs. */
const loader = `
const { getAsset } = require('node:sea');
const { compileFunction } = require('node:vm');
const loaded = new Map();
const load = (path) => {
  const name = path.split('/').at(-1);
  if (name.endsWith('.json')) return JSON.parse(getAsset(name, 'utf8'));
  if (loaded.has(name)) return loaded.get(name).exports;
  if (!name.endsWith('.cjs')) return require(path);
  const module = { exports: {} };
  loaded.set(name, module);
  const code = compileFunction(getAsset(name, 'utf8'), ['exports', 'require', 'module'], {
    filename: name,
  });
  code(module.exports, load, module);
  return module.exports;
};
`;

/**
 * @param {string} text
 * @param {string} part
 * @param {string} instead
 */
function replace(text, part, instead) {
  if (text.split(part).length !== 2)
    throw new Error(`bin/carbon.cjs does not contain ${part} once`);
  return text.replace(part, () => instead);
}

/**
 * Returns the files of dist/ that the executable contains, by name: the program, not the library.
 *
 * @returns {Record<string, string>}
 */
function executableAssets() {
  const files = ['main.cjs', 'prerendered.json'].map((name) => [name, join(dist, name)]);
  for (const name of readdirSync(join(dist, 'chunks')))
    if (/\.(cjs|json)$/.test(name)) files.push([name, join(dist, 'chunks', name)]);
  return Object.fromEntries(files);
}

/**
 * Returns the licenses of carbon, of Node and of everything in the bundle.
 *
 * @param {string} node
 */
function licenses(node) {
  // Archives of Node for Windows have no directory bin/.
  const folders = [join(dirname(node), '..'), dirname(node)];
  const ofNode = folders.map((each) => join(each, 'LICENSE')).find((file) => existsSync(file));
  if (ofNode === undefined) throw new Error(`${node} lacks its file LICENSE`);
  const files = [join(root, 'LICENSE'), ofNode, join(dist, 'THIRD-PARTY-NOTICES.txt')];
  return joinNotices(files.map((file) => readFileSync(file, 'utf8')));
}

/**
 * Builds the executable.
 *
 * @param {string} node a Node that supports --build-sea; the executable contains it
 * @param {string} file path of the executable
 */
export function buildExecutable(node, file) {
  const folder = mkdtempSync(join(tmpdir(), 'carbon-executable-'));
  try {
    let main = readFileSync(join(root, 'bin/carbon.cjs'), 'utf8').replace(/^#!.*\n/, '');
    main = replace(main, 'const load = require;', loader);
    main = replace(main, '!existsSync(prerenderedFile)', 'false');
    main = replace(main, '!mayRead(prerenderedFile)', 'false');
    writeFileSync(join(folder, 'main.cjs'), main);
    const answers = join(folder, 'prerendered.json');
    const prerendered = JSON.parse(readFileSync(join(dist, 'prerendered.json'), 'utf8'));
    prerendered['help licenses'] = licenses(node);
    writeFileSync(answers, JSON.stringify(prerendered));
    const config = {
      main: join(folder, 'main.cjs'),
      output: resolve(file),
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      assets: { ...executableAssets(), 'prerendered.json': answers },
    };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    execFileSync(node, ['--build-sea', join(folder, 'config.json')], { stdio: 'inherit' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [, script = '', node, file] = process.argv;
if (resolve(script) === import.meta.filename) {
  if (node === undefined || file === undefined)
    throw new Error('usage: node build/executable.js <node 26> <file>');
  buildExecutable(node, file);
}
