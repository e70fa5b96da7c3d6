import { readFileSync, writeFileSync } from 'node:fs';
import { read, utils } from '@e965/xlsx';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VirtualClock } from './support/clock.ts';
import { codeBlocks, documents, readText, shownFiles } from './support/documents.ts';
import { shell } from './support/executable.ts';
import { withoutEscapes } from './support/questions.ts';
import { newFolder, run } from './support/run.ts';
import { wordsOf } from './support/understands.ts';

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

/* What a reader sees without colors: a result that no pipe or file takes is for a terminal. */
const screen = { terminal: 80, env: { LANG: 'C.UTF-8', NO_COLOR: '1' } };

/*
 * Runs command lines in a new directory with the files that the document shows, carbon in this
 * process, in a terminal of 80 columns. Returns what each prints.
 */
async function runAll(document: string, examples: readonly Example[]): Promise<string[]> {
  const [home, before, clock] = [newFolder(), process.cwd(), new VirtualClock()];
  process.chdir(home);
  onTestFinished(() => process.chdir(before));
  for (const [name, text] of shownFiles(document)) writeFileSync(name, text);
  const prints: string[] = [];
  for (const { command } of examples) {
    const [, words, file] = /^carbon (.*?)(?: > (\S+))?$/.exec(command) ?? [];
    let printed = '';
    const onOutput = (text: string) => {
      printed += text;
    };
    const { stdout, stderr } = await (words === undefined
      ? shell(command, { cwd: home })
      : run(wordsOf(words), {
          home,
          clock,
          onOutput,
          ...(file === undefined ? screen : {}),
        }));
    if (file !== undefined) writeFileSync(file, stdout);
    prints.push(
      words === undefined ? stdout : file === undefined ? withoutEscapes(printed) : stderr,
    );
  }
  return prints;
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
    const prints = await runAll(document, examples);
    examples.forEach(({ command, output }, index) => {
      expect({ command, seen: prints[index] }).toEqual({
        command,
        seen: expect.stringMatching(pattern(output)),
      });
    });
    if (document !== 'README.md') return;
    // The table in README.md shows what sync -o writes, as Excel displays it.
    const table = readText(document).match(/^\|.*\|$/gm) ?? [];
    const [columns = [], , ...shown] = table.map((line) => line.slice(2, -2).split(' | '));
    const sheet = read(readFileSync('results.xlsx')).Sheets['Results'] ?? {};
    const rows = utils.sheet_to_json<Record<string, string>>(sheet, { raw: false });
    const cells = rows.slice(0, 3).map((row) => columns.map((column) => row[column]));
    expect(cells).toEqual(shown.slice(0, 3));
  });
});
