// @ts-check
/* Preloaded into the executable: kills it as it is about to call a function of node:fs on a path, as KILL_AT says: `renameSync config.json`. */
const fs = require('node:fs');

const [name = '', target = ''] = (process.env['KILL_AT'] ?? '').split(' ');
/** @type {any} */
const functions = fs;
const original = functions[name];
/** @param {unknown[]} args */
functions[name] = (...args) => {
  if (args.some((arg) => typeof arg === 'string' && arg.endsWith(target)))
    process.kill(process.pid, 'SIGKILL');
  return original(...args);
};
