import { renderColumns } from '../../terminal/indented-list.ts';
import { exitCodes } from '../exit-code-table.ts';

/** One environment variable that `carbon` reads. */
interface Variable {
  readonly name: string;
  readonly meaning: string;
}

/**
 * Every environment variable that `carbon` reads: the source of the help topic and of the README's
 * table.
 */
export const variables: readonly Variable[] = [
  { name: 'CARBON_API_KEY', meaning: 'API key; used instead of a stored one' },
  { name: 'CARBON_BASE_URL', meaning: 'address of the service, such as https://api.example.com' },
  { name: 'CARBON_PROFILE', meaning: 'the stored profile to use' },
  {
    name: 'CARBON_CURRENCY',
    meaning: 'ISO 4217 currency of the figures that get and watch ask for',
  },
  { name: 'CARBON_HTTP_TIMEOUT', meaning: 'longest time for one try of a request (30s)' },
  { name: 'CARBON_CONFIG_DIR', meaning: 'folder of the stored profiles' },
  { name: 'CARBON_DATA_DIR', meaning: 'folder of what is registered in the sandbox' },
  { name: 'CARBON_DEBUG', meaning: 'any value: as --debug' },
  {
    name: 'HTTPS_PROXY, HTTP_PROXY',
    meaning: 'proxy for https addresses, HTTPS_PROXY first; loopback needs none',
  },
  { name: 'NO_PROXY', meaning: 'hosts, suffixes and ports that are reached without a proxy' },
  { name: 'NODE_EXTRA_CA_CERTS', meaning: 'file of further certificate authorities (PEM)' },
  { name: 'NO_COLOR', meaning: 'any value: no colours' },
  {
    name: 'FORCE_COLOR',
    meaning: '0 to 3: so many colours, in a pipe too, but never in JSON, CSV or columns',
  },
];

/** What `carbon help` tells about what is no command. */
export const topics: Readonly<Record<string, () => string>> = {
  environment: () =>
    [
      'Environment variables, by which everything can be set without a file:',
      '',
      ...renderColumns(variables.map(({ name, meaning }) => [name, meaning])),
      '',
      'A flag goes before a variable, a variable before the stored profile. An empty',
      'variable counts as unset. `carbon whoami` shows what is in force and where it',
      'comes from.',
    ].join('\n'),
  'exit-codes': () =>
    [
      'Exit codes. 1 to 6 are failures, told on standard error; others are outcomes:',
      '',
      ...renderColumns(exitCodes.map(({ code, name, meaning }) => [String(code), name, meaning])),
      '',
      'Several ids: one kind of failure gives its own code, mixed kinds give 9, and so',
      'does a bad line among good ones.',
    ].join('\n'),
};

/** Names of the help topics that are no command. */
export const helpTopics: readonly string[] = Object.keys(topics);
