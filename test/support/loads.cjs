// @ts-check
/*
 * Preloaded into the executable: writes the modules that it loads and the regular expressions that
 * it constructs to the file LOADS.
 */
const { writeFileSync } = require('node:fs');
const Module = require('node:module');
const { relative, resolve } = require('node:path');

const root = resolve(__dirname, '../..');
const loads = new Set();

/** @type {any} */
const loader = Module;
const load = loader._load;
/** @param {[request: string, parent: unknown, isMain: boolean]} args */
loader._load = (...args) => {
  const [request] = args;
  const builtin = Module.isBuiltin(request);
  loads.add(
    builtin ? request.replace(/^node:/, '') : relative(root, loader._resolveFilename(...args)),
  );
  return load(...args);
};

/** @type {string[]} */
const patterns = [];
globalThis.RegExp = new Proxy(RegExp, {
  construct(target, args) {
    patterns.push(String(args[0]));
    return Reflect.construct(target, args);
  },
});

process.once('exit', () => {
  writeFileSync(process.env['LOADS'] ?? '', JSON.stringify({ loads: [...loads], patterns }));
});
