import type { Command } from 'commander';
import { UsageError } from '../runtime/carbon-error.ts';
import type { CommandDeclaration, Format, OptionSpec } from './declaration.ts';
import { nameOf, ownOptions, serviceOptions } from './declaration.ts';

export const globalOptions: readonly OptionSpec[] = [
  { flags: '--json', description: 'print JSON, one document per line' },
  { flags: '--csv', description: 'print CSV (RFC 4180) with fixed columns' },
  { flags: '-q, --ids', description: 'print only IDs, one per line' },
  { flags: '--profile <name>', description: 'use this stored profile (default: default)' },
  {
    flags: '--base-url <url>',
    description: 'use the service at this base URL (https://...)',
  },
  {
    flags: '--sandbox',
    description: 'use the embedded sandbox: no account, synthetic data',
  },
  { flags: '--overwrite', description: 'replace the file of -o if it exists' },
  {
    flags: '--debug',
    description: 'log every request to standard error, without the API key',
  },
  { flags: '--no-color', description: 'print without color, as NO_COLOR does' },
  { flags: '--no-progress', description: 'print only problems (for cron and CI)' },
];

export interface GlobalFlags {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly ids?: boolean;
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly sandbox?: boolean;
  /** The variable that selects the sandbox, unless the option does. */
  readonly sandboxFrom?: 'CARBON_SANDBOX';
  readonly overwrite?: boolean;
  readonly debug?: boolean;
  readonly color?: boolean;
  readonly progress?: boolean;
}

export function serviceWords({ sandbox, profile, baseUrl }: GlobalFlags): string[] {
  return [
    ...(sandbox ? ['--sandbox'] : []),
    ...(profile ? ['--profile', profile] : []),
    ...(baseUrl ? ['--base-url', baseUrl] : []),
  ];
}

export function readFormat(flags: GlobalFlags): Format {
  const formats = (['json', 'csv', 'ids'] as const).filter((format) => flags[format]);
  if (formats.length > 1) throw new UsageError('Use only one of --json, --csv and --ids');
  return formats[0] ?? 'human';
}

/**
 * Returns the global options that change what a command does. A command accepts the others as well,
 * so that an alias or a script can set them for all commands, unless they select another service.
 */
export function applicableGlobals(declaration: CommandDeclaration): OptionSpec[] {
  const { formats, service = [] } = declaration;
  const writes = ownOptions(declaration).some((option) => nameOf(option) === '--out');
  const depending = new Set([
    ...['--json', '--csv', '--ids', '--debug', '--overwrite'],
    ...serviceOptions,
  ]);
  const given: readonly string[] = [
    ...formats.map((format) => `--${format}`),
    ...service,
    ...(service.includes('--profile') ? ['--debug'] : []),
    ...(writes ? ['--overwrite'] : []),
  ];
  return globalOptions.filter((option) => {
    const name = nameOf(option);
    return given.includes(name) || !depending.has(name);
  });
}

/**
 * Reads the global options before and after the command. The later one on the command line wins.
 * @throws UsageError if an option has an empty value, as from an unset shell variable
 */
export function readGlobals(
  command: Command,
  declaration: CommandDeclaration,
  env: NodeJS.ProcessEnv,
): GlobalFlags {
  const chain = command.parent ? [command.parent, command] : [command];
  refuseEmptyValues(chain);
  const given: GlobalFlags = Object.fromEntries(
    chain.flatMap((declared) =>
      Object.entries(declared.opts()).filter(
        ([name]) => declared.getOptionValueSource(name) === 'cli',
      ),
    ),
  );
  refuseOtherService(declaration, given);
  const isOpen = given.profile === undefined && given.baseUrl === undefined;
  const isSandboxed = declaration.service?.includes('--sandbox') && isOpen && selectsSandbox(env);
  if (given.sandbox || !isSandboxed) return given;
  return { ...given, sandbox: true, sandboxFrom: 'CARBON_SANDBOX' };
}

export function selectsSandbox({ CARBON_SANDBOX: value = '' }: NodeJS.ProcessEnv): boolean {
  if (value === '1' || value === 'true') return true;
  if (value === '' || value === '0' || value === 'false') return false;
  throw new UsageError(`CARBON_SANDBOX: "${value}" is not 1 or 0`);
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
 * An option that selects a service matters: `logout --sandbox` must not remove the key of another
 * service.
 */
function refuseOtherService({ name, service = [] }: CommandDeclaration, given: GlobalFlags): void {
  const flags = {
    '--profile': given.profile,
    '--base-url': given.baseUrl,
    '--sandbox': given.sandbox,
  };
  const refused = serviceOptions.find((option) => !service.includes(option) && flags[option]);
  if (refused === undefined) return;
  throw new UsageError(`${refused} does not apply to carbon ${name}`);
}
