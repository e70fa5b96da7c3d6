/* Retrieves the records of suppliers in the currencies of their rows. */
import type { FileHandle } from 'node:fs/promises';
import { UnavailableError } from '../../../api/errors.ts';
import { isSameId, readReference } from '../../../api/ids.ts';
import { mapConcurrent } from '../../../api/map-concurrent.ts';
import { readRecord } from '../../../api/read-record.ts';
import type { RecordRequest, SpendLedger } from '../../../footprint/suppliers/ledger.ts';
import type { RecordMatcher } from '../../../footprint/suppliers/match.ts';
import { writeTarget } from '../../../page/write-page.ts';
import { type Retrieval, recordLine } from '../../../records/envelope.ts';
import { type CarbonError, HintedError } from '../../../runtime/carbon-error.ts';
import { thisMachine } from '../../../runtime/machine.ts';
import { count, plural } from '../../../terminal/format.ts';
import { errorObject } from '../../errors.ts';
import { withLiveStatus } from '../../live-status.ts';
import type { Notice } from '../../messages.ts';
import { compactJson } from '../../output/json.ts';
import { PacedRetrieval, retrievalConcurrency } from '../../paced-retrieval.ts';
import type { Session } from '../../session.ts';

/* All requests of a concurrent run, and as many again. */
const maxFirstFailures = 2 * retrievalConcurrency;

/**
 * Retrieves each record once per currency. The failure of one leaves its rows uncovered.
 *
 * With `save`, the records are written to a file once all are retrieved. Without any ID, that file
 * does not change.
 * @returns warnings about records that are missing
 * @throws UnauthorizedError for an account problem, UnavailableError for an exhausted quota and for
 * a service that sends no record at all
 */
export async function fetchRecords(
  session: Session,
  ledger: SpendLedger,
  matcher: RecordMatcher,
  save: string | undefined,
): Promise<Notice[]> {
  const total = [...ledger.requests()].length;
  const failures: CarbonError[] = [];
  if (save === undefined) {
    await retrieve(session, ledger, matcher, { total, failures, file: undefined });
  } else if (total === 0) {
    const text = `No row has the ID of an organization, so carbon retrieved no record and did not write ${save}`;
    return [{ level: 'warning', text, event: { event: 'not_written', file: save } }];
  } else {
    await writeTarget(save, thisMachine(session.context.process.id), (file) =>
      retrieve(session, ledger, matcher, { total, failures, file }),
    );
    const records = total - failures.length;
    const text = `Wrote ${save} (${plural(records, 'record')})`;
    const event = { event: 'written', file: save, records };
    session.messages.print({ level: 'progress', text, event });
  }
  const [first] = failures;
  if (first === undefined) return [];
  const text = `carbon could not retrieve ${count.format(failures.length)} of ${plural(total, 'record')}, so their rows are uncovered. The first failure: ${first.message}`;
  const error = errorObject(first);
  const event = { event: 'not_retrieved', failed: failures.length, of: total, error };
  return [{ level: 'warning', text, event }];
}

interface Work {
  readonly total: number;
  /** Receives the failures. */
  readonly failures: CarbonError[];
  readonly file: FileHandle | undefined;
}

async function retrieve(
  session: Session,
  ledger: SpendLedger,
  matcher: RecordMatcher,
  { total, failures, file }: Work,
): Promise<void> {
  if (total === 0) return;
  const { clock, limitYoungGeneration } = session.context;
  const queue = await PacedRetrieval.open(session);
  const limitMemory = await limitYoungGeneration();
  const { service } = session.identity();
  let done = 0;
  let failedLines = '';
  const fail = (request: RecordRequest, error: CarbonError) => {
    failures.push(error);
    requireService(failures, { done, total });
    matcher.fail(request, error.message);
    const { id, currency } = request;
    failedLines += `${JSON.stringify({ ok: false, id, currency, error: errorObject(error) })}\n`;
  };
  const text = () => `Requesting records: ${count.format(done)} of ${count.format(total)}`;
  await withLiveStatus(session, text, async () => {
    const results = mapConcurrent(ledger.requests(), retrievalConcurrency, async (request) => ({
      request,
      outcome: await queue.retrieve(String(request.id), request.currency),
      retrievedAt: new Date(clock.now()).toISOString(),
    }));
    for await (const { request, outcome, retrievedAt } of results) {
      done += 1;
      if (done % 100 === 0) limitMemory();
      const { key, id, currency } = request;
      const error = 'error' in outcome ? outcome.error : otherRecord(outcome.received.record, id);
      if (error !== undefined || 'error' in outcome) {
        if (error !== undefined) fail(request, error);
        continue;
      }
      const retrieval: Retrieval = { service, currency, retrievedAt };
      matcher.take({ ...readRecord(outcome.received.record).record, id }, key, retrieval);
      await file?.writeFile(recordLine(id, retrieval, compactJson(outcome.received.json)));
    }
  });
  await file?.writeFile(failedLines);
}

/*
 * Without any record, the result would show nothing, and --save would replace a good file. The
 * first failures decide, because each takes several attempts.
 */
function requireService(
  failures: readonly CarbonError[],
  { done, total }: { readonly done: number; readonly total: number },
): void {
  const [first] = failures;
  if (first === undefined || done > failures.length) return;
  if (failures.length < Math.min(total, maxFirstFailures)) return;
  if (failures.every((error) => error instanceof UnavailableError)) throw first;
}

/* The figures of another organization would be wrong for this supplier. */
function otherRecord(record: object, requested: string | number): CarbonError | undefined {
  const { id } = readReference(record);
  if (id === undefined || isSameId(id, requested)) return undefined;
  return new HintedError(
    'unreadable_response',
    `The service sent the record of organization ${id} for organization ${requested}`,
    { id: String(requested), hint: `To see the record, run carbon api organizations/${requested}` },
  );
}
