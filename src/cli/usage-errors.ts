/* Translates the errors of commander. Loaded only for a wrong command line. */
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Command, CommanderError, Option } from 'commander';
import { UsageError } from '../runtime/carbon-error.ts';
import { nearestNames } from '../runtime/nearest.ts';
import { plural } from '../terminal/format.ts';
import { quoteWords } from '../terminal/sanitize.ts';
import { flagOf } from './commands/register.ts';
import { declarationsOf } from './options.ts';
import { OptionError } from './program.ts';

/* Hints for options that were removed, by option, or by command and option. */
const successors: Readonly<Record<string, string>> = {
  'check --accept': 'Write the findings to a file and filter them: -o findings.xlsx.',
  'check --previous': 'carbon check compares the matches of a synced list with its history.',
  'footprint --exclude-outliers': 'carbon check names the records that cannot be right.',
  'footprint --factor-unit': 'carbon converts no units. Ask the service for those of its records.',
  'footprint --metrics-file': 'Use --json: its last line is the summary.',
  '--include-totals': 'A row such as Total is left out. If it is a company, write its full name.',
  'list --sources':
    "Use carbon list <file> --json | jq -r '.sources[]? | .url', or the sheet Sources of -o file.xlsx.",
  '--no-header': 'Add a header line to the file, such as name,country.',
  'report --title': 'Edit the heading in the page.',
  'sandbox --burst': 'Use --rate <n>: the burst is as large as the rate.',
  'sandbox --rate-limit-headers': 'Use --rate <n>: a 429 response has Retry-After.',
  '--shard': 'Divide the list into several files, and give each task one of them.',
  'sync --interval': 'The interval grows from 10 to 60 seconds by itself.',
  'sync --max-requests': 'Use --max-new to limit registrations.',
  'watch --metrics-file': 'Use --json: its last line is the summary.',
  'watch --rate': 'carbon finds the rate by itself.',
};

const removedCommands: Readonly<Record<string, string>> = {
  api: 'Use `carbon get`, or `carbon register --field name=value`.',
  schema: 'The JSON Schemas are in docs/reference/ of the package.',
  skill: 'The skill is docs/reference/SKILL.md of the package.',
};

export async function readUsageError(error: CommanderError, program: Command): Promise<UsageError> {
  const { code } = error;
  if (code === 'commander.help')
    return new UsageError('Missing command', 'Run `carbon --help` for the list of commands.');
  const [parsed] = namedCommands(program);
  const command = parsed?.name() ?? '';
  const helpHint =
    command === '' || command === 'help'
      ? 'Run `carbon --help` for the commands and the global options.'
      : `Run \`carbon help ${command}\` for its options.`;
  if (error instanceof OptionError) {
    return code === 'commander.unknownOption'
      ? readUnknownFlag(error.option, program, helpHint)
      : new UsageError(`${error.option} needs a value`, helpHint);
  }
  if (code === 'commander.unknownCommand') {
    // The text after `=`, as in `CARBON_API_KEY=...`, may be the key.
    const [word = ''] = (program.args[0] ?? '').split('=');
    const hint = hintAtCommand(word, program) ?? helpHint;
    return new UsageError(`Unknown command '${word}'`, hint);
  }
  const { missing, excess } = declarationsOf(program).find(({ name }) => name === command) ?? {};
  if (code === 'commander.missingArgument' && missing !== undefined)
    return new UsageError(`carbon ${command} needs ${missing[0]}`, missing[1]);
  if (code === 'commander.excessArguments' && parsed !== undefined)
    return new UsageError(
      `carbon ${command} takes ${plural(parsed.registeredArguments.length, 'argument')}, but got ${parsed.args.length}`,
      excess ?? helpHint,
    );
  return new UsageError(error.message, helpHint);
}

function hintAtCommand(word: string, program: Command): string | undefined {
  if (word === 'version') return 'Did you mean carbon --version?';
  if (Object.hasOwn(removedCommands, word)) return removedCommands[word];
  const declarations = declarationsOf(program);
  const meant = declarations.find(({ synonyms }) => synonyms?.includes(word.toLowerCase()));
  const names = declarations.map(({ name }) => name);
  const [near] = meant ? [meant.name] : nearestNames(word, names);
  return near === undefined ? undefined : `Did you mean carbon ${near}?`;
}

/* The arguments begin after the global options, whose values may be the names of commands. */
function namedCommands(program: Command): Command[] {
  return program.args.flatMap(
    (word) => program.commands.find((known) => known.name() === word) ?? [],
  );
}

const keyFlag = /^--?(?:(?:with-)?(?:(?:api-?)?key|token)|secret|password)$/i;
const keyHint =
  'Pipe the key to `carbon login --with-key`, or set CARBON_API_KEY. No option accepts it, because other users can see options in the process list.';

/*
 * Describes an unknown flag, or a flag that takes no value. Never shows the value in `--token=...`
 * or `-k...`, which may be the key.
 */
async function readUnknownFlag(
  word: string,
  program: Command,
  fallback: string,
): Promise<UsageError> {
  const commands = namedCommands(program);
  const options = [program, ...commands].flatMap((command) => [...command.options]);
  const find = (flag: string) => options.find(({ short, long }) => flag === short || flag === long);
  const isLong = word.startsWith('--');
  const [name = ''] = word.split('=');
  const match = find(name);
  const unknown = (shown: string, hint: string) =>
    new UsageError(`Unknown option '${shown}'`, hint);
  if (match === undefined && keyFlag.test(name)) return unknown(name, keyHint);
  if (match !== undefined && word.includes('=')) {
    const hint = name === '--with-key' ? keyHint : `Use ${name} without a value.`;
    return new UsageError(`${name} takes no value`, hint);
  }
  const command = commands.find(({ options: own }) => match !== undefined && own.includes(match));
  if (command !== undefined)
    return new UsageError(
      `${name} must follow the command`,
      `Use \`carbon ${command.name()} ${name}\`.`,
    );
  if (name === '--journal' || name === '--store') return unknown(name, await keepHint(program));
  const [ofCommand] = commands.flatMap((each) => successors[`${each.name()} ${name}`] ?? []);
  const successor = ofCommand ?? successors[name];
  if (successor !== undefined) return unknown(name, successor);
  const isBatch = commands.some((candidate) => candidate.name() === 'batch');
  const meant = isLong
    ? await similarFlags(name, options, isBatch)
    : [`-${name}`].filter((flag) => find(flag));
  return unknown(
    isLong || meant.length > 0 ? name : name.slice(0, 2),
    meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : fallback,
  );
}

/*
 * Returns what replaces the options `--journal` and `--store` of 0.2.0, and the commands that give
 * the files they chose the names that carbon looks for.
 */
async function keepHint({ args }: Command): Promise<string> {
  const given = (flag: string) =>
    args.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1) ??
    (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
  const [journal, store] = [given('--journal'), given('--store')];
  const directory = store ?? (journal === undefined ? undefined : dirname(journal));
  const list = args.find(
    (word) => word === '-' || (existsSync(word) && word !== journal && word !== store),
  );
  if (directory === undefined || list === undefined) return 'Use --keep <dir>.';
  const { findStores, journalOf, stdinList, storePaths } = await import('../list/kept-files.ts');
  const isStdin = list === '-';
  const [name, keeping] = [isStdin ? stdinList : list, { keep: directory }];
  const oldName = isStdin ? basename(journal ?? '').replace(/\.carbon\.jsonl$/, '') : list;
  const stores = store === undefined || isStdin ? findStores(oldName, { keep: store }) : [];
  const kept = storePaths(name, keeping);
  const moves = [
    [journal ?? journalOf(list, {}), journalOf(name, keeping)],
    ...stores.flatMap(({ records, history }) => [
      [records, kept.records],
      [history, kept.history],
    ]),
  ].filter(([from = '', to = '']) => existsSync(from) && resolve(from) !== resolve(to));
  const commands = moves.map((paths) => `mv ${quoteWords(paths)}`).join(' && ');
  const move = commands && ` To continue with the files that you have: ${commands}`;
  return `Use \`--keep ${quoteWords([directory])}\`.${move}`;
}

/*
 * Returns the flag of a column with that name (`--country`), otherwise the flags that begin with it
 * (`--retry`) or that are written almost like it. For `batch`, returns the --map of that column.
 */
async function similarFlags(
  name: string,
  options: readonly Option[],
  isBatch: boolean,
): Promise<string[]> {
  const { fieldsOfHeader } = await import('../registration/fields.ts');
  const ofHeader = fieldsOfHeader(name);
  const known = [...new Set(options.flatMap(({ long }) => long ?? []))];
  const ofField = ofHeader
    .map(flagOf)
    .filter((flag) => known.includes(flag.split(' ', 1)[0] ?? ''));
  if (ofField.length > 0) return ofField;
  if (isBatch && ofHeader.length > 0) return ofHeader.map((field) => `--map ${field}=<column>`);
  const longer = known.filter((flag) => flag.startsWith(`${name}-`));
  return longer.length > 0 ? longer : nearestNames(name, known);
}
