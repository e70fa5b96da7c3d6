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

/* Hints for removed options, by option, or by command and option. */
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
  const help = `Run \`${`carbon help ${command}`.trim()}\` for its options.`;
  if (error instanceof OptionError)
    return code === 'commander.unknownOption'
      ? readUnknownOption(error.option, program, help)
      : new UsageError(`${error.option} needs a value`, help);
  if (code === 'commander.unknownCommand') {
    // The text after `=`, as in `CARBON_API_KEY=...`, may be the key.
    const [word = ''] = (program.args[0] ?? '').split('=');
    return new UsageError(`Unknown command '${word}'`, hintAtCommand(word, program) ?? help);
  }
  const { missing, excess } = declarationsOf(program).find(({ name }) => name === command) ?? {};
  if (code === 'commander.missingArgument' && missing !== undefined)
    return new UsageError(`carbon ${command} needs ${missing[0]}`, missing[1]);
  if (code === 'commander.excessArguments' && parsed !== undefined)
    return new UsageError(
      `carbon ${command} takes ${plural(parsed.registeredArguments.length, 'argument')}, but got ${parsed.args.length}`,
      excess ?? help,
    );
  return new UsageError(error.message, help);
}

function hintAtCommand(word: string, program: Command): string | undefined {
  if (word === 'version') return 'Did you mean carbon --version?';
  if (Object.hasOwn(removedCommands, word)) return removedCommands[word];
  const declarations = declarationsOf(program);
  const meant = declarations.find(({ synonyms }) => synonyms?.includes(word.toLowerCase()));
  const names = declarations.map(({ name }) => name);
  const near = meant?.name ?? nearestNames(word, names)[0];
  return near === undefined ? undefined : `Did you mean carbon ${near}?`;
}

/* The arguments begin after the global options, whose values may be the names of commands. */
function namedCommands(program: Command): Command[] {
  return program.args.flatMap(
    (word) => program.commands.find((known) => known.name() === word) ?? [],
  );
}

const keyOption = /^--?(?:(?:with-)?(?:(?:api-?)?key|token)|secret|password)$/i;
const keyHint =
  'Pipe the key to `carbon login --with-key`, or set CARBON_API_KEY. No option accepts it, because other users can see options in the process list.';

/*
 * Describes an unknown option, or one that takes no value. Never shows the value in `--token=...`
 * or `-k...`, which may be the key.
 */
async function readUnknownOption(
  word: string,
  program: Command,
  help: string,
): Promise<UsageError> {
  const commands = namedCommands(program);
  const options = [program, ...commands].flatMap((command) => command.options);
  const [name = ''] = word.split('=');
  const match = options.find(({ short, long }) => name === short || name === long);
  const isKey = keyOption.test(name);
  if (match !== undefined && word.includes('='))
    return new UsageError(`${name} takes no value`, isKey ? keyHint : help);
  const command = commands.find(({ options: own }) => match !== undefined && own.includes(match));
  if (command !== undefined)
    return new UsageError(`${name} must follow the command ${command.name()}`, help);
  const removed = [...commands.map((each) => `${each.name()} ${name}`), name].find((key) =>
    Object.hasOwn(successors, key),
  );
  const isKept = name === '--journal' || name === '--store';
  const hint = isKey
    ? keyHint
    : isKept
      ? await keepHint(program)
      : removed === undefined
        ? await hintAtOption(name, options, commands)
        : successors[removed];
  const shown = name.startsWith('--') || hint !== undefined ? name : name.slice(0, 2);
  return new UsageError(`Unknown option '${shown}'`, hint ?? help);
}

/*
 * Returns what replaces the options `--journal` and `--store` of 0.2.0, and the commands that give
 * the files they chose the names that carbon looks for.
 */
async function keepHint({ args }: Command): Promise<string> {
  const given = (option: string) =>
    args.find((word) => word.startsWith(`${option}=`))?.slice(option.length + 1) ??
    (args.includes(option) ? args[args.indexOf(option) + 1] : undefined);
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
 * Proposes the option of a column with that name (`--country`), for `batch` the --map of that
 * column, otherwise the options that begin with the name (`--retry`) or are written almost like it.
 */
async function hintAtOption(
  name: string,
  options: readonly Option[],
  commands: readonly Command[],
): Promise<string | undefined> {
  const known = [...new Set(options.flatMap(({ long }) => long ?? []))];
  const long = name.startsWith('--') ? name : `-${name}`;
  const { fieldsOfHeader } = await import('../registration/fields.ts');
  const fields = fieldsOfHeader(long);
  const flags = fields.map(flagOf).filter((flag) => known.includes(flag.split(' ', 1)[0] ?? ''));
  const isBatch = commands.some((command) => command.name() === 'batch');
  const maps = isBatch ? fields.map((field) => `--map ${field}=<column>`) : [];
  const longer = known.filter((flag) => flag.startsWith(`${long}-`));
  const similar = [flags, maps, longer, nearestNames(long, known)];
  const meant = similar.find(({ length }) => length > 0);
  return meant && `Did you mean ${meant.join(' or ')}?`;
}
