/*
 * Runs the command that prints the API key. Errors name the command and how it ended, and never
 * quote its output.
 */
import { isAbsolute } from 'node:path';
import { HintedError, UsageError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { type CommandOutcome, maxFirstLineLength } from '../runtime/run-command.ts';
import { codeOf, explainSystemError } from '../runtime/system-error.ts';
import { splitWords } from './split-words.ts';

/** Maximum duration of a key command, in milliseconds. */
export const maxCommandMs = 30_000;

/** Contains a key command and its source, such as `CARBON_API_KEY_COMMAND`. */
export interface KeyCommand {
  readonly value: string;
  readonly from: string;
}

/**
 * Checks a key command and returns its words: the program and its arguments.
 *
 * The program is a name or an absolute path, so the current directory never decides what runs.
 * @throws UsageError if a shell would interpret the command, or for a relative path
 */
export function readKeyCommand({ value, from }: KeyCommand): string[] {
  const words = splitWords(value, from);
  const [program = ''] = words;
  if (/[\\/]/.test(program) && !isAbsolute(program)) {
    throw new UsageError(
      `${from}: the command names its program by the relative path ${program}`,
      'Write an absolute path, or the name of a program in PATH.',
    );
  }
  return words;
}

/** Receives what a key command writes. */
export interface KeyCommandMessages {
  /** Hides the first line of standard output, also when the command failed. */
  hide(text: string): void;
  /** Receives each line of standard error. */
  onErrorLine(line: string): void;
}

/**
 * Runs a key command and returns the first line that it prints.
 * @throws HintedError that names the command and how it ended
 */
export async function runKeyCommand(
  context: Context,
  command: KeyCommand,
  { hide, onErrorLine }: KeyCommandMessages,
): Promise<string> {
  const words = readKeyCommand(command);
  const outcome = await context.runCommand(words, { limitMs: maxCommandMs, onErrorLine });
  // Ordinary words of a failed command are no key, and hiding them would make messages unreadable.
  if ('firstLine' in outcome && /^\S+$/.test(outcome.firstLine.trim())) hide(outcome.firstLine);
  const name = `The key command \`${command.value.trim()}\` (${command.from})`;
  const fail = (problem: string, hint: string) =>
    new HintedError('no_key', `${name} ${problem}`, { hint });
  if (outcome.kind === 'not_started') throw fail(...notStarted(words[0] ?? '', outcome));
  if (outcome.kind === 'timed_out')
    throw fail(
      `did not end within ${maxCommandMs / 1_000} s`,
      'carbon stopped it. Run it in a terminal to see what it waits for.',
    );
  const seeWhy = 'Run it in a terminal to see why.';
  if (outcome.kind === 'killed') throw fail(`was terminated by ${outcome.signal}`, seeWhy);
  if (outcome.code !== 0) throw fail(`failed with exit code ${outcome.code}`, seeWhy);
  const { firstLine } = outcome;
  const mustPrint = 'The first line that it prints must be the API key.';
  if (firstLine.length > maxFirstLineLength)
    throw fail(`printed a line of more than ${maxFirstLineLength / 1_024} KiB`, mustPrint);
  if (firstLine.trim() === '') throw fail('printed no key', mustPrint);
  return firstLine;
}

function notStarted(
  program: string,
  { error }: CommandOutcome & { readonly kind: 'not_started' },
): [problem: string, hint: string] {
  const hints: Readonly<Record<string, string>> = {
    ENOENT: 'Check PATH, or write the absolute path of the program.',
    // Node starts neither .bat nor .cmd files without a shell.
    EINVAL: 'A .bat or .cmd file needs its interpreter: cmd /c name.',
    ERR_ACCESS_DENIED: 'Node.js needs --allow-child-process to start a program.',
  };
  const hint = hints[codeOf(error)] ?? 'Check that you may run the program.';
  return [`cannot be started: ${program}: ${explainSystemError(error)}`, hint];
}
