/*
 * Reads error bodies (section 2.10 of the specification). Redacts and truncates titles and details,
 * because they end up in messages, results and files.
 */
import type { ErrorDetails } from '../../runtime/carbon-error.ts';
import { isObject, type OrganizationId } from '../reference.ts';

/** Contains the text of an error body and its form. */
export interface ErrorBody extends Pick<ErrorDetails, 'title' | 'detail'> {
  /**
   * Form of the body; additional members do not matter.
   *
   * - `error`: status (equal to the HTTP status), title and detail
   * - `error with id`: the same with an id, the 404 of retrieval
   * - `error without title`: status and detail only, the 404 of registration
   * - `other`: anything else
   */
  readonly form: 'error' | 'error with id' | 'error without title' | 'other';
  /** Id in an `error with id`. */
  readonly id?: OrganizationId | undefined;
}

/* Longer than any reasonable text; a batch stores it for every row. */
const maxTitleLength = 200;
const maxDetailLength = 4_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a response with an error status.
 *
 * @param status HTTP status; a body with another status has the form `other`
 * @param redact removes the key from the text of the service
 */
export function readErrorBody(
  body: Uint8Array,
  status: number,
  redact: ((text: string) => string) | undefined,
): ErrorBody {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    return { form: 'other' };
  }
  if (!isObject(value)) return { form: 'other' };
  const form = classify(value, status);
  const id = form === 'error with id' ? (value['id'] as OrganizationId) : undefined;
  return { ...readErrorText(value, redact), form, id };
}

function classify(body: Readonly<Record<string, unknown>>, httpStatus: number): ErrorBody['form'] {
  const { status, title, detail, id } = body;
  if (status !== httpStatus || typeof detail !== 'string') return 'other';
  if (typeof title === 'string') {
    return typeof id === 'string' || typeof id === 'number' ? 'error with id' : 'error';
  }
  return (title ?? null) === null ? 'error without title' : 'other';
}

/** Reads `title` and `detail` of an object if they are strings. */
export function readErrorText(
  { title, detail }: Readonly<Record<string, unknown>>,
  redact: ((text: string) => string) | undefined,
): Pick<ErrorDetails, 'title' | 'detail'> {
  return {
    ...(typeof title === 'string' && { title: quotable(title, maxTitleLength, redact) }),
    ...(typeof detail === 'string' && { detail: quotable(detail, maxDetailLength, redact) }),
  };
}

/** Redacts and truncates text of the service for a message. */
export function quotable(
  text: string,
  maxLength = maxDetailLength,
  redact: (text: string) => string = (unchanged) => unchanged,
): string {
  const redacted = redact(text);
  return redacted.length > maxLength ? `${redacted.slice(0, maxLength)}…` : redacted;
}
