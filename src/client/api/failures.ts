/*
 * Reads an HTTP response with an error status as one of the failures of section 7 of
 * docs/service.md. A response in any other form is a failure of the service, never of the data.
 */
import type { CarbonError } from '../../runtime/carbon-error.ts';
import { errorSchemas } from './error-schemas.ts';
import { NotFoundError, RejectedError, UnauthorizedError, UnavailableError } from './errors.ts';
import { isObject, isSameId } from './ids.ts';
import {
  type HttpResponse,
  header,
  isCompressed,
  type RequestInfo,
  readDetails,
  unreadable,
  utf8,
} from './responses.ts';

/** Returns the error for a response whose status is not 2xx, received at the wall time `now`. */
export function readFailure(response: HttpResponse, info: RequestInfo, now: number): CarbonError {
  const { status } = response;
  const { subject, baseUrl, redact } = info;
  const body = readErrorBody(response.body);
  const title = quotable(body['title'], redact, maxTitleLength);
  const detail = quotable(body['detail'], redact);
  const details = { title, detail, ...readDetails(response, info, now) };
  // One of them may contain the other.
  const [inDetail, inTitle] = [isIn(title, detail), isIn(detail, title)];
  const label = title === undefined || inDetail ? `${status}` : `${status} ${title}`;
  // More words may follow the message.
  const isSaid = detail === undefined || (inTitle && !inDetail);
  const text = isSaid ? '' : `: ${detail.replace(/\.$/, '')}`;
  const explained = (what: string) => `${what} (${label})${text}`;
  if (status === 429) {
    // Nothing in a response tells a quota from a rate limit, so the service's own words follow.
    const [usual] = /^too many \w+(?=\.?$)/i.exec(title ?? '') ?? [];
    const named = usual
      ? undefined
      : (title ?? quotable(readText(response.body), redact, maxTitleLength));
    const said = detail ?? named;
    const heading = `T${(usual ?? 'too many requests').slice(1).toLowerCase()}`;
    const words = said === undefined ? '' : `: ${said.replace(/\.$/, '')}`;
    return new UnavailableError('rate_limited', `${heading} (429)${words}`, details);
  }
  if (status >= 500)
    return new UnavailableError(
      'service_failed',
      explained(`The service at ${baseUrl} failed`),
      details,
    );
  if (status === 401)
    return new UnauthorizedError(explained('The service rejected the API key'), details);
  if (status === 402) {
    const message = explained('The account does not allow this request');
    return new UnauthorizedError(message, details, 'payment_required');
  }
  // The page of a firewall has another form, and is not about the key or the data.
  const isError = body['status'] === status && errorSchemas.NoMatch.safeParse(body).success;
  const isTitled = isError && errorSchemas.Error.safeParse(body).success;
  if (status === 403 && isTitled)
    return new UnauthorizedError(explained('The API key does not allow this request'), details);
  if ((status === 400 || status === 422) && isTitled)
    return new RejectedError(explained(`The service rejected ${subject}`), details);
  if (status === 404 && info.id === undefined && isError && (body['title'] ?? null) === null)
    return new NotFoundError(explained(`The service did not find ${subject}`), details);
  // The 404 of a web framework has no id, or that of a trace instead of the organization's.
  if (status === 404 && info.id !== undefined && isTitled && isIdOf(body['id'], info.id))
    return new NotFoundError(`No organization has ID ${info.id}`, details);
  const target = header(response, 'location');
  if (status >= 300 && status < 400 && status !== 304 && target !== undefined) {
    const to = `redirects to ${quotable(target, redact)} (${status})`;
    const what = `${to}; carbon does not send the API key there`;
    return unreadable(info, { ...details, reason: 'redirect' }, what);
  }
  const quote = detail || title ? ` (response text: ${detail || title})` : '';
  if (isCompressed(response)) {
    const what = `responded ${status} with a compressed body (gzip or similar), which carbon did not request`;
    return unreadable(info, details, what);
  }
  const what = `responded ${status}, but not in the format of the service${quote}`;
  return unreadable(info, status === 404 ? { ...details, reason: 'unknown_path' } : details, what);
}

/* Checks whether a text says nothing but words that the other says in this order. */
function isIn(part: string | undefined, whole: string | undefined): boolean {
  const words = (text = '') =>
    ` ${
      text
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(' ') ?? ''
    } `;
  return part !== undefined && whole !== undefined && words(whole).includes(words(part));
}

/* Longer than any reasonable text; a batch stores it for every row. */
const maxTitleLength = 200;
const maxDetailLength = 4_000;

/* Reads the body of a response with an error status (section 2.10); {} if it is no JSON object. */
function readErrorBody(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(utf8.decode(body));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/* Returns what a body in no form of the specification says, unless it is a web page. */
function readText(body: Uint8Array): string | undefined {
  try {
    const text = utf8.decode(body).trim();
    const value: unknown = /^[{["]/.test(text) ? JSON.parse(text) : text;
    const said = isObject(value) ? (value['message'] ?? value['error']) : value;
    return typeof said === 'string' && said !== '' && !said.startsWith('<') ? said : undefined;
  } catch {
    return undefined;
  }
}

function isIdOf(value: unknown, id: string): boolean {
  return (typeof value === 'string' || typeof value === 'number') && isSameId(value, id);
}

/* Redacts and truncates text of the service, which ends up in messages, results and files. */
function quotable(
  text: unknown,
  redact: RequestInfo['redact'] = (unchanged) => unchanged,
  maxLength = maxDetailLength,
): string | undefined {
  if (typeof text !== 'string') return undefined;
  const redacted = redact(text);
  return redacted.length > maxLength ? `${redacted.slice(0, maxLength)}…` : redacted;
}
