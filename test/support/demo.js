// @ts-check
/* The main job in a minute, on the embedded sandbox, with state of its own: `npm run demo`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const carbon = fileURLToPath(new URL('../../bin/carbon.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'carbon-demo-'));
const env = { ...process.env, CARBON_DATA_DIR: folder, CARBON_CONFIG_DIR: folder };

/** @param {string[]} words */
function show(...words) {
  const shown = words.map((word) => (/^[\w./:-]+$/.test(word) ? word : `"${word}"`)).join(' ');
  process.stdout.write(`\n$ carbon ${shown}\n`);
  const { status } = spawnSync(process.execPath, [carbon, ...words], { stdio: 'inherit', env });
  if (status !== 0) process.exitCode = status ?? 1;
}

try {
  const acme = ['--name', 'Acme AG', '--hq-region', 'DE', '--website', 'acme.example'];
  show('register', '--sandbox', '--name', 'Globex Corporation', '--hq-region', 'US', '-q');
  show('register', '--sandbox', ...acme, '--wait', '--interval', '1s');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`
Now try, in this folder:

  node bin/carbon.cjs register --sandbox --name "Acme AG" --hq-region DE
  node bin/carbon.cjs watch 1 --sandbox
  node bin/carbon.cjs get 1 --sandbox --json
  node bin/carbon.cjs --help
`);
