import { type Command, Option } from 'commander';
import { UsageError } from '../runtime/carbon-error.ts';
import type { GlobalFlags } from './output-format.ts';

/** The heading of the options that every command accepts. */
export const globalGroup = 'Global options:';

/* Every command accepts every global flag; its help omits those that change nothing. */
const csvFlags = ['--csv', '--excel', '--locale', '--delimiter'];
const inapplicable: Readonly<Record<string, readonly string[]>> = {
  api: ['--json', ...csvFlags, '--ids'],
  sandbox: [...csvFlags, '--profile', '--base-url', '--sandbox', '--no-progress'],
  login: [...csvFlags, '--ids', '--sandbox', '--no-progress'],
  logout: [...csvFlags, '--ids', '--base-url', '--sandbox', '--no-progress'],
  report: ['--ids', '--profile', '--base-url', '--sandbox'],
  footprint: ['--ids'],
  diff: ['--profile', '--base-url', '--sandbox'],
  list: ['--profile', '--base-url', '--sandbox'],
  whoami: [...csvFlags, '--ids', '--no-progress'],
  mcp: ['--json', ...csvFlags, '--ids', '--no-color', '--no-progress'],
};

/* These commands print a constant text; each has the global flags that change it. */
const constantCommands: Readonly<Record<string, readonly string[]>> = {
  completion: [],
  help: ['--json'],
  schema: ['--json'],
};

function isInapplicable(command: string, flag = ''): boolean {
  const accepted = constantCommands[command];
  if (accepted !== undefined) return !accepted.includes(flag);
  return (inapplicable[command] ?? []).includes(flag);
}

/** Adds the flags that every command accepts, before or after the command. */
export function addGlobals(command: Command): void {
  const add = (flags: string, description: string) => {
    const option = new Option(flags, description).helpGroup(globalGroup);
    command.addOption(option.hideHelp(isInapplicable(command.name(), option.long)));
  };
  add('--json', 'print JSON, one document per line');
  add('--csv', 'print CSV (RFC 4180) with fixed columns');
  add('--excel', 'with --csv: write a byte order mark, by which Excel recognizes UTF-8');
  add('--locale <tag>', 'with --csv: decimal sign and delimiter of a locale, such as de');
  add('--delimiter <name>', 'with --csv: comma, semicolon, tab or pipe');
  add('-q, --ids', 'print only ids, one per line (alias: --quiet)');
  command.addOption(new Option('--quiet', 'alias of --ids').hideHelp());
  add('--profile <name>', 'use this stored profile (default: default)');
  add('--base-url <url>', 'use the service at this base URL, such as https://api.example.com');
  add('--sandbox', 'use the embedded sandbox: no account, no network, synthetic data');
  add('--debug', 'log every request to standard error, without the API key');
  add('--no-color', 'print without color, as NO_COLOR does');
  add('--no-progress', 'hide the spinner and progress lines');
  command.helpOption('-h, --help', 'show help');
  command.addHelpOption(new Option('-h, --help', 'show help').helpGroup(globalGroup));
}

/**
 * Reads the global flags before and after the command. The later one on the command line wins.
 * @throws UsageError when a flag has an empty value, as from an unset shell variable
 */
export function readGlobals(command: Command): GlobalFlags {
  const chain = command.parent ? [command.parent, command] : [command];
  refuseEmptyValues(chain);
  refuseOtherService(command, chain);
  const given = chain.flatMap((declared) =>
    Object.entries(declared.opts()).filter(
      ([name]) => declared.getOptionValueSource(name) === 'cli',
    ),
  );
  const { quiet, ...flags } = Object.fromEntries(given);
  return quiet ? { ...flags, ids: true } : flags;
}

function refuseEmptyValues(chain: readonly Command[]): void {
  const empty = chain
    .flatMap((declared) =>
      declared.options.filter((option) => declared.getOptionValue(option.attributeName()) === ''),
    )
    .map(({ long }) => long);
  if (empty.length === 0) return;
  throw new UsageError(
    `${empty.join(' and ')} ${empty.length === 1 ? 'is' : 'are'} empty`,
    'Give the option a value, or remove it.',
  );
}

/*
 * A flag that names a service matters: `logout --sandbox` must not remove the key of another
 * service.
 */
function refuseOtherService(command: Command, chain: readonly Command[]): void {
  const flags = (inapplicable[command.name()] ?? []).filter((flag) =>
    ['--profile', '--base-url', '--sandbox'].includes(flag),
  );
  const given = flags.find((flag) =>
    chain.some((declared) =>
      declared.options.some(
        (option) =>
          option.long === flag && declared.getOptionValueSource(option.attributeName()) === 'cli',
      ),
    ),
  );
  if (given === undefined || command.name() === 'login') return;
  throw new UsageError(`${given} does not apply to carbon ${command.name()}`);
}

/**
 * Returns a warning for each flag whose value is another flag, as in `--name --wait`. carbon
 * accepts such a value, because names may begin with a hyphen. `--name=--wait` gives no warning.
 */
export function findSwallowedFlags(command: Command): string[] {
  const known = new Set(command.options.flatMap(({ short, long }) => [short, long]));
  const { rawArgs: words = [] } = (command.parent ?? {}) as { rawArgs?: readonly string[] };
  return command.options.flatMap(({ required, long = '' }) => {
    const value = words[words.indexOf(long) + 1];
    if (!required || !words.includes(long) || value === undefined || !known.has(value)) return [];
    return [
      `${long} was given "${value}" as its value. If you meant that, write ${long}=${value}.`,
    ];
  });
}
