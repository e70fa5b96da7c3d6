import type { ServiceClient } from '../../../api/client.ts';
import type { HttpResponse, Method } from '../../../api/request.ts';
import type { ReadResponse } from '../../../api/responses.ts';
import { readFailure } from '../../../api/responses.ts';
import { interactiveRetries, singleAttempt } from '../../../api/retry.ts';
import { type CarbonError, toCarbonError } from '../../../runtime/carbon-error.ts';
import { withLiveStatus } from '../../live-status.ts';
import type { Session } from '../../session.ts';
import { connectionError, responseError } from './response-error.ts';

/** A request to any endpoint. */
export interface ApiRequest {
  readonly method: Method;
  /** Path below the base URL. */
  readonly path: string;
  readonly body: string | null;
  /** Whether it is safe to send the request again; carbon retries only such requests. */
  readonly isRepeatable: boolean;
}

/** A response of any status. */
export interface ApiResponse {
  readonly response: HttpResponse;
  /** Replaces the API key in a text. */
  readonly redact: (text: string) => string;
  /** The error of a status that is not 2xx. */
  readonly error?: CarbonError;
}

/**
 * Sends a request and returns the last response, whatever its status.
 * @throws CarbonError if there is no response
 */
export async function sendRequest(
  session: Session,
  client: ServiceClient,
  request: ApiRequest,
): Promise<ApiResponse> {
  const { method, path, body, isRepeatable } = request;
  let redact = (text: string) => text;
  let last: { readonly response: HttpResponse; readonly failure: Error } | undefined;
  const read: ReadResponse<HttpResponse> = (response, info, now) => {
    redact = info.redact ?? redact;
    if (response.status >= 200 && response.status <= 299) return response;
    const failure = readFailure(response, info, now);
    last = { response, failure };
    throw failure;
  };
  const retries = isRepeatable ? interactiveRetries : singleAttempt;
  try {
    const response = await withLiveStatus(session, `${method} ${path}`, () =>
      client.send(read, { method, path, body }, retries),
    );
    return { response, redact };
  } catch (thrown) {
    session.context.signal.throwIfAborted();
    const error = toCarbonError(thrown);
    if (last === undefined || thrown !== last.failure) throw connectionError(error, request);
    return { response: last.response, redact, error: responseError(last.response, error, request) };
  }
}
