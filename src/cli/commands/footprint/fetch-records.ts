/* Retrieves the records of suppliers in the currencies of their rows. */
import type { FileHandle } from 'node:fs/promises';
import { UnavailableError } from '../../../api/errors.ts';
import { isSameId, readReference } from '../../../api/ids.ts';
import { mapConcurrent } from '../../../api/map-concurrent.ts';
import { readRecord } from '../../../api/read-record.ts';
import type { SpendLedger } from '../../../footprint/suppliers/ledger.ts';
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
  const requests = [...ledger.requests()];
  const total = requests.length;
  const failures: CarbonError[] = [];
  const retrieve = async (file?: FileHandle) => {
    const { clock, limitYoungGeneration } = session.context;
    const queue = await PacedRetrieval.open(session);
    const limitMemory = await limitYoungGeneration();
    const { service } = session.identity();
    let done = 0;
    let failedLines = '';
    const text = () => `Requesting records: ${count.format(done)} of ${count.format(total)}`;
    await withLiveStatus(session, text, async () => {
      const results = mapConcurrent(requests, retrievalConcurrency, async (request) => ({
        request,
        outcome: await queue.retrieve(String(request.id), request.currency),
        retrievedAt: new Date(clock.now()).toISOString(),
      }));
      for await (const { request, outcome, retrievedAt } of results) {
        done += 1;
        if (done % 100 === 0) limitMemory();
        const { key, id, currency } = request;
        const received = 'error' in outcome ? undefined : outcome.received;
        const error = 'error' in outcome ? outcome.error : otherRecord(outcome.received.record, id);
        if (error !== undefined) {
          failures.push(error);
          requireService(failures, { done, total });
          matcher.fail(request, error.message);
          failedLines += `${JSON.stringify({ ok: false, id, currency, error: errorObject(error) })}\n`;
        }
        if (error !== undefined || received === undefined) continue;
        const retrieval: Retrieval = { service, currency, retrievedAt };
        matcher.take({ ...readRecord(received.record).record, id }, key, retrieval);
        await file?.writeFile(recordLine(id, retrieval, compactJson(received.json)));
      }
    });
    await file?.writeFile(failedLines);
  };
  if (save !== undefined && total === 0) {
    const text = `No row has the ID of an organization, so carbon retrieved no record and did not write ${save}`;
    return [{ level: 'warning', text, event: { event: 'not_written', file: save } }];
  }
  if (save === undefined) {
    if (total > 0) await retrieve();
  } else {
    await writeTarget(save, thisMachine(session.context.process.id), retrieve);
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
