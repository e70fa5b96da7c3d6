import { reportProblem } from '../../../batch/failed-rows.ts';
import type { RowPlan } from '../../../batch/preflight.ts';
import type { RowProblem } from '../../../batch/row-action.ts';
import type { RowEvent } from '../../../batch/rows.ts';
import { type CarbonError, UsageError } from '../../../runtime/carbon-error.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { errorObject } from '../../errors.ts';
import { compactJson } from '../../output/json.ts';
import type { Session } from '../../session.ts';

/** Writes the result of one row to standard output: a JSON line, a CSV row or an id. */
export async function printRow(session: Session, event: RowEvent): Promise<void> {
  if (session.format === 'json') session.printJson(rowJson(event));
  else if (session.format === 'ids') printId(session, event);
  else await printCsvRow(session, event);
}

function rowJson(event: RowEvent): string {
  const { line } = event;
  const error = errorOf(event);
  if (error !== undefined) return JSON.stringify({ line, ok: false, error: errorObject(error) });
  if (event.kind !== 'registered') {
    const first =
      event.kind === 'duplicate' ? { duplicate_of: event.firstLine } : { skipped: true };
    return JSON.stringify({ line, ok: true, id: 'id' in event ? event.id : undefined, ...first });
  }
  const { id, status, json = 'null', sameIdAs: same_id_as, other: other_organization } = event;
  const head = JSON.stringify({ line, ok: true, id, status, same_id_as, other_organization });
  return `${head.slice(0, -1)},"record":${compactJson(json)}}`;
}

/**
 * Returns the planned action of a dry run for one row, as a JSON line in the form of `printRow`.
 */
export function planJson(plan: RowPlan): string {
  const { line } = plan;
  if (plan.step === 'new') {
    const fields = plan.dropped.map(({ field }) => field);
    const dropped = fields.length > 0 ? { dropped: fields } : {};
    return JSON.stringify({ line, ok: true, body: plan.registration, ...dropped });
  }
  if (plan.step === 'duplicate')
    return JSON.stringify({ line, ok: true, duplicate_of: plan.firstLine });
  if (plan.step === 'done') return JSON.stringify({ line, ok: true, id: plan.id, skipped: true });
  const error = plan.step === 'refused' ? plan.error : invalidRow(plan.problems);
  return JSON.stringify({ line, ok: false, error: errorObject(error) });
}

function invalidRow(problems: readonly RowProblem[]): UsageError {
  return new UsageError(problems.map(reportProblem).join('; '), undefined, 'invalid_input');
}

function errorOf(event: RowEvent): CarbonError | undefined {
  if (event.kind === 'refused' || event.kind === 'postponed') return event.error;
  if (event.kind !== 'invalid') return undefined;
  return invalidRow(event.problems);
}

function printId(session: Session, event: RowEvent): void {
  if ('id' in event) session.print(`${sanitize(String(event.id))}\n`);
}

async function printCsvRow(session: Session, event: RowEvent): Promise<void> {
  const error = errorOf(event);
  const { readRecord } = await import('../../../api/read-record.ts');
  const known =
    event.kind === 'registered' && event.json !== undefined
      ? JSON.parse(event.json)
      : { id: 'id' in event ? event.id : null };
  await session.printCsv(readRecord(known).record, {
    line: event.line,
    outcome: event.kind,
    error: error?.message ?? doubtOf(event),
  });
}

/* Returns why a registered row may have got another organization. */
function doubtOf(event: RowEvent): string | undefined {
  if (event.kind !== 'registered') return undefined;
  const { sameIdAs, other } = event;
  const doubts = [
    ...(sameIdAs === undefined ? [] : [`same ID as line ${sameIdAs.line}, "${sameIdAs.name}"`]),
    ...(other === undefined ? [] : [`the response names ${other}`]),
  ];
  return doubts.length === 0 ? undefined : doubts.join('; ');
}
