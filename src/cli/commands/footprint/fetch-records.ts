/* Retrieves the records of suppliers in the currencies of their rows. */
import type { FileHandle } from 'node:fs/promises';
import { UnavailableError } from '../../../api/errors.ts';
import { isSameId, readReference } from '../../../api/ids.ts';
import { mapConcurrent } from '../../../api/map-concurrent.ts';
import { readRecord } from '../../../api/read-record.ts';
import type { RecordResponse } from '../../../api/responses.ts';
import type { RecordMatcher } from '../../../footprint/records/record-matcher.ts';
import type { RecordRequest, SpendLedger } from '../../../footprint/records/spend-ledger.ts';
import { writeTarget } from '../../../page/write-page.ts';
import { type Retrieval, recordLine } from '../../../records/envelope.ts';
import { type CarbonError, HintedError } from '../../../runtime/carbon-error.ts';
import { thisMachine } from '../../../runtime/machine.ts';
import { count, plural } from '../../../terminal/format.ts';
import { errorObject } from '../../errors.ts';
import { withLiveStatus } from '../../live-status.ts';
import { compactJson } from '../../output/json.ts';
import { PacedRetrieval, retrievalConcurrency } from '../../paced-retrieval.ts';
import type { Session } from '../../session.ts';

/**
 * Retrieves each record once per currency. The failure of one leaves its rows uncovered.
 *
 * With `save`, carbon writes the records to a file once all are retrieved. Without any id, that
 * file does not change.
 * @throws UnauthorizedError for an account problem, UnavailableError for an exhausted quota and for
 * a service that sends no record at all
 */
export async function fetchRecords(
  session: Session,
  ledger: SpendLedger,
  matcher: RecordMatcher,
  save: string | undefined,
): Promise<void> {
  const work = new Retrievals(session, ledger, matcher);
  if (save === undefined) return work.run(undefined);
  if (work.total === 0) {
    const text = `No row has the id of an organization, so carbon retrieved no record and did not write ${save}`;
    session.messages.print({ level: 'warning', text, event: { event: 'not_written', file: save } });
    return;
  }
  await writeTarget(save, thisMachine(session.context.process.id), (file) => work.run(file));
  session.messages.print({
    level: 'progress',
    text: `Wrote ${save} (${plural(work.retrieved, 'record')})`,
    event: { event: 'written', file: save, records: work.retrieved },
  });
}

/* All requests of a concurrent run, and as many again. */
const maxFirstFailures = 2 * retrievalConcurrency;

type Result = { readonly request: RecordRequest } & (
  | { readonly received: RecordResponse; readonly retrieval: Retrieval }
  | { readonly error: CarbonError }
);

class Retrievals {
  readonly #session: Session;
  readonly #ledger: SpendLedger;
  readonly #matcher: RecordMatcher;
  /* Number of records to retrieve. */
  readonly total: number;
  retrieved = 0;

  constructor(session: Session, ledger: SpendLedger, matcher: RecordMatcher) {
    this.#session = session;
    this.#ledger = ledger;
    this.#matcher = matcher;
    this.total = [...ledger.requests()].length;
  }

  async run(file: FileHandle | undefined): Promise<void> {
    const { total } = this;
    if (total === 0) return;
    const retrieval = await PacedRetrieval.open(this.#session);
    const limitMemory = await this.#session.context.limitYoungGeneration();
    let done = 0;
    const failures: CarbonError[] = [];
    const text = () => `Requesting records: ${count.format(done)} of ${count.format(total)}`;
    await withLiveStatus(this.#session, text, async () => {
      const requests = oneGroup(this.#ledger.requests());
      const results = mapConcurrent(requests, retrievalConcurrency, (request) =>
        this.#retrieve(retrieval, request),
      );
      for await (const result of results) {
        done += 1;
        if ('error' in result) failures.push(result.error);
        else this.retrieved += 1;
        this.#requireService(failures, total);
        const line = this.#take(result);
        await file?.writeFile(line);
        if (done % 100 === 0) limitMemory();
      }
    });
    this.#reportFailures(failures, total);
  }

  /*
   * Without any record, the result would show nothing, and --save would replace a good file. The
   * first failures decide, because each takes several attempts.
   */
  #requireService(failures: readonly CarbonError[], total: number): void {
    const [first] = failures;
    if (first === undefined || this.retrieved > 0) return;
    if (failures.length < Math.min(total, maxFirstFailures)) return;
    if (failures.every((error) => error instanceof UnavailableError)) throw first;
  }

  async #retrieve(queue: PacedRetrieval, request: RecordRequest): Promise<Result> {
    const { id, currency } = request;
    const outcome = await queue.retrieve(String(id), currency);
    if ('error' in outcome) return { request, error: outcome.error };
    const { received } = outcome;
    const error = otherRecord(received.record, id);
    if (error !== undefined) return { request, error };
    const { service } = this.#session.identity();
    const retrievedAt = new Date(this.#session.context.clock.now()).toISOString();
    return { request, received, retrieval: { service, currency, retrievedAt } };
  }

  /* Returns the line of the saved file. */
  #take(result: Result): string {
    const { key, id, currency } = result.request;
    if ('error' in result) {
      this.#matcher.fail(result.request, result.error.message);
      return `${JSON.stringify({ ok: false, id, currency, error: errorObject(result.error) })}\n`;
    }
    const { received, retrieval } = result;
    const { record } = readRecord(received.record);
    this.#matcher.take({ ...record, id }, key, retrieval);
    return recordLine(id, retrieval, compactJson(received.json));
  }

  #reportFailures(failures: readonly CarbonError[], total: number): void {
    const [first] = failures;
    if (first === undefined) return;
    this.#session.messages.print({
      level: 'warning',
      text: `carbon could not retrieve ${count.format(failures.length)} of ${plural(total, 'record')}, so their rows are uncovered. The first failure: ${first.message}.`,
      event: {
        event: 'not_retrieved',
        failed: failures.length,
        of: total,
        error: errorObject(first),
      },
    });
  }
}

/* The figures of another organization would be wrong for this supplier. */
function otherRecord(record: object, requested: string | number): CarbonError | undefined {
  const { id } = readReference(record);
  if (id === undefined || isSameId(id, requested)) return undefined;
  return new HintedError(
    'unreadable_response',
    `The service sent the record of organization ${id} for organization ${requested}`,
    { id: String(requested), hint: 'Use `carbon get --json` to see the record.' },
  );
}

async function* oneGroup<Item>(items: Iterable<Item>): AsyncGenerator<Iterable<Item>> {
  yield items;
}
