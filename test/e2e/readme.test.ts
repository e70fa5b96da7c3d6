import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codeBlocks, documents, readText } from '../support/documents.ts';
import { carbonCommand, fastClock, start } from '../support/executable.ts';
import { createReport, textsOf } from '../support/portfolio-report.js';
import { newFolder } from '../support/run.ts';

interface Example {
  readonly command: string;
  /** Expected output; `...` matches any text. */
  readonly output: string;
}

function examplesIn(document: string): Example[] {
  return codeBlocks('console', [document])
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

const homes = mkdtempSync(join(tmpdir(), 'carbon-documents-'));
afterAll(() => rmSync(homes, { recursive: true, force: true }));

function newShell(more: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(join(homes, 'home-'));
  mkdirSync(join(home, 'bin'));
  const shim = join(home, 'bin/carbon');
  writeFileSync(shim, `#!/bin/sh\nexec ${carbonCommand} "$@"\n`);
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

async function printsOf(examples: readonly Example[]): Promise<string[]> {
  const { run } = newShell(fastClock);
  const prints: string[] = [];
  for (const { command } of examples) prints.push((await run(command)).seen);
  return prints;
}

describe('the examples in the documents', () => {
  const runs = documents
    .map((document) => ({ document, examples: examplesIn(document) }))
    .filter(({ examples }) => examples.length > 0)
    .map(({ document, examples }) => ({ document, examples, prints: printsOf(examples) }));

  it('are in README.md and docs/guide.md, among others', () => {
    expect(runs.map(({ document }) => document)).toEqual(
      expect.arrayContaining(['README.md', 'docs/guide.md']),
    );
    expect(runs[0]?.examples.length).toBeGreaterThanOrEqual(3);
  });

  it('of the spreadsheet in README.md are what sync -o writes', async () => {
    const table = readText('README.md').match(/^\|.*\|$/gm) ?? [];
    const [columns = [], , ...rows] = table.map((line) => line.slice(2, -2).split(' | '));
    const shown = rows.slice(0, 3);
    const { home, run } = newShell(fastClock);
    const list = shown.map((cells) => cells.slice(0, 2).join(','));
    writeFileSync(join(home, 'suppliers.csv'), ['Supplier,Country', ...list, ''].join('\n'));
    await run('carbon sync suppliers.csv --sandbox -o results.csv');
    const text = readFileSync(join(home, 'results.csv'), 'utf8').replace(/^\ufeff/, '');
    const [header = [], ...results] = text
      .trimEnd()
      .split(/\r?\n/)
      .map((line) => line.split(','));
    const places = columns.map((column) => header.indexOf(column));
    expect(results.map((cells) => places.map((place) => cells[place]))).toEqual(shown);
  });

  it.each(runs)('print the documented output in $document', async ({ examples, prints }) => {
    const all = await prints;
    examples.forEach(({ command, output }, index) => {
      expect({ command, seen: all[index] }).toEqual({
        command,
        seen: expect.stringMatching(pattern(output)),
      });
    });
  });
});

it('the picture of a report shows the texts of today: otherwise run npm run picture', () => {
  const texts = new Set(textsOf(createReport(newFolder(), fastClock)));
  const shown = readText('docs/report.txt').trimEnd().split('\n');
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.filter((text) => !texts.has(text))).toEqual([]);
});

it('the report recipe succeeds when the research on one organization ends with an error', async () => {
  const recipes = [...codeBlocks('sh'), ...codeBlocks('bash')];
  const reports = recipes.filter((text) => /carbon sync .*carbon report/s.test(text));
  expect(reports).toHaveLength(1);
  const sandbox = start(['sandbox', '--port', '0', '--research', '1ms', '--json']);
  await sandbox.seen('stdout', /\n/);
  const { url, key } = JSON.parse(sandbox.output.stdout);
  for (const recipe of reports) {
    const { home, run } = newShell({ CARBON_BASE_URL: url, CARBON_API_KEY: key });
    writeFileSync(join(home, 'suppliers.csv'), 'name\nAcme\nSandbox errored\n');
    const { seen, exit } = await run(recipe);
    expect({ recipe, seen, exit }).toEqual({ recipe, seen, exit: 0 });
    const records = readFileSync(join(home, 'suppliers.csv.records.ndjson'), 'utf8');
    expect(records.match(/\n/g)).toHaveLength(2);
    expect(readFileSync(join(home, 'report.html'), 'utf8')).toContain('Acme');
  }
});
