import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeBlocks, documents, readText } from '../support/documents.ts';
import { fastClock, installCommand, shell } from '../support/executable.ts';
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

/* Runs command lines in one shell and directory. Returns what each prints, and the directory. */
async function runAll(commands: readonly string[]) {
  const home = newFolder();
  const script = commands.map((command) => `{ ${command}\n} 2>&1; printf '\\0'`).join('\n');
  const { stdout } = await shell(script, {
    env: { HOME: home, PATH: installCommand(home), ...fastClock },
  });
  return { home, prints: stdout.split('\0') };
}

describe('the examples in the documents', () => {
  const examples = documents
    .map((document) => ({ document, examples: examplesIn(document) }))
    .filter((each) => each.examples.length > 0);

  it('are in README.md and docs/guide.md, among others', () => {
    expect(examples.map(({ document }) => document)).toEqual(
      expect.arrayContaining(['README.md', 'docs/guide.md']),
    );
    expect(examples[0]?.examples.length).toBeGreaterThanOrEqual(3);
  });

  it.each(examples)('print the documented output in $document', async ({ document, examples }) => {
    const commands = examples.map(({ command }) => command);
    if (document === 'README.md')
      commands.push('carbon sync suppliers.csv --sandbox -o results.csv');
    const { home, prints } = await runAll(commands);
    examples.forEach(({ command, output }, index) => {
      expect({ command, seen: prints[index] }).toEqual({
        command,
        seen: expect.stringMatching(pattern(output)),
      });
    });
    if (document !== 'README.md') return;
    // The table in README.md shows what sync -o writes.
    const table = readText(document).match(/^\|.*\|$/gm) ?? [];
    const [columns = [], , ...shown] = table.map((line) => line.slice(2, -2).split(' | '));
    const written = readFileSync(join(home, 'results.csv'), 'utf8').replace(/^\ufeff/, '');
    const [header = [], ...rows] = written.split(/\r?\n/).map((line) => line.split(','));
    const places = columns.map((column) => header.indexOf(column));
    const cells = rows.slice(0, 3).map((row) => places.map((place) => row[place]));
    expect(cells).toEqual(shown.slice(0, 3));
  });
});
