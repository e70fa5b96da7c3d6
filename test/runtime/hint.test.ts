import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

  it('shows only commands that exist, and each of them as data', () => {
    const root = join(import.meta.dirname, '../..');
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join('src', file));
    const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n');
    const ofProgram = files.flatMap(linesOf);
    const named = ofProgram.flatMap((line) => [...line.matchAll(/\bcommand`(\w+)/g)]);
    expect(named.length).toBeGreaterThan(30);
    expect(
      named.map(([, name]) => name).filter((name) => !commandNames.includes(name ?? '')),
    ).toEqual([]);
    // Text that tells a user to run a command, unless it describes a format.
    const lines = [...ofProgram, ...linesOf('test/cli/example-command.ts')];
    const asText = lines.filter((line) =>
      /(?:\b(?:[Rr]un|[Tt]ry|[Uu]se|with|by|first:) )\\?`carbon (?!register --help|--help|[a-z]+ --json)/.test(
        line.replace(/^ *(?:\*|\/\*).*/, ''),
      ),
    );
    expect(asText).toEqual([expect.stringContaining('check the stored profiles with')]);
  });
});
