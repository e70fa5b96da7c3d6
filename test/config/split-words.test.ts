import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWords } from '../../src/config/split-words.ts';
import { UsageError } from '../../src/runtime/carbon-error.ts';
import { quoteWords } from '../../src/terminal/quote-words.ts';
import { runs } from '../support/seed.ts';

describe('splitWords', () => {
  it.each([
    ['pass show carbon', ['pass', 'show', 'carbon']],
    ['  pass\tshow  carbon \n', ['pass', 'show', 'carbon']],
    ['pass show carbon\r\n', ['pass', 'show', 'carbon']],
    [`op read 'op://My Vault/carbon/key'`, ['op', 'read', 'op://My Vault/carbon/key']],
    [`a "b c" 'd'"e"f`, ['a', 'b c', 'def']],
    [`a '' ""`, ['a', '', '']],
    [`a b\\ c \\$HOME \\'`, ['a', 'b c', '$HOME', "'"]],
    [`a "\\$HOME \\"\\\\ \\n"`, ['a', '$HOME "\\ \\n']],
    [`sh -c 'echo "$KEY" | head -n 1'`, ['sh', '-c', 'echo "$KEY" | head -n 1']],
    ['a b\\\nc \\\n d', ['a', 'bc', 'd']],
    ['a b=c d#e f~g h!', ['a', 'b=c', 'd#e', 'f~g', 'h!']],
  ])('splits %j', (command, words) => {
    expect(splitWords(command, 'X')).toEqual(words);
  });

  it.each([
    ['pass show carbon | head -n 1', '"|" outside quotes'],
    ['pass show $NAME', '"$" outside quotes'],
    ['pass show "$NAME"', '"$" in double quotes'],
    ['cat "`pwd`/key"', '"`" in double quotes'],
    ['cat key > copy', '">" outside quotes'],
    ['cat ~/key', '"~" at the start of a word outside quotes'],
    ['cat key # comment', '"#" at the start of a word outside quotes'],
    ['cat *.key', '"*" outside quotes'],
    ['cat {a,b}', '"{" outside quotes'],
    ['cat --file=~/key', '"~" outside quotes'],
    ['cat a; cat b', '";" outside quotes'],
    ['cat a\ncat b', 'a line break outside quotes'],
    ['cat a\rb', 'a control character outside quotes'],
    ["cat 'a\0b'", 'a null character'],
    ['if true', 'the shell keyword "if"'],
  ])('refuses %j, which a shell would interpret', (command, what) => {
    expect(() => splitWords(command, 'X')).toThrow(`X: the command contains ${what}`);
  });

  it.each([
    ['', 'the command is empty'],
    [" ''", 'the command is empty'],
    ["cat 'a", "a quote (') is not closed"],
    ['cat "a', 'a quote (") is not closed'],
    ['cat a\\', 'the command ends with a backslash'],
    ['KEY=1 cat a', 'the command starts with a variable assignment'],
  ])('refuses %j', (command, problem) => {
    expect(() => splitWords(command, 'X')).toThrow(`X: ${problem}`);
  });

  const isInstalled = (shell: string) => spawnSync(shell, ['-c', ':']).status === 0;
  const piece = fc.constantFrom(
    ...[...'aé0-_./:=@%+,!^\t~#{}$|*?\\'],
    ...['  ', "'", '"', "'a b'", '"c d"', '\\ ', '\\\n', '\n', '"\\$"', "'$'", '\\"'],
  );

  it.each(['sh', 'bash'].filter(isInstalled))(
    'returns the words of %s for every command that it accepts',
    { tags: ['property'] },
    (shell) => {
      const command = fc
        .array(piece, { minLength: 1, maxLength: 12 })
        .map((pieces) => pieces.join('').replace(/^[ \t\n]+/, ''));
      fc.assert(
        fc.property(fc.array(command, { minLength: 20, maxLength: 40 }), (commands) => {
          const accepted = commands.flatMap((text) => {
            try {
              return [{ text, words: splitWords(text, 'X') }];
            } catch (error) {
              expect(error).toBeInstanceOf(UsageError);
              return [];
            }
          });
          const script = accepted.map(({ text }) => `printf '%s\\0' ${text}\nprintf '\\1'\n`);
          const { stdout, stderr } = spawnSync(shell, {
            input: script.join(''),
            encoding: 'utf8',
            cwd: '/',
          });
          const ofShell = stdout
            .split('\u0001')
            .slice(0, -1)
            .map((text) => text.split('\0').slice(0, -1));
          expect(stderr).toBe('');
          expect(ofShell).toEqual(accepted.map(({ words }) => words));
        }),
        { numRuns: runs(100) },
      );
    },
  );

  it('returns the words that quoteWords quoted', { tags: ['property'] }, () => {
    const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(splitWords(quoteWords(['program', ...words]), 'X')).toEqual(['program', ...words]);
      }),
    );
  });
});
