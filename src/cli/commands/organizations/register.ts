import { hasEnded } from '../../../client/api/ids.ts';
import { defaultTimeoutMs } from '../../../client/api/watch.ts';
import {
  checkIdentifier,
  doubtsAbout,
  identifierFields,
  type Problem,
  type Registration,
} from '../../../client/registration/fields.ts';
import { isoCodes } from '../../../client/registration/iso-codes.ts';
import { quoteWords } from '../../../display/terminal/sanitize.ts';
import { readBoolean } from '../../../lists/table/cell.ts';
import { otherOrganization } from '../../../portfolio/checks/other-organization.ts';
import { type Choices, invalidInput, UsageError } from '../../../runtime/carbon-error.ts';
import { command, hint } from '../../../runtime/hint.ts';
import type { LineChanges } from '../../command-line.ts';
import { printRegistering } from '../../dry-run.ts';
import { withLiveStatus } from '../../live-status.ts';
import {
  type CommandDeclaration,
  currencies,
  everyFormat,
  type GlobalFlags,
  type OptionGroups,
  type OptionValues,
  readTime,
  serviceOptions,
  serviceWords,
  unitOption,
} from '../../options.ts';
import { showRecords } from '../../output/records.ts';
import { byForm } from '../../output/show.ts';
import { readIds } from '../../parse-ids.ts';
import type { Session } from '../../session.ts';

/* Fields that few people send, without an option of their own: --field sends them. */
const rareFields: readonly string[] = [
  'industry_id',
  'industry_name',
  'is_legal_entity_name',
  'sp_global_number',
];

const optionFields = identifierFields.filter(({ name }) => !rareFields.includes(name));

const notes = `
A registration uses quota and can't be undone: check with --dry-run first. The
same command twice registers nothing new.

Exit codes: 0 registered, 2 nothing was sent, 3 the service rejected the data,
4 the API key is missing or rejected, 5 the service found no such organization,
6 try again later; with --wait, 7 research failed, 8 in progress at the time
limit.`;

const options = {
  Organization: [
    ...optionFields.map(({ name, placeholder, about }) => ({
      flags: `${flagOf(name)} <${placeholder}>`,
      description: about,
      ...(name === 'hq_region' ? { offers: async () => [...isoCodes] } : {}),
      ...(name === 'currency' ? { offers: currencies } : {}),
      parse: onlyOnce(name),
    })),
    {
      flags: '--field <name=value>',
      description: 'any other request field, such as industry_name=Steel (repeatable)',
      parse: collectField,
    },
  ],
  Options: [
    { flags: '--wait', description: 'wait until the research ends, then show the record' },
    {
      flags: '--timeout <duration>',
      description: 'with --wait: stop after this time, 0 for no limit (default: 30m)',
      parse: readTime('--timeout'),
    },
    {
      flags: '--doubtful <choice>',
      description: 'send: register although the name or website looks wrong',
      choices: ['send'],
    },
    unitOption,
    {
      flags: '--dry-run',
      description: 'print the request body and send nothing (needs no API key)',
    },
  ],
} as const satisfies OptionGroups;

type RegisterOptions = OptionValues<typeof options>;

export const registerCommand: CommandDeclaration<typeof options> = {
  name: 'register',
  group: 'Organizations',
  summary: 'Register an organization (safe to repeat) and show its record',
  usage: '--name <text> [options]',
  options,
  examples: [
    'carbon register --name "Acme AG" --hq-region DE --website acme.com --wait',
    'carbon register --name "Acme AG" --lei-number 529900T8BM49AURSDO55 --json',
    'carbon register --sandbox --name "Acme AG" --dry-run',
  ],
  notes,
  formats: everyFormat,
  service: serviceOptions,
  run: (session, _, options) => register(session, options),
};

/* Otherwise, the first of two names would be lost silently. */
function onlyOnce(field: string): (text: string, earlier?: string) => string {
  return (text, earlier) => {
    if (earlier === undefined) return text;
    throw new UsageError(`${flagOf(field)} was given twice: "${earlier}" and "${text}"`);
  };
}

function collectField(
  text: string,
  sofar: Readonly<Record<string, string | boolean>> = {},
): Record<string, string | boolean> {
  const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === '')
    throw new UsageError(
      `--field: "${text}" is not name=value`,
      'Write it like --field vat_number=DE123456789.',
    );
  if (optionFields.some(({ name }) => name === key))
    throw new UsageError(`--field: ${key} has its own option`, `Use ${flagOf(key)}.`);
  if (Object.hasOwn(sofar, key)) throw new UsageError(`--field ${key} was given twice`);
  const field = identifierFields.find(({ name }) => name === key);
  // As in the schema of a registration, a field without a placeholder is no text.
  if (field === undefined || field.placeholder !== undefined) return { ...sofar, [key]: value };
  const flag = readBoolean(value);
  if (flag === undefined)
    throw new UsageError(
      `--field ${key}: "${value}" is neither yes nor no`,
      `Write --field ${key}=yes or --field ${key}=no.`,
    );
  return { ...sofar, [key]: flag };
}

async function register(session: Session, options: RegisterOptions): Promise<number> {
  if (options.timeout !== undefined && !options.wait)
    throw new UsageError('--timeout requires --wait');
  const registration = await readRegistration(options, session.flags);
  if (options.dryRun) {
    const other = byForm(session, { csv: '--csv', ids: '--ids', other: undefined });
    if (other !== undefined)
      throw new UsageError(`--dry-run prints JSON and cannot be combined with ${other}`);
    session.printJson(JSON.stringify(registration));
    printRegistering(session);
    return 0;
  }
  const { client } = await session.connect();
  const received = await withLiveStatus(session, `Registering ${registration.name}`, () =>
    client.register(registration),
  );
  const { id, status } = received;
  const ids = [String(id)];
  const isOver = hasEnded(status);
  const other = otherOrganization(registration, received.record);
  if (other !== undefined)
    session.messages.warn(`The service responded with ${other}, not with ${registration.name}.`);
  const shown = { unit: options.unit };
  if (options.wait && !isOver) {
    const { followResearch } = await import('../../watch-research.ts');
    const exit = await followResearch(session, client, await readIds(ids, session), {
      timeoutMs: options.timeout ?? defaultTimeoutMs,
      currency: registration.currency,
      several: false,
      ...shown,
    });
    if (exit === 8) await showRecords(session, [received], shown);
    return exit;
  }
  await showRecords(session, [received], shown);
  if (!isOver)
    session.messages.hint(
      `Research is in progress. To follow it: ${session.commandLine('watch', ...ids)}`,
    );
  return options.wait && status === 'errored' ? 7 : 0;
}

/** Returns the flag of a request field: `--hq-region` for `hq_region`. */
export function flagOf(field: string): string {
  return rareFields.includes(field)
    ? `--field ${field}=<value>`
    : `--${field.replaceAll('_', '-')}`;
}

/* Checks every option before anything is sent, because a registration cannot be undone. */
async function readRegistration(
  flags: RegisterOptions,
  globals: GlobalFlags,
): Promise<Registration> {
  // The options of the fields have no types of their own.
  const given: Readonly<Record<string, unknown>> = flags;
  const values = Object.fromEntries(
    optionFields.map(({ name }) => {
      const option = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      return [name, given[option] as string | undefined];
    }),
  );
  checkFile(values['name'], globals);
  if (values['name'] === undefined)
    throw invalidInput('Missing --name', hint`Run ${command`register --name "<name>"`}.`);
  const { registration, problems } = checkIdentifier({ ...values, ...flags.field });
  if (problems.length > 0) throw await problemsError(problems);
  const doubts = flags.doubtful === 'send' ? [] : doubtsAbout(registration);
  if (doubts.length > 0) throw doubtsError(doubts);
  return registration;
}

/** Checks whether a word is the name of a file with a list, and not of an organization. */
export function isListFile(word: string): boolean {
  return /\.(?:csv|tsv|xlsx|xlsm)$/i.test(word);
}

/* Rejects the name of a file as that of an organization. */
function checkFile(word: string | undefined, flags: GlobalFlags): void {
  if (word === undefined || !isListFile(word)) return;
  throw new UsageError(
    `carbon register takes one organization, but "${word}" looks like a list`,
    hint`To register its rows, run ${command`sync ${quoteWords([word])}`}.`,
    'usage',
    () => offer(['sync', word, ...serviceWords(flags)]),
  );
}

function offer(instead: readonly string[]): Choices {
  const label = quoteWords(['carbon', ...instead]);
  return { question: 'Did you mean this command?', options: [{ label, instead }] };
}

/**
 * Explains words after `carbon register` that belong to no option, such as half of a name.
 * @param change changes the command line
 */
export function explainStray(
  words: readonly string[],
  flags: GlobalFlags & Partial<Pick<RegisterOptions, 'wait'>> & { readonly name?: string },
  change: (changes: LineChanges) => string[],
): UsageError {
  const { name, wait } = flags;
  const all = typeof name === 'string' ? [name, ...words] : words;
  try {
    for (const word of all) checkFile(word, flags);
  } catch (error) {
    return error as UsageError;
  }
  const [stray = ''] = words;
  // The text after `=`, as in `CARBON_API_KEY=...`, may be the key.
  const assigned = words.find((word) => word.includes('='));
  if (assigned !== undefined)
    return new UsageError(
      `Unexpected argument "${assigned.split('=', 1)[0]}=..."`,
      hint`Run ${command`help register`} for its options.`,
    );
  const isTime = wait === true && /^\d+(?:ms|s|m|h|d)$/.test(stray);
  const add = isTime ? ['--timeout', stray] : ['--name', all.join(' ')];
  const without = isTime ? [] : ['--name'];
  return new UsageError(
    `Unexpected argument "${stray}"`,
    isTime
      ? `--wait takes no value. To limit the wait, use --timeout ${stray}.`
      : `Did you mean --name "${all.join(' ')}"?`,
    'usage',
    () => offer(change({ add, without, withoutOperands: true })),
  );
}

function doubtsError(doubts: readonly Problem[]): UsageError {
  const send = ['--doubtful', 'send'];
  const inName = doubts.find(({ field }) => field === 'name');
  const instead =
    inName === undefined
      ? 'To leave it out, remove --website.'
      : `Did you mean --name <name> ${quoteWords(['--website', inName.value])}?`;
  return invalidInput(
    describeOptions(doubts),
    `${instead} To register it as it is, add ${send.join(' ')}.`,
    () => ({
      question: 'Register it?',
      options: [
        ...(inName === undefined
          ? [{ label: 'Register it without the website', without: ['--website'] }]
          : []),
        { label: 'Register it as it is', add: send },
      ],
    }),
  );
}

function describeOptions(problems: readonly Problem[]): string {
  return problems
    .map(({ field, value, problem }) => `${flagOf(field)} "${value}" ${problem}`)
    .join('; ');
}

async function problemsError(problems: readonly Problem[]): Promise<UsageError> {
  const { countryCode } = await import('../../../client/registration/countries.ts');
  const meant = problems.flatMap(({ field, value, meant }) => {
    const isAddress = field === 'name' && value.trim() !== '';
    if (isAddress) return [`--name <name> ${quoteWords(['--website', value])}`];
    const better = meant ?? (field === 'hq_region' ? countryCode(value) : undefined);
    return better ? [`${flagOf(field)} ${better}`] : [];
  });
  return invalidInput(
    describeOptions(problems),
    meant.length > 0 ? `Did you mean ${meant.join(' ')}?` : hintAtFields(problems),
  );
}

function hintAtFields(problems: readonly Problem[]): string | undefined {
  const isRegion = problems.some(({ field }) => field === 'hq_region');
  return isRegion ? 'Use a code of two letters, such as --hq-region DE.' : undefined;
}
