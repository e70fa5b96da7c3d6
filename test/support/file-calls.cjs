/*
 * Loaded before the executable: writes down which files it syncs and renames, in order, into the
 * file that FILE_CALLS names; and ends the process by SIGKILL just before a rename to a path that
 * ends with KILL_AT_RENAME.
 */
const fs = require('node:fs');
const promises = require('node:fs/promises');
const { FILE_CALLS: log, KILL_AT_RENAME: deadly } = process.env;

/** @param {string} line */
const note = (line) => log && fs.appendFileSync(log, `${line}\n`);

const { open, rename } = promises;
promises.open = async (path, ...rest) => {
  const handle = await open(path, ...rest);
  for (const name of /** @type {const} */ (['sync', 'datasync'])) {
    const call = handle[name].bind(handle);
    handle[name] = async () => {
      await call();
      note(`sync ${path}`);
    };
  }
  return handle;
};
promises.rename = async (from, to) => {
  if (deadly && String(to).endsWith(deadly)) process.kill(process.pid, 'SIGKILL');
  await rename(from, to);
  note(`rename ${from} ${to}`);
};
