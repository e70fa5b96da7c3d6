import { hasEnded } from '../../api/ids.ts';
import { defaultTimeoutMs } from '../../api/watch.ts';
import { otherOrganization } from '../../checks/other-organization.ts';
import { readDuration } from '../../config/settings.ts';
import {
  checkIdentifier,
  type Field,
  identifierFields,
  type Problem,
  type Registration,
} from '../../registration/fields.ts';
import { invalidInput, UsageError } from '../../runtime/carbon-error.ts';
import { quoteWords } from '../../terminal/sanitize.ts';
import { withLiveStatus } from '../live-status.ts';
import {
  type CommandDeclaration,
  currencies,
  everyFormat,
  readChoice,
  serviceOptions,
} from '../options.ts';
import { emitRecords } from '../output/records.ts';
import { readIds } from '../parse-ids.ts';
import type { Session } from '../session.ts';

/* The values of request fields, by the names that commander gives them, and all other options. */
type RegisterOptions = { readonly [flag: string]: unknown } & {
  readonly field?: Readonly<Record<string, string | boolean>>;
  readonly wait?: boolean;
  readonly dryRun?: boolean;
  readonly timeout?: number;
};

/* Fields that few people send, without an option of their own: --field sends them. */
const rareFields: readonly string[] = [
  'industry_id',
  'industry_name',
  'is_legal_entity_name',
  'sp_global_number',
];

const optionFields = identifierFields.filter(({ name }) => !rareFields.includes(name));

export const registerCommand: CommandDeclaration<RegisterOptions> = {
  name: 'register',
  group: 'Get data',
  summary: 'Register an organization (safe to repeat) and show its record',
  usage: '--name <text> [options]',
  arguments: [{ term: '[nothing...]', description: '' }],
  options: {
    Organization: [
      ...optionFields.map(({ name, placeholder, about }) => ({
        flags: `${flagOf(name)} <${placeholder}>`,
        description: about,
        parse: onlyOnce(name),
        ...(name === 'hq_region' ? { values: countries } : {}),
        ...(name === 'currency' ? { values: currencies } : {}),
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
        description: 'with --wait: stop after this time, 0 for never (default: 30m)',
        parse: (text) => readDuration(text, '--timeout'),
      },
      {
        flags: '--dry-run',
        description: 'print the request body and send nothing (needs no API key)',
      },
    ],
  },
  examples: [
    'carbon register --name "Acme AG" --hq-region DE --website acme.com --wait',
    'carbon register --name "Acme AG" --lei-number 529900T8BM49AURSDO55 --json',
    'carbon register --sandbox --name "Acme AG" --dry-run',
  ],
  formats: everyFormat,
  service: serviceOptions,
  synonyms: ['search', 'find', 'add', 'create', 'new', 'lookup'],
  run: register,
};

async function countries(): Promise<readonly string[]> {
  return (await import('../../registration/iso-codes.ts')).countryCodes();
}

/* Without this check, the earlier of two values would be lost silently. */
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
  const separator = text.indexOf('=');
  if (separator < 1)
    throw new UsageError(
      `--field: "${text}" is not name=value`,
      'Write it like --field vat_number=DE123456789.',
    );
  const [key, value] = [text.slice(0, separator), text.slice(separator + 1)];
  if (optionFields.some(({ name }) => name === key))
    throw new UsageError(`--field: ${key} has its own option`, `Use ${flagOf(key)}.`);
  const earlier = Object.entries(sofar).find(([known]) => known === key);
  if (earlier !== undefined)
    throw new UsageError(`--field ${key} was given twice: "${earlier[1]}" and "${value}"`);
  if (key !== 'is_legal_entity_name') return { ...sofar, [key]: value };
  return { ...sofar, [key]: readChoice(`--field ${key}`, ['true', 'false'])(value) === 'true' };
}

async function register(
  session: Session,
  extra: readonly string[],
  options: RegisterOptions,
): Promise<number> {
  if (options.timeout !== undefined && !options.wait)
    throw new UsageError('--timeout requires --wait');
  const registration = await readRegistration(extra, options);
  if (options.dryRun) {
    if (session.format === 'csv' || session.format === 'ids') {
      throw new UsageError(`--dry-run prints JSON and cannot be combined with --${session.format}`);
    }
    session.printJson(JSON.stringify(registration));
    return 0;
  }
  const { client } = await session.connect();
  const received = await withLiveStatus(session, `Registering ${registration.name}`, () =>
    client.register(registration),
  );
  const { id, status } = received;
  const other = otherOrganization(registration, received.record);
  if (other !== undefined)
    session.messages.warn(`The service responded with ${other}, not with ${registration.name}.`);
  if (options.wait && !hasEnded(status)) {
    const { followResearch } = await import('../watch-research.ts');
    const { currency } = registration;
    const currencyWords = currency === undefined ? [] : ['--currency', currency];
    const exit = await followResearch(session, client, readIds([String(id)], session.context), {
      timeoutMs: options.timeout ?? defaultTimeoutMs,
      currency,
      resume: session.commandLine('watch', String(id), ...currencyWords),
      several: false,
    });
    if (exit === 8) await emitRecords(session, [received]);
    return exit;
  }
  await emitRecords(session, [received]);
  if (!hasEnded(status)) {
    const command = session.commandLine('watch', String(id));
    session.messages.hint(`Research is in progress. To follow it: ${command}`);
  }
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
  extra: readonly string[],
  flags: RegisterOptions,
): Promise<Registration> {
  refuseExtra(extra, flags);
  const values = Object.fromEntries(
    optionFields.map(({ name }) => [name, flags[optionOf(name)] as string | undefined]),
  );
  if (values['name'] === undefined) {
    throw invalidInput('Missing --name', 'Run `carbon register --name "Acme AG"`.');
  }
  const { registration, problems } = checkIdentifier({ ...values, ...flags.field });
  if (problems.length > 0) throw await problemsError(problems);
  return registration;
}

function refuseExtra(extra: readonly string[], { name }: RegisterOptions): void {
  const words = typeof name === 'string' ? [name, ...extra] : extra;
  const file = words.find((text) => /\.(csv|tsv|xlsx)$/i.test(text));
  if (file !== undefined)
    throw new UsageError(
      `register expects one organization, but "${file}" looks like a file of many`,
      `Run \`carbon batch ${quoteWords([file])}\` to register every row of the file.`,
    );
  if (extra.length > 0)
    throw new UsageError(
      `Unexpected argument "${extra[0]}"`,
      `Did you mean --name "${words.join(' ')}"? --wait takes no value: use --timeout.`,
    );
}

function optionOf(field: Field): string {
  return field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

async function problemsError(problems: readonly Problem[]): Promise<UsageError> {
  const { countryCode } = await import('../../registration/countries.ts');
  const descriptions = problems.map(
    ({ field, value, problem }) => `${flagOf(field)} "${value}" ${problem}`,
  );
  const meant = problems.flatMap(({ field, value, meant }) => {
    const better = meant ?? (field === 'hq_region' ? countryCode(value) : undefined);
    return better ? [`${flagOf(field)} ${better}`] : [];
  });
  const place = problems.find(({ field }) => field === 'hq_region');
  const hint =
    meant.length > 0
      ? `Did you mean ${meant.join(' ')}?`
      : place && `To send a place as free text, use --hq-fuzzy "${place.value}".`;
  return invalidInput(descriptions.join('; '), hint);
}
