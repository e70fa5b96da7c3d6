/* Translates the errors of commander. Loaded only for a wrong command line. */
import type { Command, CommanderError, Option } from 'commander';
import { UsageError } from '../runtime/carbon-error.ts';
import { flagOf } from './commands/register.ts';

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
  footprint: [
    'a file',
    'Try `carbon footprint suppliers.csv`, or `carbon footprint -` to read standard input.',
  ],
  list: ['a file', 'Try `carbon list records.ndjson`, or `carbon list -` to read standard input.'],
  diff: ['two files', 'Try `carbon diff old.ndjson new.ndjson`.'],
  api: ['a path', 'Try `carbon api organizations/12`.'],
  schema: ['the name of a document', 'Try `carbon schema record`, or `carbon help schema`.'],
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
  const command = namedCommands(program)[0]?.name() ?? '';
  if (code === 'commander.missingArgument' && missing[command] !== undefined) {
    const [thing, hint] = missing[command];
    return new UsageError(`carbon ${command} needs ${thing}`, hint);
  }
  const [, flag] = /^option '(?:-\w, )?(--[\w-]+) <.*>' argument missing$/.exec(what) ?? [];
  const helpHint = hintAtHelp(command);
  if (code === 'commander.excessArguments') return readExcess(what, helpHint);
  if (flag !== undefined) return new UsageError(`${flag} needs a value`, helpHint);
  const suggestion = /^\(Did you mean .*\)$/.exec(more.at(-1) ?? '')?.[0].slice(1, -1);
  const unknown = /^unknown option '(.*?)'(?:\n\(Did you mean [^\n]*\))?$/s.exec(text)?.[1];
  if (unknown !== undefined) {
    return readUnknownFlag(unknown, argv, program, suggestion ?? helpHint);
  }
  return new UsageError(what.charAt(0).toUpperCase() + what.slice(1), suggestion ?? helpHint);
}

const once: Readonly<Record<string, string>> = {
  batch: 'Run the command once for each file.',
  footprint: 'Run the command once for each file.',
  help: 'Run the command once for each topic.',
};

/* Reads "too many arguments for 'batch'. Expected 1 argument but got 2." */
function readExcess(text: string, helpHint: string): UsageError {
  const [, command = '', expected = '0', given] =
    /'(.*)'\. Expected (\d+) arguments? but got (\d+)/.exec(text) ?? [];
  const accepted =
    expected === '0' ? 'no arguments' : `${expected} argument${expected === '1' ? '' : 's'}`;
  return new UsageError(
    `carbon ${command} accepts ${accepted}, but the command line has ${given}`,
    once[command] ?? helpHint,
  );
}

function hintAtHelp(command: string): string {
  return ['', 'help'].includes(command)
    ? 'Run `carbon --help` for the commands and the global options.'
    : `Run \`carbon help ${command}\` for its options.`;
}

/* The arguments begin after the global options, whose values may be the names of commands. */
function namedCommands(program: Command): Command[] {
  return program.args.flatMap(
    (word) => program.commands.find((known) => known.name() === word) ?? [],
  );
}

const atList = 'Use it with `carbon list`, which also reads standard input: `carbon list -`.';

/* What replaced the options of earlier versions. */
const successors: Readonly<Record<string, string>> = {
  '--skip-invalid': 'Use --invalid skip.',
  '--drop-invalid-ids': 'Use --invalid drop-ids.',
  '--max-errors': 'carbon batch stops by itself when the service keeps failing.',
  '--state': 'Use --status.',
  '--summary': 'Use --metrics-file run.json.',
  '--pace': 'Set the environment variable CARBON_PACE.',
  '--columns': atList,
  '--where': atList,
  '--sort': atList,
  '--top': atList,
  'footprint --currency': 'Use --spend-currency.',
  'footprint --upstream': 'Use --upstream-factor.',
  'footprint --spend-factor': 'Use --amounts-in thousands or --amounts-in millions.',
  'footprint --fallback':
    'The boundary decides: only cradle-to-gate uses industry averages, and every view separates them.',
  'footprint --what-if':
    'The summary and the line items have the emissions and the status of each supplier.',
  'footprint --where': 'Use --rows, such as --rows BlArt=KR.',
};

const keyFlag = /^--?(?:api-?key|key|token|with-(?:api-?)?key|secret|password)$/i;
const keyHint =
  'Pipe the key to `carbon login --with-token`, or set CARBON_API_KEY. No option accepts it, because other users can see options in the process list.';

/**
 * Describes an unknown flag, or a flag that takes no value. Never shows the value in `--token=...`
 * or `-k...`, which may be the key.
 * @param word the word that commander reports
 * @param program the program, with the commands that the command line names
 * @param fallback the hint if there is no better one
 */
async function readUnknownFlag(
  word: string,
  argv: readonly string[],
  program: Command,
  fallback: string,
): Promise<UsageError> {
  const commands = namedCommands(program);
  const options = [program, ...commands].flatMap((command) => [...command.options]);
  const find = (flag: string) => options.find(({ short, long }) => flag === short || flag === long);
  const isLong = word.startsWith('--');
  const [name = ''] = word.split('=');
  const match = isLong ? find(name) : ofShortWithValue(word, argv, find);
  if (match === undefined && keyFlag.test(name))
    return new UsageError(`Unknown option '${name}'`, keyHint);
  if (match !== undefined && word.includes('=')) {
    const flag = isLong ? match.long : match.short;
    const hint = match.long === '--with-token' ? keyHint : `Use ${flag} without a value.`;
    return new UsageError(`${flag} takes no value`, hint);
  }
  const [command] = commands.filter(
    (candidate) => match !== undefined && candidate.options.includes(match),
  );
  if (command !== undefined) {
    return new UsageError(
      `${name} must follow the command`,
      `Use \`carbon ${command.name()} ${name}\`.`,
    );
  }
  const successor = successors[`${commands[0]?.name()} ${name}`] ?? successors[name];
  if (successor !== undefined) return new UsageError(`Unknown option '${name}'`, successor);
  const isBatch = commands.some((candidate) => candidate.name() === 'batch');
  const meant = isLong ? await similarFlags(name, options, isBatch) : ofOneHyphen(name, find);
  const hint = meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : fallback;
  return new UsageError(
    `Unknown option '${isLong || meant.length > 0 ? name : name.slice(0, 2)}'`,
    hint,
  );
}

type Find = (flag: string) => Option | undefined;

/* Finds the flag of `-q=1`: commander accepts -q and then rejects `-=1`. */
function ofShortWithValue(word: string, argv: readonly string[], find: Find): Option | undefined {
  const written = word.startsWith('-=')
    ? argv.find((candidate) => /^-\w=/.test(candidate))
    : undefined;
  return written === undefined ? undefined : find(written.slice(0, 2));
}

/* Finds the flag of `-json`. */
function ofOneHyphen(word: string, find: Find): string[] {
  const long = `-${word}`;
  return find(long) ? [long] : [];
}

/*
 * Returns the flag of a column with that name (`--country`), else the flags that begin with it
 * (`--retry`). For `batch`, returns the --map of that column.
 */
async function similarFlags(
  name: string,
  options: readonly Option[],
  isBatch: boolean,
): Promise<string[]> {
  const { fieldsOfHeader } = await import('../registration/fields.ts');
  const ofHeader = fieldsOfHeader(name);
  const known = new Set(options.map(({ long }) => long));
  const ofField = ofHeader.map(flagOf).filter((flag) => known.has(flag));
  if (ofField.length > 0) return ofField;
  if (isBatch && ofHeader.length > 0) return ofHeader.map((field) => `--map ${field}=<column>`);
  return [...known].flatMap((flag) => (flag?.startsWith(`${name}-`) ? [flag] : []));
}
