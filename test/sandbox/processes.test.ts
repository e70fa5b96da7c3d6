import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-processes-'));
const script = join(folder, 'register.mjs');
const source = join(import.meta.dirname, '../../src/sandbox');
const names = 400;

/* Registers the same names in a different order in each process and prints each id at once. */
const program = `
import { writeSync } from 'node:fs';
import { identityOf } from './identity.ts';
import { openLog, openStore } from './store.ts';
const [, , folder, step] = process.argv;
const store = openStore(openLog(folder));
for (let nth = 0; nth < ${names}; nth++) {
  const name = 'Company ' + ((nth * Number(step)) % ${names});
  writeSync(1, name + '=' + store.register(identityOf({ name }), { name }, 0) + '\\n');
}
`;

beforeAll(async () => {
  const stdin = { contents: program, resolveDir: source, loader: 'ts' as const };
  await build({ stdin, outfile: script, bundle: true, platform: 'node', format: 'esm' });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a process to its end, or kills it after some lines; returns its complete lines. */
async function run(step: number, killAfter = Number.POSITIVE_INFINITY): Promise<string[]> {
  const child = spawn(process.execPath, [script, join(folder, 'data'), String(step)], {
    stdio: 'pipe',
  });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    if (lines.push(line) === killAfter) child.kill('SIGKILL');
  }
  return lines;
}

describe('openStore', () => {
  it('assigns the same ids in concurrent processes, some of them killed', async () => {
    const outputs = await Promise.all([run(1), run(3, 40), run(7), run(399, 150), run(11)]);
    const ids = new Map(outputs[0]?.map((line) => line.split('=') as [string, string]));
    expect(ids.size).toBe(names);
    expect(new Set(ids.values()).size).toBe(names);
    for (const line of outputs.flat()) {
      const [name = '', id] = line.split('=');
      expect(ids.get(name), name).toBe(id);
    }
    expect(new Set(await run(13))).toEqual(new Set(outputs[0]));
  });
});
