/* Schema of the errors that `--json` prints. Only `carbon schema` and tests load it. */
import * as z from 'zod/mini';
import type { CarbonErrorCode } from '../../../runtime/carbon-error.ts';
import { type ErrorObject, failures } from '../../errors.ts';

const codes = Object.keys(failures) as CarbonErrorCode[];
const listed = codes.map((code) => `${code}: ${failures[code].meaning}`).join('; ');

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
