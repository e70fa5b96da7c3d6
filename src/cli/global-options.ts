import { type Command, Option } from 'commander';
import { UsageError } from '../runtime/carbon-error.ts';
import type { GlobalFlags } from './session.ts';

const group = 'Global options:';

/* Every command takes every global flag; its help leaves out those that change nothing. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['--csv', '--profile', '--base-url', '--sandbox', '--no-progress'],
  login: ['--csv', '--ids', '--sandbox', '--no-progress'],
  logout: ['--csv', '--ids', '--base-url', '--sandbox', '--no-progress'],
  report: ['--ids', '--profile', '--base-url', '--sandbox'],
  diff: ['--profile', '--base-url', '--sandbox'],
  whoami: ['--csv', '--ids', '--no-progress'],
};

/* They print a text that is always the same. */
const ofText = ['completion', 'help'];

function isMeaningless(command: string, flag: string | undefined): boolean {
  return ofText.includes(command) || (meaningless[command] ?? []).includes(flag ?? '');
}

/** Adds the flags that every command takes, before or after the command. */
export function addGlobals(command: Command): void {
  const add = (flags: string, description: string) => {
    const option = new Option(flags, description).helpGroup(group);
    command.addOption(option.hideHelp(isMeaningless(command.name(), option.long)));
  };
  add('--json', 'print JSON, one document per organization');
  add('--csv', 'print CSV (RFC 4180) with fixed columns');
  add('-q, --ids', 'print only ids, one per line (alias: --quiet)');
  command.addOption(new Option('--quiet', 'alias of --ids').hideHelp());
  add('--profile <name>', 'use this stored profile');
  add('--base-url <url>', 'address of the service');
  add('--sandbox', 'use the embedded sandbox: no account, no network, synthetic figures');
  add('--debug', 'log every request on standard error, without the key');
  add('--no-color', 'no colours (NO_COLOR does the same)');
  add('--no-progress', 'no spinner and no lines about progress');
  command.helpOption('-h, --help', 'show help');
  command.addHelpOption(new Option('-h, --help', 'show help').helpGroup(group));
}

/**
 * The global flags of a run: given before or after the command, the later one on the command line
 * wins.
 * @throws UsageError when any flag of the run has an empty value, as an unset variable of a shell
 * makes it
 */
export function readGlobals(command: Command): GlobalFlags {
  const chain = command.parent ? [command.parent, command] : [command];
  refuseEmptyValues(chain);
  refuseOtherService(command, chain);
  const given = chain.flatMap((one) =>
    Object.entries(one.opts()).filter(([name]) => one.getOptionValueSource(name) === 'cli'),
  );
  const { quiet, ...flags } = Object.fromEntries(given);
  return quiet ? { ...flags, ids: true } : flags;
}

function refuseEmptyValues(chain: readonly Command[]): void {
  const empty = chain
    .flatMap((one) =>
      one.options.filter((option) => one.getOptionValue(option.attributeName()) === ''),
    )
    .map(({ long }) => long);
  if (empty.length === 0) return;
  throw new UsageError(
    `${empty.join(' and ')} ${empty.length === 1 ? 'is' : 'are'} empty`,
    'Give it a value, or leave the flag out.',
  );
}

/*
 * Who names a service means something by it: `logout --sandbox` must not forget the key of another.
 */
function refuseOtherService(command: Command, chain: readonly Command[]): void {
  const flags = (meaningless[command.name()] ?? []).filter((flag) =>
    ['--profile', '--base-url', '--sandbox'].includes(flag),
  );
  const given = flags.find((flag) =>
    chain.some((one) =>
      one.options.some(
        (option) =>
          option.long === flag && one.getOptionValueSource(option.attributeName()) === 'cli',
      ),
    ),
  );
  if (given === undefined || command.name() === 'login') return;
  throw new UsageError(`${given} has no meaning for carbon ${command.name()}`);
}

/**
 * Says which flags were given another flag as their value, as in `--name --wait`: it is taken,
 * because names may begin with a hyphen, but hardly meant. With `=` it is.
 */
export function findSwallowedFlags(command: Command): string[] {
  const known = new Set(command.options.flatMap(({ short, long }) => [short, long]));
  const { rawArgs: words = [] } = (command.parent ?? {}) as { rawArgs?: readonly string[] };
  return command.options.flatMap(({ required, long = '' }) => {
    const value = words[words.indexOf(long) + 1];
    if (!required || !words.includes(long) || value === undefined || !known.has(value)) return [];
    return [
      `${long} took ${value} for its value. If it is meant so, write ${long}=${value}; else give ${long} a value.`,
    ];
  });
}
