import { describe, expect, it } from 'vitest';
import { newFolder, run } from '../support/run.ts';

const hintOf = async (words: readonly string[]) => {
  const { exit, stderr } = await run(words, { home: newFolder() });
  expect(exit).toBe(2);
  return stderr.split('\n').flatMap((line) => /^Hint: (.*)/.exec(line)?.[1] ?? []);
};

const remedy = (text: string) =>
  `Your shell does not remove single quotes. Use double quotes: "${text}"`;

describe('an error of a command line with single quotes', () => {
  it.each<[string, string]>([
    ["register --name 'Alpha GmbH' --hq-region DE --sandbox", 'Alpha GmbH'],
    ["footprint spend.csv --goal '80% by 2030'", '80% by 2030'],
    ["batch 'my list.csv' --sandbox", 'my list.csv'],
    ["register --name 'Alpha GmbH' --field 'industry_name=Food Products' --sandbox", 'Alpha GmbH'],
  ])('explains the quotes that a shell passed on in %s', async (line, text) => {
    expect(await hintOf(line.split(' '))).toEqual([remedy(text)]);
  });

  it.each<[string, readonly string[], RegExp]>([
    ['another option is wrong', ['--name', "'Alpha' GmbH", '--lei', '5'], /--lei-number/],
    ['another option is wrong', ['--name', "'Alpha GmbH'", '--lei', '5'], /--lei-number/],
    ['another option is wrong', ['--name', "'Alpha", "GmbH'", '--lei', '5'], /--lei-number/],
    ['another value is wrong', ['--name', "'Alpha GmbH'", '--hq-region', 'XXX'], /^(?!Your shell)/],
  ])('has only its own hint if %s: %j', async (_, words, own) => {
    const hints = await hintOf(['register', ...words, '--sandbox']);
    expect(hints.join('')).not.toContain('Your shell');
    expect(hints.join('')).toMatch(own);
  });

  it('adds to the hint of a value', async () => {
    const line = ['list', 'x.ndjson', '--columns'];
    const own = await hintOf([...line, 'nam,id']);
    expect(own).toEqual([expect.stringMatching(/\bname\b/)]);
    const [quoted] = await hintOf([...line, "'nam,id'"]);
    expect(quoted).toMatch(
      /\S .*Your shell does not remove single quotes\. Use double quotes: "nam,id"$/,
    );
    expect(await hintOf(['get', "'a", "b'", '--sandbox'])).toEqual([
      expect.stringMatching(/Your shell does not remove single quotes\. Use double quotes: "a b"$/),
    ]);
  });
});
