import type { ServiceClient } from '../../api/client.ts';
import type { HttpResponse, Method } from '../../api/request.ts';
import { type ReadResponse, readFailure } from '../../api/responses.ts';
import { interactiveRetries, singleAttempt } from '../../api/retry.ts';
import {
  CarbonError,
  type CarbonErrorCode,
  type ErrorDetails,
  HintedError,
  toCarbonError,
  UsageError,
} from '../../runtime/carbon-error.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { type CommandDeclaration, serviceOptions } from '../declaration.ts';
import { withLiveStatus } from '../live-status.ts';
import type { Session } from '../session.ts';
import {
  addQuery,
  collectFields,
  decodeText,
  type GivenField,
  isJson,
  readEndpoint,
  readFields,
  readInput,
  renderBody,
} from './api-input.ts';

interface ApiOptions {
  readonly rawField?: readonly GivenField[];
  readonly field?: readonly GivenField[];
  readonly input?: string;
  readonly include?: boolean;
}

const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const howItWorks = `
The path is relative to the base URL, such as organizations/12. A complete URL
must be under the base URL. The API key is never sent anywhere else.

The method is GET, or POST with -f, -F or --input. With GET and HEAD, the fields
become query parameters; with other methods, a JSON object.

A pipe gets the body of the response byte for byte, even that of an error. A
terminal gets indented JSON, and other text without control characters. --json
prints errors as JSON on standard error; it does not change the body.

carbon retries GET, HEAD, PUT and DELETE. It sends any other request once.

Exit codes: 0 for 2xx, 4 for 401, 402 and 403, 5 for 404 and 410, 3 for any
other 4xx, 6 for 429, any other status and a request without a response.`;

/** `carbon api` */
export const apiCommand: CommandDeclaration<ApiOptions> = {
  name: 'api',
  group: 'Developers',
  summary: 'Make an authenticated request to the service',
  usage: '[method] <path> [options]',
  arguments: [
    {
      term: '<path...>',
      description: 'optional method, and path under the base URL, such as organizations/12',
    },
  ],
  options: {
    Options: [
      {
        flags: '-f, --raw-field <key=value>',
        description: 'add a string (repeatable)',
        parse: collectFields('-f'),
      },
      {
        flags: '-F, --field <key=json>',
        description: 'add a JSON value (repeatable)',
        parse: collectFields('-F'),
      },
      {
        flags: '--input <file>',
        description: 'send this file of JSON as the body, or - for standard input',
      },
      {
        flags: '-i, --include',
        description: 'print the status line and the headers before the body',
      },
    ],
  },
  examples: [
    'carbon api organizations/12',
    'carbon api PATCH organizations/12 -f website=acme.com -F employees=250',
    'carbon api PUT organizations/12/tags --input tags.json -i',
  ],
  notes: howItWorks,
  formats: ['human', 'json'],
  service: serviceOptions,
  missing: ['a path', 'Try `carbon api organizations/12`.'],
  synonyms: ['request', 'curl'],
  run: api,
};

async function api(
  session: Session,
  words: readonly string[],
  options: ApiOptions,
): Promise<number> {
  const { method, path } = readWords(words, options);
  checkOptions(method, options);
  const { rawField = [], field = [], input } = options;
  const fields = readFields([...rawField, ...field]);
  const hasQuery = method === 'GET' || method === 'HEAD';
  const given = input === undefined ? undefined : await readInput(input, session.context);
  const body = given ?? (hasQuery || fields.length === 0 ? null : renderBody(fields));
  const { client } = await session.connect();
  const endpoint = readEndpoint(path, client.baseUrl);
  const target = hasQuery ? addQuery(endpoint, fields) : endpoint;
  const isRepeatable = method !== 'POST' && method !== 'PATCH';
  const request = { method, path: target, body, isRepeatable };
  const { response, redact, error } = await sendRequest(session, client, request);
  if (options.include) await printHead(session, response, redact);
  printBody(session, response, error === undefined);
  if (error !== undefined) throw error;
  return 0;
}

function readWords(
  words: readonly string[],
  { rawField, field, input }: ApiOptions,
): { method: Method; path: string } {
  const [first = '', second, extra] = words;
  if (extra !== undefined) {
    throw new UsageError(
      `Unexpected argument "${extra}"`,
      'Give at most a method and a path, and quote a path with spaces.',
    );
  }
  const method = methods.find((name) => name === first.toUpperCase());
  if (second === undefined) {
    if (method !== undefined)
      throw new UsageError(`The path is missing after ${first}`, `Run carbon api ${first} <path>.`);
    const hasBody = rawField !== undefined || field !== undefined || input !== undefined;
    return { method: hasBody ? 'POST' : 'GET', path: first };
  }
  if (method !== undefined) return { method, path: second };
  throw new UsageError(`"${first}" is not a method`, `Use one of ${methods.join(', ')}.`);
}

function checkOptions(method: Method, { rawField, field, input, include }: ApiOptions): void {
  const hasFields = rawField !== undefined || field !== undefined;
  if (input !== undefined && hasFields)
    throw new UsageError('--input cannot be combined with -f or -F');
  if (input !== undefined && (method === 'GET' || method === 'HEAD'))
    throw new UsageError(`--input does not apply to ${method}, which has no body`);
  if (method === 'HEAD' && !include)
    throw new UsageError('HEAD has no body to print', 'Add -i to print the headers.');
}

/* A request to any endpoint. */
interface ApiRequest {
  readonly method: Method;
  readonly path: string;
  readonly body: string | null;
  /* Whether it is safe to send the request again; carbon retries only such requests. */
  readonly isRepeatable: boolean;
}

/* A response of any status. */
interface ApiResponse {
  readonly response: HttpResponse;
  readonly redact: (text: string) => string;
  /* The error of a status that is not 2xx. */
  readonly error?: CarbonError;
}

/*
 * Sends a request and returns the last response, whatever its status. Throws only if there is no
 * response.
 */
async function sendRequest(
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
    return { response: last.response, redact, error: statusError(last.response, error, request) };
  }
}

const checkBeforeRepeating =
  'The service may have processed the request. Check this before you send it again.';

function codeOf(status: number): CarbonErrorCode {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 402) return 'payment_required';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status >= 500) return 'service_failed';
  return status >= 400 ? 'refused' : 'unreadable_response';
}

/*
 * Returns the error for a response whose status is not 2xx, by its status alone: the forms of the
 * specification do not apply to other endpoints.
 */
function statusError(
  { status }: HttpResponse,
  failure: CarbonError,
  { method, path, isRepeatable }: ApiRequest,
): CarbonError {
  if (failure.reason === 'redirect') return failure;
  const { title, detail, retryAfterMs, retryAtMs, rateLimit } = failure;
  const code = codeOf(status);
  const name = title === undefined ? '' : ` ${title}`;
  const message = `${method} ${path} failed: the service responded ${status}${name}`;
  const details: ErrorDetails = { status, title, detail, retryAfterMs, retryAtMs, rateLimit };
  if (code === 'service_failed' && !isRepeatable)
    return new HintedError(code, message, { ...details, hint: checkBeforeRepeating });
  // The hints for these codes are about organizations and records.
  if (code === 'refused' || code === 'not_found' || code === 'unreadable_response')
    return new HintedError(code, message, { ...details, hint: hintFor(status) });
  return new CarbonError(code, message, details);
}

function hintFor(status: number): string | undefined {
  if (status === 404) return 'Check the path. It is relative to the base URL of `carbon whoami`.';
  return status === 405 ? 'Check the method and the path.' : undefined;
}

/* Returns the error of a request without a response; another hint if it is not repeatable. */
function connectionError(error: CarbonError, { isRepeatable }: ApiRequest): CarbonError {
  const mayHaveArrived = error.code === 'network' || error.code === 'timeout';
  if (isRepeatable || !mayHaveArrived || error.reason !== undefined) return error;
  return new HintedError(error.code, error.message, { hint: checkBeforeRepeating });
}

/* Headers that give access to an account. */
const secretHeaders = ['set-cookie', 'set-cookie2', 'authorization'];

/* Prints the status line and the headers, without cookies. Every line is safe for a terminal. */
async function printHead(
  session: Session,
  { status, headers }: HttpResponse,
  redact: (text: string) => string,
): Promise<void> {
  const { STATUS_CODES } = await import('node:http');
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []]
      .flat()
      .map((text) => redact(`${name}: ${secretHeaders.includes(name) ? '[hidden]' : text}`)),
  );
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  session.print(`${[statusLine, ...lines].map(sanitize).join('\n')}\n\n`);
}

/*
 * Prints the body: unchanged in a pipe, indented or sanitized in a terminal. The body of an error
 * ends with a line break, because the message may follow it in the same file.
 */
function printBody(session: Session, { body, headers }: HttpResponse, isExact: boolean): void {
  const { stdout } = session.context;
  if (body.length === 0) return;
  const text = decodeText(body);
  if (!stdout.isTerminal) {
    stdout.write(text ?? body);
    if (!isExact && body.at(-1) !== 10) stdout.write('\n');
  } else if (text === undefined) {
    const type = sanitize([headers['content-type'] ?? 'unknown type'].flat().join(', '));
    session.messages.warn(
      `The response has ${body.length} bytes that are not text (${type}). Redirect the output to save them.`,
    );
  } else if (isJson(text)) session.printJson(text);
  else {
    const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
    session.print(`${lines.map(sanitize).join('\n')}\n`);
  }
}
