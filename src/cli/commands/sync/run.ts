/*
 * Retrieves the records of a list that are due, follows the research on those in progress, and
 * keeps what it retrieves.
 */
import { readReference } from '../../../api/ids.ts';
import type { RecordResponse } from '../../../api/responses.ts';
import { type Outcome, reader, schedule } from '../../../api/scheduler.ts';
import { watch } from '../../../api/watch.ts';
import { isInProgress, type RecordKey } from '../../../sync/lines.ts';
import type { Refresh } from '../../../sync/refresh.ts';
import { count, plural, renderDuration } from '../../../terminal/format.ts';
import { withLiveStatus } from '../../live-status.ts';
import { compactJson } from '../../output/json.ts';
import type { Session } from '../../session.ts';
import type { Service } from '../batch/open-list.ts';

interface RetrievalOptions {
  readonly records: readonly RecordKey[];
  /** Number of organizations that this run registered. */
  readonly registered: number;
  readonly timeoutMs: number;
}

/**
 * Retrieves what is due, then follows the research on what is in progress.
 * @throws CarbonError if the service or this machine fails
 */
export async function retrieveRecords(
  session: Session,
  service: Service,
  refresh: Refresh,
  { records, registered, timeoutMs }: RetrievalOptions,
): Promise<void> {
  const client = await service.client();
  const pacer = await service.pacer();
  const attempt = ({ id, currency }: RecordKey, signal: AbortSignal) =>
    client.retrieve(String(id), { currency: currency ?? undefined }, signal);
  const take = (record: RecordKey, { record: received, json }: RecordResponse) =>
    refresh.take(record, readReference(received), compactJson(json));
  const judge = async (record: RecordKey, { response, error }: Outcome<RecordResponse>) => {
    refresh.remaining -= 1;
    await (error === undefined ? take(record, response) : refresh.fail(record, error));
    return undefined;
  };
  const text = () =>
    `Retrieving ${count.format(records.length - refresh.remaining)} of ${plural(records.length, 'record')}`;
  await withLiveStatus(session, text, async () => {
    const { next } = reader(records);
    const options = { next, attempt, judge, pacer, mayStart: true };
    for await (const _ of schedule(session.environment, options));
  });
  const heads = records.flatMap(({ id, currency }) => refresh.store.head(id, currency) ?? []);
  const open = new Set<RecordKey>(heads.filter(isInProgress));
  if (open.size === 0) return;
  const limit = timeoutMs === 0 ? '' : `up to ${renderDuration(timeoutMs)} `;
  const done = registered > 0 ? `Registered ${plural(registered, 'organization')}. ` : '';
  session.messages.print({
    level: 'detail',
    text: `${done}Waiting ${limit}for research; Ctrl-C is safe`,
  });
  const research = () => `Waiting for research on ${plural(open.size, 'record')}`;
  await withLiveStatus(session, research, async () => {
    const options = { retrieve: attempt, pacer, timeoutMs, isChecked: true };
    for await (const event of watch(session.environment, [...open], options)) {
      const { kind, item } = event;
      if (kind === 'ended' || (kind === 'checked' && event.changed))
        await take(item, event.received);
      if (kind === 'failed') await refresh.fail(item, event.error);
      if (kind === 'ended' || kind === 'failed') open.delete(item);
    }
  });
}
