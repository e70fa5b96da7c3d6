import { renderColumns } from '../../terminal/columns.ts';
import { wrap } from '../../terminal/text.ts';
import { signalExits } from '../errors.ts';
import { globalOptions } from '../global-options.ts';
import { organizationTable } from '../output/record-tables.ts';
import { renderGroups } from './render.ts';

/** One environment variable that `carbon` reads. */
interface Variable {
  readonly name: string;
  readonly meaning: string;
}

/**
 * Every environment variable that `carbon` reads: the source of the help topic and of the
 * reference.
 */
export const variables: readonly Variable[] = [
  { name: 'CARBON_API_KEY', meaning: 'API key; overrides the stored one' },
  { name: 'CARBON_API_KEY_FILE', meaning: 'file that contains only the API key, such as a secret' },
  {
    name: 'CARBON_API_KEY_COMMAND',
    meaning: 'command that prints the API key, run without a shell',
  },
  { name: 'CARBON_BASE_URL', meaning: 'base URL of the service, such as https://api.example.com' },
  { name: 'CARBON_PROFILE', meaning: 'stored profile to use (default: default)' },
  { name: 'CARBON_SANDBOX', meaning: '1 selects the sandbox for every command of a shell session' },
  {
    name: 'CARBON_CURRENCY',
    meaning: 'ISO 4217 currency of revenue and emission factors, without --currency',
  },
  {
    name: 'CARBON_HTTP_TIMEOUT',
    meaning: 'maximum duration of one request attempt (default: 30s)',
  },
  { name: 'CARBON_CONFIG_DIR', meaning: 'directory of the stored profiles' },
  {
    name: 'CARBON_DATA_DIR',
    meaning: 'directory of the sandbox log, which stores its registrations',
  },
  {
    name: 'CARBON_PACE',
    meaning: 'URL of the Redis server that shares the rate limit; may contain a password',
  },
  { name: 'CARBON_DEBUG', meaning: 'any value enables --debug' },
  {
    name: 'HTTPS_PROXY, HTTP_PROXY',
    meaning: 'proxy for https addresses, except loopback; HTTPS_PROXY takes precedence',
  },
  { name: 'NO_PROXY', meaning: 'hosts, suffixes and ports to reach without a proxy' },
  { name: 'NODE_EXTRA_CA_CERTS', meaning: 'file of additional certificate authorities (PEM)' },
  { name: 'NO_COLOR', meaning: 'any value disables color' },
  {
    name: 'FORCE_COLOR',
    meaning: 'color level 0 to 3, even in a pipe, but never in JSON, CSV or tab-separated columns',
  },
];

const furtherColumns = organizationTable.columns
  .filter((column) => !organizationTable.written.includes(column))
  .map(({ name }) => name);

/** Help topics that are not commands. */
export const topics: Readonly<Record<string, () => string>> = {
  columns: () =>
    [
      'Columns of carbon list. --csv prints these (docs/reference/csv-columns.md):',
      ...wrap(organizationTable.written.map(({ name }) => name).join(', '), 78).map(
        (line) => `  ${line}`,
      ),
      'Also available:',
      ...wrap(furtherColumns.join(', '), 78).map((line) => `  ${line}`),
      'Short names:',
      ...wrap(
        Object.entries(organizationTable.aliases)
          .map(([alias, column]) => `${alias} (${column})`)
          .join(', '),
        78,
      ).map((line) => `  ${line}`),
    ].join('\n'),
  environment: () =>
    [
      'Environment variables that carbon reads:',
      '',
      ...renderColumns(variables.map(({ name, meaning }) => [name, meaning])),
      '',
      'Options override environment variables, which override the stored profile.',
      'carbon ignores an empty variable. Set at most one of the three variables of',
      'the API key. `carbon whoami` shows the current settings and where each one',
      'comes from.',
    ].join('\n'),
  'exit-codes': () =>
    [
      'Exit codes. 1 to 6 are failures and print an error; 0 and 7 to 10 are outcomes:',
      '',
      ...renderColumns(exitCodes.map(({ code, name, meaning }) => [String(code), name, meaning])),
      '',
      'If several IDs fail with the same exit code, carbon exits with that code. If',
      'they fail with different codes, or if only some lines of the input are invalid,',
      'it exits with 9.',
    ].join('\n'),
  options: () =>
    [
      'Global options may come before or after the command:',
      '',
      ...renderGroups([{ heading: 'Global options', options: globalOptions }])
        .flat()
        .slice(1),
    ].join('\n'),
};

/** Names of the help topics that are not commands. */
export const helpTopics: readonly string[] = Object.keys(topics);

/** Row of the exit-code table. */
export interface ExitCode {
  readonly code: number;
  readonly name: string;
  readonly meaning: string;
}

/**
 * Every exit code of `carbon`: the source of `carbon help exit-codes` and of the reference.
 */
export const exitCodes = [
  { code: 0, name: 'success', meaning: 'the command did everything that you asked for' },
  { code: 1, name: 'failure', meaning: 'a local failure (such as a file or the disk) or a bug' },
  {
    code: 2,
    name: 'usage error',
    meaning: 'the command line or the input is invalid; nothing was sent',
  },
  { code: 3, name: 'refused', meaning: 'the service rejected the data (400, 422)' },
  {
    code: 4,
    name: 'unauthorized',
    meaning:
      'there is no API key, the service rejected it (401, 403), or payment is required (402)',
  },
  {
    code: 5,
    name: 'not found',
    meaning: 'the organization, or the path of carbon api, does not exist (404)',
  },
  {
    code: 6,
    name: 'unavailable',
    meaning:
      'rate limit, failing service, unreadable response, network failure or timeout, after retries',
  },
  { code: 7, name: 'errored', meaning: 'research failed (status errored)' },
  {
    code: 8,
    name: 'pending',
    meaning: 'research is in progress, sync reached a limit, or --status found remaining rows',
  },
  {
    code: 9,
    name: 'partial failure',
    meaning: 'some items failed, or all of them with different codes',
  },
  {
    code: 10,
    name: 'findings',
    meaning: 'diff found differences, or check found errors or warnings',
  },
  {
    code: signalExits.SIGHUP,
    name: 'SIGHUP',
    meaning: 'terminated by SIGHUP (128 + 1)',
  },
  { code: signalExits.SIGINT, name: 'SIGINT', meaning: 'terminated by Ctrl-C (128 + 2)' },
  {
    code: signalExits.SIGTERM,
    name: 'SIGTERM',
    meaning: 'terminated by SIGTERM (128 + 15)',
  },
] as const satisfies readonly ExitCode[];
