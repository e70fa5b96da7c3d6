// @ts-check
/*
 * Preloaded into the executable: kills the process just before it calls a function of node:fs or
 * node:fs/promises on a path. KILL_AT contains the function and a part of the path, as in `rename
 * config.json`.
 */
const fs = require('node:fs');
const promises = require('node:fs/promises');

const [name = '', target = ''] = (process.env['KILL_AT'] ?? '').split(' ');
/** @type {any} */
const functions = name.endsWith('Sync') ? fs : promises;
const original = functions[name];
/** @param {unknown[]} args */
functions[name] = (...args) => {
  if (args.some((arg) => typeof arg === 'string' && arg.includes(target)))
    process.kill(process.pid, 'SIGKILL');
  return original(...args);
};
