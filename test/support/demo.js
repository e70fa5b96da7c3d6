// @ts-check
/*
 * Runs the most important commands on the embedded sandbox, with temporary state, in about half a
 * minute: `npm run demo`.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const carbon = fileURLToPath(new URL('../../bin/carbon.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'carbon-demo-'));
const env = { ...process.env, CARBON_DATA_DIR: folder, CARBON_CONFIG_DIR: folder };
const isColored = process.stdout.isTTY && !process.env['NO_COLOR'];

/** @param {string} text */
const bold = (text) => (isColored ? `\x1b[1m${text}\x1b[22m` : text);

/** @param {string} text */
const title = (text) => process.stdout.write(`\n${bold(`# ${text}`)}\n`);

/** @param {string} command */
const prompt = (command) => process.stdout.write(`${bold('$')} ${command}\n`);

/**
 * Runs carbon in the demo's directory. An unexpected exit code ends the demo with this code.
 * @param {string[]} words
 * @param {{ input?: string, isCaptured?: boolean, expected?: number }} [options]
 * @returns {string} standard output, if it is captured
 */
function run(words, { input, isCaptured = false, expected = 0 } = {}) {
  const { status, stdout } = spawnSync(process.execPath, [carbon, ...words], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: [input === undefined ? 'inherit' : 'pipe', isCaptured ? 'pipe' : 'inherit', 'inherit'],
    ...(input === undefined ? {} : { input }),
  });
  if (status !== expected) throw status ?? 1;
  return stdout ?? '';
}

/** @param {string} file */
function print(file) {
  prompt(`cat ${file}`);
  process.stdout.write(readFileSync(join(folder, file), 'utf8').replace('\uFEFF', ''));
}

try {
  title('Register an organization and wait until its research ends');
  prompt('carbon register --sandbox --name "Globex Corporation" --hq-region US --wait');
  const globex = ['--name', 'Globex Corporation', '--hq-region', 'US'];
  run(['register', '--sandbox', ...globex, '--wait', '--interval', '1s']);

  title('Register every valid row of a CSV file and save the records');
  const rows = ['Pied Piper,US', 'Tyrell Corporation,US', ',FR', 'Dunder Mifflin,US'];
  writeFileSync(join(folder, 'suppliers.csv'), `name,country\n${rows.join('\n')}\n`);
  print('suppliers.csv');
  prompt('carbon batch suppliers.csv --sandbox --invalid skip -q > ids.txt');
  const ids = run(['batch', 'suppliers.csv', '--sandbox', '--invalid', 'skip', '-q'], {
    isCaptured: true,
    expected: 9,
  });
  prompt('carbon watch - --sandbox --json < ids.txt > records.ndjson');
  const records = run(['watch', '-', '--sandbox', '--json', '--interval', '1s'], {
    input: ids,
    isCaptured: true,
  });
  writeFileSync(join(folder, 'records.ndjson'), records);

  title('One row failed: the failed-rows file contains the reason');
  print('suppliers.failed.csv');

  title('Summarize the records');
  prompt('carbon report records.ndjson');
  run(['report', 'records.ndjson']);

  process.stdout.write(`
Now try, in this directory:

  node bin/carbon.cjs register --sandbox --name "Acme AG" --hq-region DE
  node bin/carbon.cjs watch 1 --sandbox
  node bin/carbon.cjs get 1 --sandbox --json
  node bin/carbon.cjs --help
`);
} catch (code) {
  if (typeof code !== 'number') throw code;
  process.exitCode = code;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
