import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { carbon, node } from '../support/executable.ts';
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

it('has examples that do what it says', async () => {
  const home = newFolder();
  mkdirSync(join(home, 'bin'));
  const shim = join(home, 'bin/carbon');
  writeFileSync(shim, `#!/bin/sh\nexec "${node}" "${carbon}" "$@"\n`);
  chmodSync(shim, 0o755);
  const env = { HOME: home, PATH: [join(home, 'bin'), process.env['PATH']].join(delimiter) };
  expect(examples().length).toBeGreaterThanOrEqual(6);
  for (const { command, output } of examples()) {
    const child = spawn('bash', ['--norc', '-c', `{ ${command}; } 2>&1`], { env, cwd: home });
    let seen = '';
    for await (const chunk of child.stdout) seen += chunk;
    expect({ command, seen }).toEqual({ command, seen: expect.stringMatching(pattern(output)) });
  }
}, 60_000);
