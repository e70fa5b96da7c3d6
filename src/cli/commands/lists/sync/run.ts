/*
 * Retrieves the records of a list that are due, follows the research on those in progress, and
 * keeps what it retrieves.
 */
import type { ServiceClient } from '../../../../client/api/client.ts';
import { type OrganizationId, readReference } from '../../../../client/api/ids.ts';
import { compactJson } from '../../../../client/api/json-tokens.ts';
import { maxStartMs } from '../../../../client/api/outages.ts';
import type { RecordResponse } from '../../../../client/api/responses.ts';
import { type Limited, type Outcome, reader, schedule } from '../../../../client/api/scheduler.ts';
import { watch } from '../../../../client/api/watch.ts';
import { count, plural, renderDuration } from '../../../../display/terminal/format.ts';
import { progressBar } from '../../../../display/terminal/pictures.ts';
import type { Refresh } from '../../../../lists/batch/refresh.ts';
import type { OtherRequest } from '../../../../lists/batch/send.ts';
import { isInProgress, type RecordKey } from '../../../../lists/kept/lines.ts';
import { withLiveStatus } from '../../../live-status.ts';
import type { Session } from '../../../session.ts';
import type { RunService } from '../batch/open-list.ts';
import { countWords } from '../batch/screen.ts';

interface RetrievalOptions {
  /** The organizations of the list. */
  readonly ids: readonly OrganizationId[];
  readonly records: readonly RecordKey[];
  /** Number of organizations that this run registered. */
  readonly registered: number;
  readonly timeoutMs: number;
}

/** A request for a record, and the record. */
interface Retrieval extends OtherRequest {
  send(signal: AbortSignal): Promise<RecordResponse>;
}

/** Returns the requests for records; `refresh` keeps what they find. */
export function* retrievalsOf(
  service: RunService,
  refresh: Refresh,
  records: readonly RecordKey[],
): Generator<Retrieval, undefined, void> {
  for (const record of records)
    yield {
      send: async (signal) => retrieve(await service.client(), record, signal),
      async judge({ response, error }: Outcome<Limited>) {
        refresh.remaining -= 1;
        if (error !== undefined) await refresh.fail(record, error);
        else await take(refresh, record, response as RecordResponse);
      },
    };
}

/** Describes how many of the records are retrieved; undefined if all are. */
export function describeRetrieval({ remaining }: Refresh, total: number): string | undefined {
  if (remaining === 0) return undefined;
  return `Retrieving ${count.format(total - remaining)} of ${plural(total, 'record')}`;
}

const barColumns = 22;

/** Describes how far the research on records is, with a bar where a terminal can show one. */
export function describeResearch(
  { total, open, failed }: Readonly<Record<'total' | 'open' | 'failed', number>>,
  hasBar: boolean,
): string {
  const done = total - open;
  const drawn = hasBar ? `${progressBar(done / total, barColumns)} ` : '';
  const counts = `Researching ${drawn}${count.format(done)} of ${count.format(total)}`;
  return [counts, ...countWords(failed, 'failed')].join(' · ');
}

/** Returns how long a service that does not respond yet may take to start. */
export function maxStartOf(timeoutMs: number): number | undefined {
  return timeoutMs > 0 && timeoutMs < maxStartMs ? timeoutMs : undefined;
}

function retrieve(
  client: ServiceClient,
  { id, currency }: RecordKey,
  signal: AbortSignal,
): Promise<RecordResponse> {
  return client.retrieve(String(id), { currency: currency ?? undefined }, signal);
}

function take(
  refresh: Refresh,
  record: RecordKey,
  { record: received, json }: RecordResponse,
): Promise<void> {
  return refresh.take(record, readReference(received), compactJson(json));
}

/**
 * Retrieves what is due, then follows the research on what is in progress.
 * @throws CarbonError if the service or this machine fails
 */
export async function retrieveRecords(
  session: Session,
  service: RunService,
  refresh: Refresh,
  { ids, records, registered, timeoutMs }: RetrievalOptions,
): Promise<void> {
  const client = await service.client();
  const pacer = await service.pacer();
  const text = () => describeRetrieval(refresh, records.length) ?? '';
  await withLiveStatus(session, text, async () => {
    const attempt = (each: Retrieval, signal: AbortSignal) => each.send(signal);
    const judge = async (each: Retrieval, outcome: Outcome<RecordResponse>) => {
      await each.judge(outcome);
      return undefined;
    };
    const { next } = reader(retrievalsOf(service, refresh, records));
    const limits = { mayStart: true, maxStartMs: maxStartOf(timeoutMs) };
    for await (const _ of schedule(session.environment, {
      next,
      attempt,
      judge,
      pacer,
      ...limits,
    }));
  });
  const open = new Set<RecordKey>(refresh.heads(ids).filter(isInProgress));
  if (open.size === 0) return;
  const limit = timeoutMs === 0 ? '' : `up to ${renderDuration(timeoutMs)} `;
  const done = registered > 0 ? `Registered ${plural(registered, 'organization')}. ` : '';
  session.messages.print({
    level: 'detail',
    text: `${done}Waiting ${limit}for research; Ctrl-C is safe`,
  });
  const total = open.size;
  let failed = 0;
  const research = () =>
    describeResearch({ total, open: open.size, failed }, session.showsPictures);
  await withLiveStatus(session, research, async () => {
    const options = {
      retrieve: (record: RecordKey, signal: AbortSignal) => retrieve(client, record, signal),
      pacer,
      timeoutMs,
      isChecked: true,
    };
    for await (const event of watch(session.environment, [...open], options)) {
      const { kind, item } = event;
      if (kind === 'ended' || (kind === 'checked' && event.changed))
        await take(refresh, item, event.received);
      if (kind === 'failed') await refresh.fail(item, event.error);
      if (kind === 'failed' || (kind === 'ended' && event.status === 'errored')) failed += 1;
      if (kind === 'ended' || kind === 'failed') open.delete(item);
    }
  });
}
