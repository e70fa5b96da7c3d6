/*
 * Error bodies (section 2.10 of the specification), and the text of other bodies that a message may
 * quote. Titles and details are redacted and shortened: they end up in messages, results and files.
 */
import type { ErrorDetails } from '../../runtime/carbon-error.ts';
import { isObject, type OrganizationId } from '../reference.ts';

/** What a body says of an error, and whether it is in the form of the specification. */
export interface ErrorBody extends Pick<ErrorDetails, 'title' | 'detail'> {
  /**
   * `error`: status (the number of the HTTP status), title and detail. `error with id`: with an id
   * beside them, the 404 of retrieval. `error without title`: status and detail only, the 404 of
   * registration. `other`: anything else. More members than these do no harm.
   */
  readonly form: 'error' | 'error with id' | 'error without title' | 'other';
  /** The id that an `error with id` has. */
  readonly id?: OrganizationId | undefined;
}

/* More than any honest service says; it is kept for every row that a batch sends. */
const maxTitleLength = 200;
const maxDetailLength = 4_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a response with an error status.
 *
 * @param status the HTTP status: a body that does not name it is in no form of the specification
 * @param hide redacts the key in the service's text
 */
export function readErrorBody(
  body: Uint8Array,
  status: number,
  hide: ((text: string) => string) | undefined,
): ErrorBody {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    return { form: 'other' };
  }
  if (!isObject(value)) return { form: 'other' };
  const form = formOf(value, status);
  const id = form === 'error with id' ? (value['id'] as OrganizationId) : undefined;
  return { ...readErrorText(value, hide), form, id };
}

function formOf(body: Readonly<Record<string, unknown>>, httpStatus: number): ErrorBody['form'] {
  const { status, title, detail, id } = body;
  if (status !== httpStatus || typeof detail !== 'string') return 'other';
  if (typeof title === 'string') {
    return typeof id === 'string' || typeof id === 'number' ? 'error with id' : 'error';
  }
  return (title ?? null) === null ? 'error without title' : 'other';
}

/** Reads `title` and `detail` of any object, where they are text. */
export function readErrorText(
  { title, detail }: Readonly<Record<string, unknown>>,
  hide: ((text: string) => string) | undefined,
): Pick<ErrorDetails, 'title' | 'detail'> {
  return {
    ...(typeof title === 'string' && { title: quotable(title, maxTitleLength, hide) }),
    ...(typeof detail === 'string' && { detail: quotable(detail, maxDetailLength, hide) }),
  };
}

/** Redacts and shortens text of the service for a message. */
export function quotable(
  text: string,
  maxLength = maxDetailLength,
  hide: (text: string) => string = (same) => same,
): string {
  const hidden = hide(text);
  return hidden.length > maxLength ? `${hidden.slice(0, maxLength)}…` : hidden;
}
