/*
 * Preloaded into the executable: appends a line to the file FILE_CALLS for every sync and rename of
 * a file, and kills the process just before a rename to a path that ends with KILL_AT_RENAME.
 */
const fs = require('node:fs');
const promises = require('node:fs/promises');
const { FILE_CALLS: logFile, KILL_AT_RENAME: deadly } = process.env;

/** @param {string} line */
const log = (line) => logFile && fs.appendFileSync(logFile, `${line}\n`);

const { open, rename } = promises;
promises.open = async (path, ...rest) => {
  const handle = await open(path, ...rest);
  for (const name of /** @type {const} */ (['sync', 'datasync'])) {
    const call = handle[name].bind(handle);
    handle[name] = async () => {
      await call();
      log(`sync ${path}`);
    };
  }
  return handle;
};
promises.rename = async (from, to) => {
  if (deadly && String(to).endsWith(deadly)) process.kill(process.pid, 'SIGKILL');
  await rename(from, to);
  log(`rename ${from} ${to}`);
};
