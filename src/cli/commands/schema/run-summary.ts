/* Schema of the file that --metrics-file run.json writes. Only `carbon schema` and tests load it. */
import * as z from 'zod/mini';
import type { RunDocument } from '../../../metrics/metrics-file.ts';

const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string) =>
  schema.check(z.describe(description));

const count = z.int().check(z.nonnegative());
const time = z
  .string()
  .check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/), z.describe('Time in UTC (ISO 8601)'));

/* The type requires every member of the file, and permits no other. */
const members: Readonly<Record<keyof RunDocument, z.ZodMiniType>> = {
  kind: z.literal('carbon_run'),
  command: z.enum(['batch', 'watch', 'footprint']),
  version: described(z.string(), 'Version of carbon'),
  exit: described(z.int().check(z.minimum(0), z.maximum(255)), 'Exit code'),
  dry_run: described(z.boolean(), 'Whether --dry-run was set'),
  synthetic: described(z.boolean(), 'Whether the sandbox responded, with synthetic data'),
  started_at: time,
  ended_at: time,
  last_success_at: described(
    z.nullable(time),
    'End of the last run with exit code 0; null before the first',
  ),
  duration_ms: described(count, 'Duration in milliseconds'),
  subject: described(
    z.nullable(z.enum(['rows', 'organizations'])),
    'What the run processed; null if it ended before it had read its input',
  ),
  outcomes: described(
    z.nullable(z.record(z.string(), count)),
    'Counts by outcome. batch: registered, skipped, duplicate, refused, postponed, invalid. watch: synced, errored, pending, failed, invalid. footprint: covered, uncovered, excluded.',
  ),
  left: described(z.nullable(count), 'Number without an outcome'),
  requests: described(count, 'Attempts to send a request, with retries'),
  responses: described(
    z.record(z.string().check(z.regex(/^[1-5]\d\d$/)), count),
    'Responses by HTTP status',
  ),
  permitted_requests_per_second: described(
    z.nullable(z.number().check(z.nonnegative())),
    'Last rate that the service permitted; null if its limit delayed no request',
  ),
};

/** Schema of the run summary. */
export const runSummarySchema = z.object(members);
