// @ts-check
/*
 * Preloaded into the executable: kills it as it is about to call a function of node:fs, or of
 * node:fs/promises, on a path, as KILL_AT says: `rename config.json`.
 */
const fs = require('node:fs');
const promises = require('node:fs/promises');

const [name = '', target = ''] = (process.env['KILL_AT'] ?? '').split(' ');
/** @type {any} */
const functions = name.endsWith('Sync') ? fs : promises;
const original = functions[name];
/** @param {unknown[]} args */
functions[name] = (...args) => {
  if (args.some((arg) => typeof arg === 'string' && arg.endsWith(target)))
    process.kill(process.pid, 'SIGKILL');
  return original(...args);
};
