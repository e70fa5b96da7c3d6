import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';
import { commandNames } from '../../src/cli/program.ts';
import { command, hint, hintText, joinHints } from '../../src/runtime/hint.ts';

describe('hint', () => {
  it('has its commands as words', () => {
    const file = "'my list.csv'";
    expect(command`sync ${file} --keep <dir>`.words).toEqual(['sync', file, '--keep', '<dir>']);
    expect(hintText(hint`Run ${command`sync ${file}`}, then ${command`list`}.`)).toBe(
      "Run `carbon sync 'my list.csv'`, then `carbon list`.",
    );
  });

  it('adds words to commands, and to no other text in backticks', () => {
    const said = '`carbon list x`';
    const add = () => '--sandbox';
    expect(hintText(hint`${said}: run ${command`get 1`}.`, add)).toBe(
      '`carbon list x`: run `carbon get 1 --sandbox`.',
    );
    expect(hintText(said, add)).toBe(said);
  });

  it('joins hints with their commands', () => {
    const get = hint`Run ${command`get 1`}.`;
    expect(joinHints(undefined, undefined)).toBeUndefined();
    expect(joinHints('One.', undefined, 'Two.')).toBe('One. Two.');
    expect(hintText(joinHints('One.', get) ?? '', () => '--sandbox')).toBe(
      'One. Run `carbon get 1 --sandbox`.',
    );
  });

  const root = join(import.meta.dirname, '../..');
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join('src', file))
    .sort();
  const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

  it('shows only commands that exist', () => {
    const named = sources.flatMap((file) => [...textOf(file).matchAll(/\bcommand`(\w+)/g)]);
    expect(named.length).toBeGreaterThan(30);
    expect(
      named.map(([, name]) => name).filter((name) => !commandNames.includes(name ?? '')),
    ).toEqual([]);
  });

  it('has the commands as data: no other text has one in backticks, but for these', () => {
    const found = [...sources, 'test/cli/example-command.ts'].flatMap((file) =>
      commandsInTexts(textOf(file)).map((each) => `${file}: ${each}`),
    );
    // Descriptions, and commands that take no options of the run.
    expect(found).toEqual([
      'src/cli/errors.ts: carbon register --help',
      'src/cli/help.ts: carbon whoami',
      'src/cli/usage-errors.ts: carbon --help',
      'src/config/profiles.ts: carbon login',
      'src/config/profiles.ts: carbon whoami',
      'src/portfolio/footprint/views/workbook.ts: carbon check',
      'src/portfolio/organizations/columns.ts: carbon check',
      'src/portfolio/records/files.ts: carbon get --json',
      'src/portfolio/records/json-documents.ts: carbon get --json',
      'src/portfolio/records/json-documents.ts: carbon get --json',
      'src/portfolio/records/records.ts: carbon get --json',
      'src/portfolio/records/records.ts: carbon watch --json',
      'src/portfolio/records/records.ts: carbon batch --json',
      'src/portfolio/records/records.ts: carbon get --json',
    ]);
  });

  it.each([
    ["'See the `carbon help` of commands.'", ['carbon help']],
    ['"fix it via `carbon sync x`"', ['carbon sync x']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    ['`${a} or \\`carbon list ${b}`', ['carbon list ']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    ['// `carbon list`\nhint`Run ${command`list`}.`', []],
  ])('finds the commands in %s', (source, expected) => {
    expect(commandsInTexts(source)).toEqual(expected);
  });
});

/* Returns the commands in backticks in string literals and templates of a source, not comments. */
function commandsInTexts(source: string): readonly string[] {
  const { program, errors } = parseSync('source.ts', source);
  expect(errors).toEqual([]);
  const texts: string[] = [];
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string') texts.push(value);
    },
    TemplateElement: ({ value }) => {
      texts.push(value.cooked ?? value.raw);
    },
  }).visit(program);
  return texts.flatMap((text) =>
    [...text.matchAll(/`(carbon\b[^`]*)/g)].map(([, each = '']) => each),
  );
}
