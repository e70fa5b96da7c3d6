/* Schema of the errors that `--json` prints. Only `carbon schema` and tests load it. */
import * as z from 'zod/mini';
import type { CarbonErrorCode } from '../../../runtime/carbon-error.ts';
import type { ErrorObject } from '../../errors.ts';

/* Meaning of each code. The type requires every code. */
const meanings: Readonly<Record<CarbonErrorCode, string>> = {
  usage: 'the command line or the environment is wrong',
  invalid_input: 'an argument, a file or a field is invalid; nothing was sent',
  no_base_url: 'no base URL is configured',
  no_key: 'no API key is configured for the base URL',
  unauthorized: 'the service rejected the API key or does not permit the request (401, 403)',
  payment_required: 'the account does not permit the request (402)',
  refused: 'the service refused the data (400, 422)',
  not_found: 'the service knows no such organization (404)',
  rate_limited: 'too many requests (429), or a quota is used up',
  service_failed: 'the service failed (5xx)',
  unreadable_response: 'the response is not in the form of the specification',
  network: 'the service or the proxy could not be reached',
  timeout: 'the service did not respond in time',
  proxy: 'the proxy refused the connection or cannot be used',
  pending: 'research was still in progress at the time limit',
  local: 'a failure of this machine, such as a full disk',
  interrupted: 'a signal ended the run',
  bug: 'an unexpected failure of carbon itself',
};

const codes = Object.keys(meanings) as CarbonErrorCode[];
const listed = codes.map((code) => `${code}: ${meanings[code]}`).join('; ');

const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string) =>
  schema.check(z.describe(description));

const logged = {
  code: described(z.enum(codes), `Kind of failure; the list is closed. ${listed}.`),
  message: described(z.string(), 'What failed and why, for people'),
  status: described(z.optional(z.int()), 'HTTP status of the error response'),
  title: described(z.optional(z.string()), "title of the service's error body"),
  detail: described(z.optional(z.string()), "detail of the service's error body, verbatim"),
  id: described(z.optional(z.string()), 'Id of the requested organization'),
  retryable: described(z.boolean(), 'Whether the same request may succeed later'),
};

/* The type requires every member of the printed error, and permits no other. */
const members: Readonly<Record<keyof ErrorObject, z.ZodMiniType>> = {
  ...logged,
  exit: described(z.int(), 'Exit code of a command that fails with this error'),
  hint: described(z.optional(z.string()), 'What to do, one sentence'),
};

/** Schema of the failure of one row in an event, without exit code and hint. */
export const loggedErrorSchema = z.object(logged);

/** Schema of `ErrorObject`, the failure of a command or of one item. */
export const errorObjectSchema = z.object(members);

/** Schema of the line on standard error that describes the failure of a command. */
export const errorLineSchema = z.object({ error: errorObjectSchema });
