/*
 * Preloaded into the executable: appends a line to the file FILE_CALLS for every sync and rename of
 * a file.
 */
const fs = require('node:fs');
const promises = require('node:fs/promises');
const { FILE_CALLS: logFile } = process.env;

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
  await rename(from, to);
  log(`rename ${from} ${to}`);
};
