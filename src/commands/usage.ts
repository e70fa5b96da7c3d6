import type { CommanderError } from 'commander';
import { UsageError } from '../errors.ts';

/* What is missing, and two ways to give it. */
const missing: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  get: ['an id', '`carbon get 12`, or `carbon get -` to read ids from standard input.'],
  watch: ['an id', '`carbon watch 12`, or `carbon watch -` to read ids from standard input.'],
  batch: [
    'a file',
    '`carbon batch suppliers.csv`, or `carbon batch -` with --journal to read standard input.',
  ],
  report: ['a file', '`carbon report records.ndjson`, or `carbon report -` to read standard input.'],
  diff: ['two files', '`carbon diff old.ndjson new.ndjson`.'],
  completion: ['a shell', '`carbon completion bash`, `zsh` or `fish`.'],
};

const keyFlag = /^--?(?:api-?key|key|token|with-(?:api-?)?key|secret|password)(?:=|$)/i;

/**
 * Says what is wrong with a command line in the words of its user.
 * @param argv the command line, for the command that it names
 */
export function readUsageError({ message, code }: CommanderError, argv: readonly string[]): UsageError {
  if (code === 'commander.help') return new UsageError('Which command?', 'carbon --help lists them.');
  const text = withoutValue(message.replace(/^error: /, ''));
  const [what = '', ...more] = text.split('\n');
  const command = argv.find((word) => Object.hasOwn(missing, word));
  if (code === 'commander.missingArgument' && command !== undefined) {
    const [thing, hint] = missing[command] ?? [];
    return new UsageError(`carbon ${command} needs ${thing}`, hint);
  }
  const [, flag] = /^option '(?:-\w, )?(--[\w-]+) <.*>' argument missing$/.exec(what) ?? [];
  if (flag !== undefined) return new UsageError(`${flag} needs a value`, helpHint);
  const [, unknown = ''] = /^unknown option '(.*)'$/s.exec(what) ?? [];
  if (keyFlag.test(unknown)) return new UsageError(`There is no flag ${unknown}`, keyHint);
  if (/^--[\w-]+=/.test(/^error: unknown option '(.*)'$/s.exec(message)?.[1] ?? '')) {
    return new UsageError(`There is no flag ${unknown}, or it takes no value`, helpHint);
  }
  const hint = more.length > 0 ? more.join(' ').replace(/^\(|\)$/g, '') : helpHint;
  return new UsageError(what.charAt(0).toUpperCase() + what.slice(1), hint);
}

/* Without the value of an unknown option or a variable, which may be the key: `--token=...`, `-k...`, `CARBON_API_KEY=...`. */
function withoutValue(text: string): string {
  return text
    .replace(/^(unknown (?:option|command) '[^'=]*)=.*'/s, "$1'")
    .replace(/^(unknown option '-[^-])[^']+'/s, "$1'");
}

const helpHint = 'carbon --help and carbon help <command> show what there is.';
const keyHint =
  'Flags can be seen in the list of processes, so none takes the key: pipe it to `carbon login --with-token`, or set CARBON_API_KEY.';
