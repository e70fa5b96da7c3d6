/* Changes the command line of a run, for hints and for the answer to a question. */
import type { Command } from 'commander';
import { replacePairs } from '../lists/table/map-pairs.ts';

export interface LineChanges {
  /** The command that replaces the one of the command line. */
  readonly as?: string | undefined;
  /** Words to add before the operands that follow `--`. */
  readonly add?: readonly string[] | undefined;
  /** Long names of the options to leave out, with their values. */
  readonly without?: readonly string[] | undefined;
  /** Whether to leave out the operands as well. */
  readonly withoutOperands?: boolean | undefined;
}

/**
 * Returns the words after `carbon` with changes.
 * @param command the parsed command
 * @param argv the words after `carbon`
 */
export function changeLine(
  command: Command,
  argv: readonly string[],
  { as = command.name(), add = [], without = [], withoutOperands = false }: LineChanges,
): string[] {
  const rest = [...argv];
  const words: string[] = [];
  let name: string | undefined = as;
  while (rest.length > 0 && rest[0] !== '--') {
    const [word = ''] = rest;
    const [flag = ''] = word.split('=', 1);
    const option = command.options.find(
      ({ short, long }) => long === flag || (short && word.startsWith(short)),
    );
    const hasValue = option?.required === true && [option.short, option.long].includes(word);
    const given = rest.splice(0, hasValue ? 2 : 1);
    // The first operand is the command.
    if (option === undefined) {
      if (name !== undefined || !withoutOperands) words.push(name ?? word);
      name = undefined;
    } else if (option.long === '--map') words.push(...replaceMap(given, word, add));
    else if (!without.includes(option.long ?? '')) words.push(...given);
  }
  return [...words, ...add, ...(withoutOperands ? [] : rest)];
}

/* An added column replaces the one that the command line gives for the field. */
function replaceMap(given: readonly string[], word: string, add: readonly string[]): string[] {
  const added = add.flatMap((each, at) => (add[at - 1] === '--map' ? [each] : []));
  const value = given.length > 1 ? (given[1] ?? '') : word.slice('--map='.length);
  return replacePairs([value], added).flatMap((pairs) => ['--map', pairs]);
}
