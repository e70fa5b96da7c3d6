// @ts-check
/*
 * Preloaded into the executable: appends a line to the file FILE_CALLS for every sync and rename of
 * a file, and kills the process just before it calls the function of node:fs or node:fs/promises
 * that KILL_AT contains, on a path with this end, as in `renameSync config.json`.
 */
const fs = require('node:fs');
const promises = require('node:fs/promises');
const { FILE_CALLS: logFile, KILL_AT = '' } = process.env;

/** @param {string} line */
const log = (line) => logFile && fs.appendFileSync(logFile, `${line}\n`);

const { openSync, fsync, fdatasync, renameSync } = fs;
/** @type {Map<number, fs.PathLike>} */
const paths = new Map();
fs.openSync = (path, ...rest) => {
  const file = openSync(path, ...rest);
  paths.set(file, path);
  return file;
};
/** @param {typeof fsync} call */
const logging = (call) => (/** @type {number} */ file, /** @type {fs.NoParamCallback} */ done) =>
  call(file, (error) => {
    log(`sync ${paths.get(file)}`);
    done(error);
  });
Object.assign(fs, { fsync: logging(fsync), fdatasync: logging(fdatasync) });
fs.renameSync = (from, to) => {
  renameSync(from, to);
  log(`rename ${from} ${to}`);
};

const [name = '', target = ''] = KILL_AT.split(' ');
/** @type {any} */
const functions = name.endsWith('Sync') ? fs : promises;
const original = functions[name];
/** @param {unknown[]} args */
const killing = (...args) => {
  if (args.some((arg) => typeof arg === 'string' && arg.endsWith(target)))
    process.kill(process.pid, 'SIGKILL');
  return original(...args);
};
if (KILL_AT !== '') functions[name] = killing;
