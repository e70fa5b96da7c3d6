// @ts-check
/*
 * Preloaded into the executable: writes the modules that it loads, the regular expressions that it
 * constructs and the files whose compiled code V8 takes or refuses to the file LOADS.
 */
const { writeFileSync } = require('node:fs');
const Module = require('node:module');
const { relative, resolve } = require('node:path');
const vm = require('node:vm');

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

/** @type {Record<'taken' | 'refused', string[]>} */
const compiled = { taken: [], refused: [] };
vm.Script = class extends vm.Script {
  /**
   * @param {string} text
   * @param {import('node:vm').ScriptOptions} options
   */
  constructor(text, options) {
    super(text, options);
    const { filename = '', cachedData } = options;
    if (cachedData === undefined) return;
    compiled[this.cachedDataRejected ? 'refused' : 'taken'].push(relative(root, filename));
  }
};

process.once('exit', () => {
  const result = { loads: [...loads], patterns, compiled };
  writeFileSync(process.env['LOADS'] ?? '', JSON.stringify(result));
});
