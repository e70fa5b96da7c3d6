/* The numbers of one run, as the JSON document has them. Only build/docs loads this file. */
import * as z from 'zod/mini';

const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string) =>
  schema.check(z.describe(description));
const count = z.int().check(z.nonnegative());
const time = z
  .string()
  .check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/), z.describe('Time in UTC (ISO 8601)'));

/** Schema of the JSON document of a run, which --metrics-file run.json writes. */
export const runDocumentSchema = z.object({
  kind: z.literal('carbon_run'),
  command: z.enum(['batch', 'sync', 'watch']),
  version: described(z.string(), 'Version of carbon'),
  exit: described(z.int().check(z.minimum(0), z.maximum(255)), 'Exit code'),
  dry_run: described(z.boolean(), 'Whether --dry-run was set'),
  synthetic: described(z.boolean(), 'Whether the sandbox responded, with synthetic data'),
  started_at: time,
  ended_at: time,
  last_success_at: described(
    z.nullable(time),
    'End of the last run that finished (exit code 0, 7, 8 or 9); null before the first',
  ),
  duration_ms: described(count, 'Duration in milliseconds'),
  subject: described(
    z.nullable(z.enum(['rows', 'organizations'])),
    'What the run processed; null if it ended before it had read its input',
  ),
  outcomes: described(
    z.nullable(z.record(z.string(), count)),
    'Counts by outcome. batch: registered, skipped, duplicate, rejected, postponed, invalid. sync and watch: synced, errored, pending, failed, invalid.',
  ),
  left: described(z.nullable(count), 'Number without an outcome'),
  requests: described(count, 'Attempts to send a request, with retries'),
  responses: described(
    z.record(z.string().check(z.regex(/^[1-5]\d\d$/)), count),
    'Responses by HTTP status',
  ),
  permitted_requests_per_second: described(
    z.nullable(z.number().check(z.nonnegative())),
    'Last rate that the service allowed; null if its limit delayed no request',
  ),
});

/** The JSON document of a run. */
export type RunDocument = z.output<typeof runDocumentSchema>;
