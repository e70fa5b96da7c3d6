/* Retrieves many organizations for a command, as fast as the service allows. */
import type { ServiceClient } from '../api/client.ts';
import { PacedRequests } from '../api/paced-requests.ts';
import type { RecordResponse } from '../api/responses.ts';
import { singleAttempt } from '../api/retry.ts';
import { Pacer } from '../pace/pacer.ts';
import { CarbonError } from '../runtime/carbon-error.ts';
import type { Session } from './session.ts';

/** Maximum requests in flight. */
export const retrievalConcurrency = 8;
/* Minimum time between two reports of a wait, because several requests wait at the same time. */
const noteEveryMs = 10_000;

/** The record of an organization, or why it was not retrieved. */
export type Retrieved =
  | { readonly id: string; readonly received: RecordResponse }
  | { readonly error: CarbonError };

/** Limits the pace of a retrieval. */
export interface RetrievalPace {
  /** Maximum requests in flight. */
  readonly concurrency?: number;
  /** Maximum requests per second. */
  readonly maxRate?: number | undefined;
}

/** Retrieves records with one client and one pacer. */
export class PacedRetrieval {
  readonly client: ServiceClient;
  readonly pacer: Pacer;
  readonly #requests: PacedRequests;

  private constructor(session: Session, client: ServiceClient, pacer: Pacer) {
    const { clock, random, signal } = session.context;
    this.client = client;
    this.pacer = pacer;
    const onWait = session.reportWaits(2_000, noteEveryMs);
    const requests = new PacedRequests({ pacer, clock, random, signal, onWait });
    // After a failure of this machine, such as a full disk, other requests may still wait.
    session.onClose(async () => requests.abort());
    this.#requests = requests;
  }

  /** Connects to the service. */
  static async open(
    session: Session,
    { concurrency = retrievalConcurrency, maxRate }: RetrievalPace = {},
  ): Promise<PacedRetrieval> {
    const { account: access } = session;
    const options = { connections: concurrency, retries: singleAttempt };
    const { client } = await session.connect({ ...options, ...(access && { access }) });
    const pacer = new Pacer({ concurrency, maxRate });
    return new PacedRetrieval(session, client, pacer);
  }

  /**
   * Retrieves one record in its turn. Returns the failure if it concerns only this organization.
   * @throws as `PacedRequests.send` does
   */
  async retrieve(id: string, currency: string | undefined): Promise<Retrieved> {
    const received = await this.#requests.send((signal) =>
      this.client.retrieve(id, { currency }, signal),
    );
    return received instanceof CarbonError ? { error: received } : { id, received };
  }
}
