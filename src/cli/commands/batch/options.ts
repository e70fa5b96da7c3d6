/*
 * Maps the flags of `carbon batch` to the options of the engine, each by its name. A misspelled
 * flag or a forgotten option does not compile.
 */
import type { ServiceClient } from '../../../api/client.ts';
import type { BatchOptions } from '../../../batch/batch.ts';
import type { SendOptions } from '../../../batch/send.ts';
import { otherOrganization } from '../../../checks/other-organization.ts';
import type { RequestPacer } from '../../../pace/pacer.ts';
import { maxSilenceMs, thisMachine } from '../../../runtime/file-lock.ts';
import type { Session } from '../../session.ts';
import type { BatchScreen } from './screen.ts';

/** What happens to invalid rows: a choice of `--invalid`. */
export const invalidChoices = ['stop', 'skip', 'drop-ids'] as const;

/** The flags of `carbon batch`, as commander parses them. */
export interface BatchFlags {
  readonly map?: readonly string[];
  readonly encoding?: string;
  readonly skipLines?: number;
  readonly header?: boolean;
  readonly sheet?: string;
  readonly invalid?: (typeof invalidChoices)[number];
  readonly dryRun?: boolean;
  readonly status?: boolean;
  readonly restart?: boolean;
  readonly retryFailed?: boolean;
  readonly keep?: string;
  readonly metricsFile?: string;
  readonly concurrency: number;
  readonly rate?: number;
}

/** The input of a batch: a file, or a copy of standard input. */
export type BatchInput = Pick<BatchOptions, 'path' | 'name' | 'file'>;

/* Requires every option by name, also those that may be undefined. */
type Complete<Options> = { readonly [Name in keyof Required<Options>]: Options[Name] };

/** Returns the options that open a batch, without the one that receives its progress. */
export function toBatchOptions(
  session: Session,
  input: BatchInput,
  options: BatchFlags,
): Complete<Omit<BatchOptions, 'onRows' | 'onDone'>> {
  const { context, messages } = session;
  const { service, profile } = session.identity();
  return {
    path: input.path,
    name: input.name,
    file: input.file,
    map: options.map,
    encoding: options.encoding,
    skipLines: options.skipLines,
    sheet: options.sheet,
    service,
    profile,
    keep: options.keep,
    sandbox: service === 'sandbox',
    dropInvalidIds: options.invalid === 'drop-ids',
    retryFailed: options.retryFailed,
    restart: options.restart === true || service === '',
    dryRun: options.dryRun,
    clock: context.clock,
    machine: thisMachine(context.process.id),
    signal: context.signal,
    onWait: (holder) =>
      messages.print({
        level: 'result',
        text: `Waiting up to ${maxSilenceMs / 1000} s to see whether ${holder} is still running`,
      }),
  };
}

/** What sending needs besides the flags. */
interface SendParts {
  /** Undefined for a run that has nothing to send. */
  readonly client: ServiceClient | undefined;
  readonly pacer: RequestPacer;
  readonly screen: BatchScreen;
  /** Maximum number of rows to send. */
  readonly maxNew: number | undefined;
}

/** Returns the options that send the rows of a batch. */
export function toSendOptions(
  session: Session,
  { client, pacer, screen, maxNew }: SendParts,
): SendOptions {
  const printsRecords =
    screen.printsRows && (session.format === 'json' || session.format === 'csv');
  return {
    ...(client === undefined ? noRequests : requestsOf(client, printsRecords)),
    pacer,
    maxNew,
    random: () => session.context.random(),
    onWait: session.reportWaits(60_000, 60_000),
    onRefusalStreak: (streak, error) => screen.reportRefusalStreak(streak, error),
    onStarting: (maxMs, error) => screen.reportStarting(maxMs, error),
    onEvents: (events) => screen.take(events),
  };
}

/** The parts of `SendOptions` that need a connection. */
type Requests = Pick<SendOptions, 'register'>;

/* For a run that has nothing to send. */
const noRequests: Requests = {
  register: () => Promise.reject(new Error('there is no connection')),
};

function requestsOf(client: ServiceClient, printsRecords: boolean): Requests {
  return {
    async register(registration, signal) {
      const { id, status, limit, json, record } = await client.register(registration, signal);
      const other = otherOrganization(registration, record);
      return { id, status, limit, other, json: printsRecords ? json : undefined };
    },
  };
}
