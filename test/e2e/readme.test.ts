import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { carbon, node, start } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';

const readme = readFileSync(join(carbon, '../../README.md'), 'utf8');

interface Example {
  readonly command: string;
  /** Expected output; `...` stands for anything. */
  readonly output: string;
}

function examples(): Example[] {
  const blocks = [...readme.matchAll(/^```console\n(.*?)^```/gms)].map(([, text = '']) => text);
  return blocks
    .flatMap((block) => block.split(/^\$ /m).slice(1))
    .map((text) => {
      const [command = '', ...output] = text.split('\n');
      return { command, output: output.join('\n') };
    });
}

function pattern(output: string): RegExp {
  const parts = output.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*?')}$`);
}

function newShell(more: Readonly<Record<string, string>> = {}) {
  const home = newFolder();
  mkdirSync(join(home, 'bin'));
  const shim = join(home, 'bin/carbon');
  writeFileSync(shim, `#!/bin/sh\nexec "${node}" "${carbon}" "$@"\n`);
  chmodSync(shim, 0o755);
  const path = [join(home, 'bin'), process.env['PATH']].join(delimiter);
  const run = async (command: string) => {
    const env = { HOME: home, PATH: path, ...more };
    const child = spawn('bash', ['--norc', '-c', `{ ${command}\n} 2>&1`], { env, cwd: home });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    let seen = '';
    for await (const chunk of child.stdout) seen += chunk;
    return { seen, exit: await ended };
  };
  return { home, run };
}

it('has examples that do what it says', async () => {
  const { run } = newShell();
  expect(examples().length).toBeGreaterThanOrEqual(6);
  for (const { command, output } of examples()) {
    const { seen } = await run(command);
    expect({ command, seen }).toEqual({ command, seen: expect.stringMatching(pattern(output)) });
  }
}, 60_000);

it('makes a report of a file although research on one organization ends errored', async () => {
  const recipes = [...readme.matchAll(/^```(?:ba)?sh\n(.*?)^```/gms)].map(([, text = '']) => text);
  const reports = recipes.filter((text) => /carbon batch .*carbon report/s.test(text));
  expect(reports).toHaveLength(2);
  const sandbox = start(['sandbox', '--port', '0', '--research', '1ms', '--json']);
  await sandbox.seen('stdout', /\n/);
  const { url, key } = JSON.parse(sandbox.output.stdout);
  for (const recipe of reports) {
    const { home, run } = newShell({ CARBON_BASE_URL: url, CARBON_API_KEY: key });
    writeFileSync(join(home, 'suppliers.csv'), 'name\nAcme\nSandbox errored\n');
    const { seen, exit } = await run(recipe);
    expect({ recipe, seen, exit }).toEqual({ recipe, seen, exit: 0 });
    expect(readFileSync(join(home, 'records.ndjson'), 'utf8').match(/\n/g)).toHaveLength(2);
    expect(readFileSync(join(home, 'report.html'), 'utf8')).toContain('Acme');
  }
}, 60_000);
