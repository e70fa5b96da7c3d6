import type { Command, CommanderError } from 'commander';
import { UsageError } from '../runtime/carbon-error.ts';
import { readUnknownFlag } from './unknown-flag.ts';

/* The missing argument of each command, and examples of it. */
const missing: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  get: ['an id', 'Try `carbon get 12`, or `carbon get -` to read ids from standard input.'],
  watch: ['an id', 'Try `carbon watch 12`, or `carbon watch -` to read ids from standard input.'],
  batch: [
    'a file',
    'Try `carbon batch suppliers.csv`, or `carbon batch -` with --journal to read standard input.',
  ],
  report: [
    'a file',
    'Try `carbon report records.ndjson`, or `carbon report -` to read standard input.',
  ],
  diff: ['two files', 'Try `carbon diff old.ndjson new.ndjson`.'],
  completion: ['a shell', 'Try `carbon completion bash`, `zsh` or `fish`.'],
};

/**
 * Translates an error of commander.
 * @param argv the command line
 * @param program the program, with the commands that the command line names
 */
export async function readUsageError(
  { message, code }: CommanderError,
  argv: readonly string[],
  program: Command,
): Promise<UsageError> {
  if (code === 'commander.help')
    return new UsageError('Missing command', 'Run `carbon --help` for the list of commands.');
  // Removes the text after `=`, as in `CARBON_API_KEY=...`, because it may be the key.
  const text = message.replace(/^error: /, '').replace(/^(unknown command '[^'=]*)=.*'/s, "$1'");
  const [what = '', ...more] = text.split('\n');
  const command = argv.find((word) => Object.hasOwn(missing, word));
  if (code === 'commander.missingArgument' && command !== undefined) {
    const [thing, hint] = missing[command] ?? [];
    return new UsageError(`carbon ${command} needs ${thing}`, hint);
  }
  const [, flag] = /^option '(?:-\w, )?(--[\w-]+) <.*>' argument missing$/.exec(what) ?? [];
  if (flag !== undefined) return new UsageError(`${flag} needs a value`, helpHint);
  const suggestion = /^\(Did you mean .*\)$/.exec(more.at(-1) ?? '')?.[0].slice(1, -1);
  const unknown = /^unknown option '(.*?)'(?:\n\(Did you mean [^\n]*\))?$/s.exec(text)?.[1];
  if (unknown !== undefined) {
    return readUnknownFlag(unknown, argv, program, suggestion ?? helpHint);
  }
  return new UsageError(what.charAt(0).toUpperCase() + what.slice(1), suggestion ?? helpHint);
}

const helpHint =
  'Run `carbon --help` or `carbon help <command>` for the available commands and flags.';
