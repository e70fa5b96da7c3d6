/*
 * The steps that `carbon batch` and `carbon sync` have in common: read the input, check the whole
 * list, and register its rows.
 */
import type { ServiceClient } from '../../../../client/api/client.ts';
import type { Pacer } from '../../../../client/pace/pacer.ts';
import { fields } from '../../../../client/registration/fields.ts';
import { count, plural, renderDuration } from '../../../../display/terminal/format.ts';
import {
  type Batch,
  type BatchOptions,
  type ListInput,
  openBatch,
} from '../../../../lists/batch/batch.ts';
import type { RowEvent, RunOutcome } from '../../../../lists/batch/rows.ts';
import type { SendOptions } from '../../../../lists/batch/send.ts';
import { isLostBesides } from '../../../../lists/kept/listing.ts';
import { InputFile, spool } from '../../../../lists/table/input-file.ts';
import { readMap } from '../../../../lists/table/map-option.ts';
import {
  type Choices,
  HintedError,
  invalidInput,
  UsageError,
} from '../../../../runtime/carbon-error.ts';
import { thisMachine } from '../../../../runtime/file-lock.ts';
import { tableOptions } from '../../../input-table.ts';
import { withLiveStatus } from '../../../live-status.ts';
import {
  keepOption,
  metricsOption,
  type OptionGroups,
  type OptionValues,
  outOption,
  readCount,
  readRate,
} from '../../../options.ts';
import type { OutFile } from '../../../output/out-file.ts';
import type { Session } from '../../../session.ts';
import { reportCheck } from './check-report.ts';
import { checkListing } from './listing.ts';
import { BatchScreen, graceMs } from './screen.ts';

const invalidChoices = ['stop', 'skip', 'drop-ids'] as const;
const doubtfulChoices = ['skip', 'send'] as const;

export const batchOptions = {
  'Input file': [
    {
      flags: '--map <field=column>',
      description: 'assign columns to fields: name=Firm,hq_region=Land',
      offers: async () => fields.map((field) => `${field}=`),
      parse(text, sofar: readonly string[] = []) {
        readMap(fields, [text]);
        return [...sofar, text];
      },
    },
    ...tableOptions,
  ],
  'What to send': [
    {
      flags: '--invalid <choice>',
      description:
        'invalid rows: stop, skip, or drop-ids (send them without invalid LEI, ISIN and D-U-N-S numbers; default: stop)',
      choices: invalidChoices,
    },
    {
      flags: '--doubtful <choice>',
      description:
        'rows that do not look like organizations (totals, a second header line, what follows the table): skip or send (default: skip)',
      choices: doubtfulChoices,
    },
    { flags: '--dry-run', description: 'check the file, send nothing; --json: request bodies' },
    {
      flags: '--yes',
      description: 'answer yes to "Register ...?", and to no other question',
    },
    { flags: '--status', description: 'show what is registered, failed and remaining' },
    { flags: '--retry-failed', description: 'send rejected rows again' },
    { flags: '--restart', description: 'ignore earlier runs and send every row' },
    {
      flags: '--accept-removed',
      description: 'continue although most organizations are missing',
    },
  ],
  Pace: [
    {
      flags: '--concurrency <n>',
      description: 'maximum requests in flight, 1–1024',
      parse: readCount('--concurrency', 1, 1_024, 16),
      default: 16,
    },
    {
      flags: '--rate <n>',
      description: 'maximum requests per second (default: learned)',
      parse: readRate('--rate'),
    },
  ],
  Files: [outOption(['.xlsx', '.csv']), keepOption, metricsOption],
} as const satisfies OptionGroups;

export type BatchFlags = OptionValues<typeof batchOptions>;

/**
 * Runs work on the input of a list.
 * @param file its path, or `-` for standard input
 */
export async function withInput(
  session: Session,
  file: string,
  flags: BatchFlags,
  work: (input: ListInput) => Promise<number>,
): Promise<number> {
  const { context } = session;
  if (file !== '-') return work({ path: file, name: file });
  if (flags.keep === undefined && !flags.dryRun)
    throw new UsageError(
      'A list from standard input needs a directory for its journal',
      'Choose one with --keep <dir>.',
    );
  const { path, handle, close } = await spool(context.stdin, context.signal);
  return work({ path, name: 'standard input', file: handle }).finally(close);
}

/**
 * Opens a list.
 * @param how whether to only read the status, and what receives the ids of registered rows
 */
export function readList(
  session: Session,
  input: ListInput,
  flags: BatchFlags,
  how: Pick<BatchOptions, 'status' | 'onRegistered' | 'findNumbers'>,
): Promise<Batch> {
  const { context, messages } = session;
  const { service, profile } = session.identity();
  const options: BatchOptions = {
    ...input,
    ...how,
    map: flags.map,
    encoding: flags.encoding,
    skipLines: flags.skipLines,
    sheet: flags.sheet,
    keep: flags.keep,
    retryFailed: flags.retryFailed,
    restart: flags.restart,
    dryRun: flags.dryRun,
    service,
    profile,
    anyProfile: flags.dryRun && !session.hasAccess(),
    sandbox: service === 'sandbox',
    doubtful: flags.doubtful,
    dropInvalidIds: flags.invalid === 'drop-ids',
    clock: context.clock,
    machine: thisMachine(context.process.id),
    signal: context.signal,
    onWait: (holder, maxMs) =>
      messages.print({
        level: 'result',
        text: `Waiting up to ${renderDuration(maxMs)} to see whether ${holder} is still running`,
      }),
  };
  return withLiveStatus(session, 'Reading rows', () => openBatch(options));
}

/** What a run needs of the rows of its list besides. */
export interface ListUse extends Pick<BatchOptions, 'onRegistered'> {
  readonly out: OutFile | undefined;
}

/**
 * Checks a list and reports what the check found. Sends nothing; call `close` at the end.
 * @throws UsageError if rows are invalid, unless `--invalid` allows it; and as `openBatch` does
 */
export async function openList(
  session: Session,
  input: ListInput,
  flags: BatchFlags,
  { out, onRegistered }: ListUse,
): Promise<Batch> {
  // A missing file comes before a missing service: logging in would not help.
  if (input.file === undefined) new InputFile(input.path).readStart(1);
  if (!flags.dryRun || session.flags.sandbox) await checkAccess(session, input, flags);
  const numbers = out?.isWorkbook
    ? await import('../../../../lists/table/plain-numbers.ts')
    : undefined;
  const findNumbers = numbers && ((mapped: Iterable<number>) => new numbers.NumberColumns(mapped));
  const list = await readList(session, input, flags, { onRegistered, findNumbers });
  try {
    const removed = list.findRemoved();
    const { invalid } = list.preflight.counts;
    const isInvalid = invalid > 0 && (flags.invalid ?? 'stop') === 'stop';
    const isLost = isLostBesides(isInvalid ? invalid : 0, removed) && !flags.acceptRemoved;
    const isStopped = isInvalid || isLost;
    // A run that stops before the question tells about these rows as any other.
    const mayAsk = !isStopped && flags.doubtful === undefined && !flags.dryRun && session.isLive;
    const doubtful = mayAsk ? await import('./doubtful-question.ts') : undefined;
    const question = await doubtful?.findDoubtfulQuestion(session, list);
    const isInQuestion = question && doubtful?.isDoubtful;
    await reportCheck(session, list, flags, isInQuestion ?? (() => false));
    if (isLost || !isInvalid) checkListing(session, list, removed, flags);
    const hasRows = `${input.name} has ${plural(invalid, 'invalid row')}`;
    if (isInvalid)
      throw invalidInput(
        `${hasRows}; nothing was sent`,
        `Fix the file, or send only the valid rows with --invalid skip${list.preflight.onlyWrongIds > 0 ? '; --invalid drop-ids leaves out invalid LEI, ISIN and D-U-N-S numbers' : ''}.`,
        () => invalidRowChoices(list.preflight, `${hasRows}; nothing sent yet`),
      );
    if (question !== undefined) throw question;
    if (removed.removed > 0 && flags.acceptRemoved && !flags.dryRun) await list.noteListing();
    return list;
  } catch (error) {
    list.close();
    throw error;
  }
}

/* A list needs no account to be tried. */
async function checkAccess(session: Session, input: ListInput, flags: BatchFlags): Promise<void> {
  const { keep, restart = false } = flags;
  try {
    session.checkAccess();
  } catch (error) {
    if (!(error instanceof HintedError) || session.flags.sandbox) throw error;
    const { code, message, hint } = error;
    if (code !== 'no_base_url' && code !== 'no_key') throw error;
    const { findRegistration, registeredElsewhere } = await import('./registered-list.ts');
    const registration = await findRegistration(input, keep);
    if (registration !== undefined)
      throw restart ? error : registeredElsewhere(session, input, registration, code);
    await checkTable(input, flags);
    const url = session.settings().baseUrl?.value ?? 'https://...';
    const choices = () => ({
      question: 'Where should the list be registered?',
      options: [
        {
          label: 'In the sandbox',
          hint: 'no account, synthetic data',
          add: ['--sandbox'],
          without: ['--profile', '--base-url'],
        },
        {
          label: 'At a service',
          hint: 'log in first',
          advice: session.quote('carbon', 'login', '--base-url', url),
        },
      ],
    });
    throw new HintedError(code, message, { hint, choices });
  }
}

/* Rejects a file that no service could make a list: it is empty, or carbon wrote it. */
async function checkTable(
  { path, name, file }: ListInput,
  { encoding, skipLines, sheet }: BatchFlags,
): Promise<void> {
  const { detectDialect, notAList } = await import('../../../../lists/table/dialect.ts');
  const source = new InputFile(path, name, file);
  const { isResult } = await detectDialect(source, { encoding, skipLines, sheet });
  if (isResult) throw notAList(name);
}

function invalidRowChoices(
  { counts, onlyWrongIds: fixable }: Batch['preflight'],
  problem: string,
): Choices {
  const { invalid, new: valid } = counts;
  const rest = invalid - fixable;
  const skip = {
    label: `Leave out ${plural(invalid, 'invalid row')}`,
    hint: `${plural(valid, 'new row')} to send`,
    add: ['--invalid', 'skip'],
    without: ['--invalid'],
  };
  const drop = {
    label: `Send ${plural(fixable, 'row')} without the invalid identifiers`,
    hint: `${plural(valid + fixable, 'new row')} to send${rest > 0 ? `, ${count.format(rest)} left out` : ''}`,
    add: ['--invalid', 'drop-ids'],
    without: ['--invalid'],
  };
  return {
    problem,
    question: 'What should happen to the invalid rows?',
    options: fixable > 0 ? [skip, drop] : [skip],
  };
}

/** What sends the requests of a run; each part is made when it is needed. */
export interface RunService {
  pacer(): Promise<Pacer>;
  client(): Promise<ServiceClient>;
}

/** Returns the service of a run. One with nothing to send needs no API key. */
export function serviceOf(session: Session, flags: BatchFlags): RunService {
  let pacer: Promise<Pacer> | undefined;
  let connected: ReturnType<Session['connect']> | undefined;
  return {
    async pacer() {
      pacer ??= import('../../../../client/pace/pacer.ts').then((pace) => {
        const { concurrency, rate } = flags;
        return new pace.Pacer({ concurrency, maxRate: rate });
      });
      return pacer;
    },
    async client() {
      connected ??= session.connect({ connections: flags.concurrency, attempts: 1 });
      return (await connected).client;
    },
  };
}

export interface Registered {
  readonly list: Batch;
  readonly outcome: RunOutcome;
  readonly screen: BatchScreen;
}

/** How a run registers rows, and what it does besides. */
export interface RegisterOptions extends Limit, Pick<SendOptions, 'before' | 'maxStartMs'> {
  readonly service: RunService;
  /** Whether standard output gets the result of each row. */
  readonly printsRows: boolean;
  /** Receives the outcomes that are on the disk. */
  readonly onEvents?: ((events: readonly RowEvent[]) => void) | undefined;
  /** Returns what the run does before it sends rows; undefined once it does. */
  readonly describe?: (() => string | undefined) | undefined;
}

interface Limit {
  /** How many organizations a run registers at most. */
  readonly maxNew?: number | undefined;
}

/* Asks before a run registers organizations at a service. */
async function confirmRun(
  session: Session,
  { isStdin, preflight }: Batch,
  { yes, maxNew = Number.POSITIVE_INFINITY }: Pick<BatchFlags, 'yes'> & Limit,
): Promise<void> {
  const { context, flags } = session;
  const number = Math.min(preflight.counts.new, maxNew);
  if (flags.sandbox || yes || isStdin || number === 0 || !context.stderr.isAnimated) return;
  const { baseUrl } = session.settings();
  if (baseUrl === undefined) return;
  const { confirmNew } = await import('../../../questions.ts');
  await confirmNew(session, number, new URL(baseUrl.value).host);
}

/**
 * Registers the rows of a list that no earlier run has registered.
 * @throws Declined if the user answers no
 */
export async function register(
  session: Session,
  list: Batch,
  flags: BatchFlags,
  { service, printsRows, describe, before, maxStartMs, maxNew, onEvents }: RegisterOptions,
): Promise<Registered> {
  const { context } = session;
  const { counts, newlyInvalid } = list.preflight;
  const screen = new BatchScreen(session, list, printsRows, describe);
  // Reading the file once more only to print nothing would double the time of a run.
  if (!screen.printsRows && counts.new + newlyInvalid === 0) {
    const { done: skipped, duplicate, rejected, invalid } = counts;
    const outcome = { registered: 0, skipped, duplicate, rejected, postponed: 0, invalid };
    const rest = { left: 0, isDown: false, newFailures: 0, stop: undefined };
    await list.keepOptions();
    return { list, outcome: { counts: outcome, ...rest }, screen };
  }
  if (counts.new > 0) {
    await confirmRun(session, list, { yes: flags.yes, maxNew });
    await service.client();
  }
  const pacer = await service.pacer();
  let client: ServiceClient | undefined;
  const { otherOrganization } = await import('../../../../portfolio/checks/other-organization.ts');
  await screen.begin();
  try {
    const outcome = await list.send({
      async register(registration, signal) {
        client ??= await service.client();
        const { id, status, limit, json, record } = await client.register(registration, signal);
        const other = otherOrganization(registration, record);
        return { id, status, limit, other, json: screen.printsRecords ? json : undefined };
      },
      pacer,
      graceMs,
      before,
      maxStartMs,
      maxNew,
      random: () => context.random(),
      onWait: session.reportWaits(60_000, 60_000),
      onStall: session.reportStalls(),
      onShare: session.reportShare(),
      onEvents: (events) => {
        context.limitYoungGeneration(32);
        onEvents?.(events);
        return screen.take(events);
      },
    });
    return { list, outcome, screen };
  } finally {
    screen.close();
  }
}
