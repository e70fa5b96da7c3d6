// @ts-check
/* Preloaded into the executable: writes into the file that LOADS names what it loads, and for which files V8 took no code of the build. */
const { writeFileSync } = require('node:fs');
const Module = require('node:module');
const { relative, resolve } = require('node:path');
const vm = require('node:vm');

const root = resolve(__dirname, '../..');
const loads = new Set();
const compiled = new Set();

/** @type {any} */
const loader = Module;
const load = loader._load;
/** @param {[request: string, parent: unknown, isMain: boolean]} args */
loader._load = (...args) => {
  const [request] = args;
  const builtin = Module.isBuiltin(request);
  loads.add(builtin ? request.replace(/^node:/, '') : relative(root, loader._resolveFilename(...args)));
  return load(...args);
};

vm.Script = class extends vm.Script {
  /**
   * @param {string} source
   * @param {vm.ScriptOptions} options
   */
  constructor(source, options) {
    super(source, options);
    const file = relative(root, options.filename ?? '');
    loads.add(file);
    if (this.cachedDataRejected !== false) compiled.add(file);
  }
};

process.once('exit', () => {
  writeFileSync(process.env['LOADS'] ?? '', JSON.stringify({ loads: [...loads], compiled: [...compiled] }));
});
