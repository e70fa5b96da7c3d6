import { describe, expect, it } from 'vitest';
import { readKeyCommand } from '../../src/config/read-key.ts';

const read = (value: string) => readKeyCommand({ value, from: 'X' });

describe('readKeyCommand', () => {
  it.each([
    ['pass show carbon', ['pass', 'show', 'carbon']],
    ['  pass\tshow  carbon \r\n', ['pass', 'show', 'carbon']],
    [`op read 'op://My Vault/carbon/key'`, ['op', 'read', 'op://My Vault/carbon/key']],
    [`a "b | c" 'd'"e"f`, ['a', 'b | c', 'def']],
    [`a '' ""`, ['a', '', '']],
    [`sh -c 'echo "$KEY" | head -n 1'`, ['sh', '-c', 'echo "$KEY" | head -n 1']],
    [`print-key --file C:\\keys\\carbon`, ['print-key', '--file', 'C:\\keys\\carbon']],
  ])('splits %j', (command, words) => {
    expect(read(command)).toEqual(words);
  });

  it.each([
    ['pass show carbon | head -n 1', 'the command contains "|", but carbon starts no shell'],
    ['pass show "$NAME"', 'the command contains "$"'],
    ['cat "`pwd`/key"', 'the command contains "`"'],
    ['cat a\ncat b', 'the command contains a line break'],
    ['', 'the command is empty'],
    [" ''", 'the command is empty'],
    ["cat 'a", 'a quote is not closed'],
    ['cat "it\'s', 'a quote is not closed'],
    ['./key', 'the command names its program by the relative path ./key'],
  ])('refuses %j', (command, problem) => {
    expect(() => read(command)).toThrow(`X: ${problem}`);
  });
});
