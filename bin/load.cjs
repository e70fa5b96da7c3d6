// @ts-check
'use strict';
/*
 * Loads the files of the bundle with the code that V8 made of them when carbon was built: a fifth of `carbon get`. V8 takes code of its
 * own version only, and compiles the file where there is none.
 */
const { readFileSync } = require('node:fs');
const { dirname, join, relative, resolve } = require('node:path');
const { Script } = require('node:vm');

const dist = resolve(__dirname, '../dist');
const folder = join(dist, 'code', `${process.versions.v8}-${process.arch}`);

/** What was loaded, by the path where its code is kept. @type {Map<string, { exports: any, script: Script }>} */
const loaded = new Map();

/** @param {string} path of a file in dist/ */
function load(path) {
  const codePath = join(folder, relative(dist, path).replaceAll(/[\\/]/g, '-'));
  const known = loaded.get(codePath);
  if (known !== undefined) return known.exports;
  const source = `(function (exports, require, module) {${readFileSync(path, 'utf8')}\n})`;
  const script = new Script(source, { filename: path, cachedData: readIfThere(codePath) });
  const module = { exports: {}, script };
  loaded.set(codePath, module);
  /** @param {string} name */
  const requireFrom = (name) => (name.startsWith('.') ? load(join(dirname(path), name)) : require(name));
  script.runInThisContext()(module.exports, requireFrom, module);
  return module.exports;
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

module.exports = { load, loaded };
