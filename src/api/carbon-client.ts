import { type ClientOptions, type RetrieveOptions, ServiceClient } from './client.ts';
import type { RecordResponse } from './http/response.ts';
import type { Registration } from './schema.ts';
import { type WaitOptions, waitForResearch } from './wait.ts';

/**
 * The client of the library: both operations of section 4 of the specification, with
 * authentication, time limits and retries, and the wait for the end of research. Every failure is a
 * `CarbonError`, except that an aborted signal rejects with its own reason. Call `close` at the
 * end.
 */
export class CarbonClient {
  readonly #service: ServiceClient;

  /** @throws InvalidInputError when no request can be made with the base URL or the key */
  constructor(options: ClientOptions) {
    this.#service = new ServiceClient(options);
  }

  /**
   * Registers an organization, or finds it already registered (section 4.1). May be repeated.
   * @param signal ends this request; the client's own by default
   */
  register(identifier: Registration, signal?: AbortSignal): Promise<RecordResponse> {
    return this.#service.register(identifier, signal);
  }

  /**
   * Retrieves the current record of a registered organization (section 4.2).
   * @param signal ends this request; the client's own by default
   */
  retrieve(
    id: string | number,
    options: RetrieveOptions = {},
    signal?: AbortSignal,
  ): Promise<RecordResponse> {
    return this.#service.retrieve(id, options, signal);
  }

  /**
   * Waits for the end of the research on an organization and returns the final record, as `carbon
   * watch` does.
   *
   * The record is checked at once, then every 10 s, more rarely the longer the research takes, at
   * most every 60 s. Research has ended when the status is `synced` or `errored` (section 3): look
   * at `record.status`. Lost connections, timeouts, 429, 5xx and unreadable responses are retried
   * until the time limit, with growing waits and never before Retry-After. At the time limit the
   * record is checked a last time.
   *
   * @throws PendingError when the research is still in progress at the time limit
   * @throws UnavailableError when no check has succeeded until the time limit, or four unreadable
   * responses in a row suggest a wrong base URL
   * @throws NotFoundError when the service knows no such organization
   * @throws UnauthorizedError when the service refuses the key
   * @throws the reason of the signal, by default an `AbortError`, when `signal` or the client's own
   * signal is aborted
   */
  wait(id: string | number, options: WaitOptions = {}): Promise<RecordResponse> {
    return waitForResearch(this.#service, id, options);
  }

  /** Ends every connection. */
  close(): Promise<void> {
    return this.#service.close();
  }
}
