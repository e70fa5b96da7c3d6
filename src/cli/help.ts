import packageJson from '../../package.json' with { type: 'json' };
import { renderColumns } from '../display/terminal/columns.ts';
import { wrap } from '../display/terminal/text.ts';
import { organizationTable } from '../portfolio/organizations/tables.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import { nearestNames } from '../runtime/nearest.ts';
import { signalExits } from './errors.ts';
import {
  type CommandDeclaration,
  commandGroups,
  declarationsOf,
  globalOptions,
  type OptionGroups,
  type OptionSpec,
} from './options.ts';

const columns = 80;

/** What carbon is, in one sentence without a full stop. */
export const programSummary =
  'Climate data for every company on your list: emissions, scores and targets, as Excel, CSV, JSON or a report';

export function usageOf({ name, usage, arguments: operands = [], options }: CommandDeclaration) {
  const words = [...operands.map(({ term }) => term), ...(options ? ['[options]'] : [])];
  return `carbon ${name} ${usage ?? words.join(' ')}`.trim();
}

export function describeOption({ description, default: value, shownDefault }: OptionSpec): string {
  const shown = shownDefault ?? value;
  return shown === undefined ? description : `${description} (default: ${shown})`;
}

export function renderCommandHelp(declaration: CommandDeclaration): string {
  const { summary, arguments: operands = [], options = {}, notes, examples } = declaration;
  const described = operands.filter(({ description }) => description !== '');
  const terms = described.map(({ term, description }) => [term, description]);
  return join([
    [`Usage: ${usageOf(declaration)}`],
    wrap(`${summary}.`, columns),
    heading('Examples', examples.map(indent)),
    heading('Arguments', renderColumns(terms)),
    ...renderGroups(options),
    notes === undefined ? [] : [notes.trim()],
    ['Global options: carbon help options'],
  ]);
}

export function renderProgramHelp(declarations: readonly CommandDeclaration[]): string {
  const width = Math.max(...declarations.map(({ name }) => name.length));
  const groups = commandGroups.map((group) => {
    const declared = declarations.filter((declaration) => declaration.group === group);
    const rows = declared.map(({ name, summary }) => [name.padEnd(width), summary]);
    return heading(group, renderColumns(rows));
  });
  return join([
    ['Usage: carbon <command> [options]'],
    wrap(`${programSummary}.`, columns),
    heading('Examples', programExamples.map(indent)),
    ...groups,
    ...renderGroups({ 'Global options': [...globalOptions, ...helpOptions] }),
    [
      'More help: carbon help <command>',
      'Topics: carbon help columns, docs, environment, exit-codes or options',
    ],
  ]);
}

export const programExamples = [
  'carbon register --sandbox --name "Acme AG" --hq-region DE --wait',
  'carbon sync suppliers.csv --sandbox',
  'carbon login --base-url https://api.example.com',
];

/* Options that commander handles itself. */
const helpOptions: readonly OptionSpec[] = [
  { flags: '-h, --help', description: 'show the help of carbon, or of a command' },
  { flags: '-V, --version', description: 'print the version' },
];

function renderGroups(groups: OptionGroups): string[][] {
  const all = Object.values(groups).flat();
  const width = Math.max(0, ...all.map(({ flags }) => flags.length));
  return Object.entries(groups).map(([title, options]) => {
    const rows = options.map((option) => [option.flags.padEnd(width), describeOption(option)]);
    return heading(title, renderColumns(rows));
  });
}

const indent = (line: string) => `  ${line}`;

function heading(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines];
}

function join(blocks: readonly (readonly string[])[]): string {
  const shown = blocks.filter((lines) => lines.length > 0);
  return `${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/**
 * Every environment variable that `carbon` reads, with its meaning: the source of the help topic
 * and of the reference.
 */
export const variables: Readonly<Record<string, string>> = {
  CARBON_API_KEY: 'API key; overrides the stored one',
  CARBON_API_KEY_FILE: 'file that contains only the API key, such as a secret',
  CARBON_API_KEY_COMMAND: 'command that prints the API key, run without a shell',
  CARBON_BASE_URL: 'base URL of the service, such as https://api.example.com',
  CARBON_PROFILE: 'stored profile to use (default: default)',
  CARBON_CURRENCY: 'ISO 4217 currency of revenue and emission factors, without --currency',
  CARBON_HTTP_TIMEOUT: 'maximum duration of one request attempt (default: 30s)',
  CARBON_CONFIG_DIR: 'directory of the stored profiles',
  CARBON_DATA_DIR: 'directory of the sandbox log, which stores registrations',
  CARBON_DEBUG: 'any value enables --debug',
  'HTTPS_PROXY, HTTP_PROXY':
    'proxy for https addresses, except loopback; HTTPS_PROXY takes precedence',
  NO_PROXY: 'hosts, suffixes and ports to reach without a proxy',
  NODE_EXTRA_CA_CERTS: 'file of additional certificate authorities (PEM)',
  NO_COLOR: 'any value disables color',
  FORCE_COLOR:
    'color level 0 to 3, even in a pipe, but never in JSON, CSV or tab-separated columns',
};

const useful =
  'id name status country industry score industry_rank region_rank year region revenue revenue_currency emission_factor scope_1 scope_2 scope_1_and_2 scope_3 total sbti_near_term cdp check'.split(
    ' ',
  );

function describeColumn(name: string): readonly [name: string, meaning: string] {
  const { columns: all, aliases } = organizationTable;
  const found = all.find((column) => column.name === (aliases[name] ?? name));
  return [name, found?.description ?? ''];
}

/* Where the documents are; bin/carbon.cjs prints the folder in the package instead, if any. */
const documentsAddress = packageJson.homepage.replace('#readme', '/tree/main/docs');

const documents: Readonly<Record<string, string>> = {
  'guide.md': 'from a list to the suppliers to ask, in ten minutes',
  'batch.md': 'lists: columns, file formats, failed rows, resuming',
  'report.md': 'list, report, check and diff',
  'footprint.md': 'emissions of purchases, goals, changes; footprint-method.md has every rule',
  'faq.md': 'can I quote it, what unit is it in, why is it missing',
  'glossary.md': 'the words of results',
  'operations.md': 'cron, systemd, containers, Kubernetes, monitoring',
  'scripts.md': 'output in pipes, JSON, CSV and Excel',
  'keys.md': 'where to keep an API key',
  'windows.md': 'PowerShell, cmd and the Task Scheduler',
  'mcp.md': 'AI assistants',
  'developers.md': 'sandbox and Node.js library; service.md describes the service',
  'reference/': 'every command, column, JSON field, finding, error and exit code',
};

export const topics: Readonly<Record<string, () => string>> = {
  columns: () =>
    [
      'The most useful columns of carbon list:',
      '',
      ...renderColumns(useful.map(describeColumn)),
      '',
      'Short names, with the column that each stands for in parentheses:',
      '',
      ...wrap(
        Object.entries(organizationTable.aliases)
          .map(([alias, column]) => `${alias} (${column})`)
          .join(', '),
        78,
      ).map(indent),
      '',
      'All columns: the first line of --csv, or docs/reference/csv-columns.md',
      '(carbon help docs).',
    ].join('\n'),
  docs: () =>
    [
      'The documents of carbon are here:',
      '',
      `  ${documentsAddress}`,
      '',
      ...renderColumns(Object.entries(documents)),
    ].join('\n'),
  environment: () =>
    [
      'Environment variables that carbon reads:',
      '',
      ...renderColumns(Object.entries(variables)),
      '',
      'Options override environment variables, which override the stored profile.',
      'carbon ignores an empty variable. Set at most one of the three variables of',
      'the API key. `carbon whoami` shows the current settings and where each one',
      'comes from.',
    ].join('\n'),
  'exit-codes': () =>
    [
      'Exit codes 1 to 6 are failures and print an error; 0 and 7 to 10 are outcomes:',
      '',
      ...renderColumns(exitCodes),
      '',
      'If several IDs fail with one exit code, the command ends with it. If their codes',
      'differ, or if only some lines of the input are invalid, the exit code is 9.',
    ].join('\n'),
  options: () =>
    [
      'Global options may come before or after the command:',
      '',
      ...renderGroups({ 'Global options': [...globalOptions, ...helpOptions] })
        .flat()
        .slice(1),
    ].join('\n'),
};

export const helpTopics: readonly string[] = Object.keys(topics);

/**
 * Every exit code of `carbon` with its name and meaning: the source of `carbon help exit-codes` and
 * of the reference.
 */
export const exitCodes: readonly (readonly [code: string, name: string, meaning: string])[] = [
  ['0', 'success', 'the command did everything that you asked for'],
  ['1', 'failure', 'a local failure (such as a file or the disk) or a bug'],
  ['2', 'usage error', 'the command line or the input is invalid; nothing was sent'],
  ['3', 'rejected', 'the service rejected the data (400, 422)'],
  [
    '4',
    'unauthorized',
    'there is no API key, the service rejected it (401, 403), or payment is required (402)',
  ],
  ['5', 'not found', 'the organization does not exist (404)'],
  [
    '6',
    'unavailable',
    'rate limit, failing service, unreadable response, network failure or timeout, after retries',
  ],
  ['7', 'errored', 'research failed (status errored)'],
  [
    '8',
    'pending',
    'research is in progress, sync reached a limit, or --status found remaining rows',
  ],
  ['9', 'partial failure', 'some items failed, or all of them with different codes'],
  ['10', 'findings', 'diff found differences, check found errors, or a goal is not reached'],
  [`${signalExits.SIGHUP}`, 'SIGHUP', 'terminated by SIGHUP (128 + 1)'],
  [`${signalExits.SIGINT}`, 'SIGINT', 'terminated by Ctrl-C (128 + 2)'],
  [`${signalExits.SIGTERM}`, 'SIGTERM', 'terminated by SIGTERM (128 + 15)'],
];

export const helpCommand: CommandDeclaration = {
  name: 'help',
  summary: 'Show the help of a command or a topic',
  arguments: [
    {
      term: '[topic]',
      description: `a command, or one of ${helpTopics.join(', ')}`,
      values: helpTopics,
    },
  ],
  examples: ['carbon help batch', 'carbon help exit-codes'],
  formats: ['human'],
  async run(session, [topic], _, command) {
    session.print(renderTopic(command.parent ? declarationsOf(command.parent) : [], topic));
    return 0;
  },
};

export function renderTopic(
  declarations: readonly CommandDeclaration[],
  topic: string | undefined,
): string {
  if (topic === undefined) return renderProgramHelp(declarations);
  const write = Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  if (write !== undefined) return `${write()}\n`;
  const declared = declarations.find(({ name }) => name === topic);
  if (declared !== undefined) return renderCommandHelp(declared);
  const names = [...helpTopics, ...declarations.map(({ name }) => name)];
  const word = topic.toLowerCase();
  const near = helpTopics.find((name) => name.startsWith(word)) ?? nearestNames(word, names)[0];
  throw new UsageError(
    `No help for "${topic}"`,
    near === undefined
      ? `Use a command, or one of ${helpTopics.join(', ')}.`
      : `Did you mean ${near}?`,
  );
}
