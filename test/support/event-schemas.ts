/*
 * Schemas of the lines that `--json` prints on standard error. Every run of a command in the tests
 * checks its lines against them.
 */
import * as z from 'zod/mini';
import {
  errorLineSchema,
  errorObjectSchema,
  loggedErrorSchema,
} from '../../build/docs/json-schemas.ts';

const text = z.string();
const optionalText = z.optional(text);
const id = z.union([z.int(), text]);
const count = z.int().check(z.nonnegative());
const counts = z.record(text, count);
const milliseconds = z.int().check(z.nonnegative());

const rowProblem = {
  line: count,
  field: optionalText,
  column: optionalText,
  value: text,
  problem: text,
  meant: optionalText,
};

/* The counts of the event that ends `carbon sync`. */
const syncSchema = {
  registered: count,
  rejected: count,
  invalid: count,
  postponed: count,
  not_registered: count,
  synced: count,
  in_progress: count,
  research_failed: count,
  removed: count,
  without_record: count,
  retrieved: count,
  changed: count,
  not_retrieved: count,
  errors: count,
  warnings: count,
  exit: count,
  elapsed_ms: milliseconds,
};

/* The event that ends a batch. */
const summarySchema = z.object({
  event: z.literal('summary'),
  exit: count.check(z.describe('Exit code of the run')),
  registered: count.check(z.describe('Rows that the service accepted in this run')),
  skipped: count.check(z.describe('Rows that an earlier run registered')),
  duplicate: count.check(z.describe('Rows that equal an earlier row of the file')),
  rejected: count.check(z.describe('Rows that the service rejected')),
  postponed: count.check(z.describe('Rows that failed and that a later run retries')),
  invalid: count.check(z.describe('Rows that carbon did not send because they are invalid')),
  remaining: count.check(z.describe('Rows that the run did not reach')),
  elapsed_ms: milliseconds.check(z.describe('Duration of the run')),
});

/* The members of each event besides `event`; an event with several forms has several lists. */
const members = {
  waiting: { ms: milliseconds },
  findings: {
    organizations: count,
    errors: count,
    warnings: count,
    notices: count,
    list: z.optional(z.record(text, count)),
  },
  key_command: { line: text },
  sandbox: { from: text },
  failed: {
    failed: count,
    errored: z.optional(count),
    pending: z.optional(count),
    of: count,
    exit: count,
  },
  selected: {
    organizations: z.optional(count),
    rows: z.optional(count),
    matches: count,
    shown: count,
  },
  status: { id, status: z.nullable(text), elapsed_ms: milliseconds },
  retrying: { id, error: errorObjectSchema, next_ms: milliseconds },
  pending: { ids: z.array(id), command: optionalText },
  written: {
    file: text,
    organizations: z.optional(count),
    rows: z.optional(count),
    suppliers: z.optional(count),
    records: z.optional(count),
  },
  request: {
    at: text,
    method: text,
    path: text,
    status: count.check(z.describe('HTTP status; 0 without a response')),
    ms: z.number(),
  },
  lock: { holder: text },
  starting: { ms: count, error: text },
  unreadable_lines: { journal: text, lines: count, first: count },
  sheet: {
    sheet: text.check(z.describe('Sheet of the workbook that carbon reads')),
    others: z.array(z.object({ name: text, visible: z.boolean() })),
  },
  missing_cells: {
    cells: count,
    first: z.array(z.object({ cell: text, value: text })),
  },
  merged_cells: { ranges: count, first: z.array(text) },
  hidden_rows: { rows: count, first: z.array(count) },
  mapping: {
    columns: z.array(z.object({ field: text, column: text, index: count })),
    unused: z.array(text),
  },
  mapping_doubt: {
    field: text,
    kind: z.optional(z.enum(['ambiguous', 'unproven', 'alternative'])),
    columns: z.array(text),
    examples: z.optional(z.array(text)),
    map: text,
  },
  spend_columns: { columns: z.array(text) },
  amounts: {
    decimal: z.optional(z.enum([',', '.'])),
    decided_by: optionalText,
    example: z.optional(z.object({ line: count, text, value: text })),
  },
  id_not_used: { map: text },
  spend: {
    rows: count,
    amounts: z.record(text, z.object({ purchases: z.number(), credits: z.number() })),
    years: counts,
  },
  matched: { line_items: count, matched_by: counts, uncovered: counts },
  equal_names: { names: z.array(z.object({ name: text, lines: z.array(count) })) },
  wrong_total: { line: count, total: z.number(), rows: z.number(), texts: count },
  added_columns: {
    journal: text,
    columns: z.array(z.object({ field: text, column: text, index: count, map: text })),
  },
  titles: { lines: count },
  checked: {
    rows: count,
    new: count,
    done: count,
    rejected: count,
    duplicate: count,
    invalid: count,
  },
  finding: {
    kind: text,
    column: optionalText,
    rows: count,
    lines: z.array(count),
    values: z.optional(z.array(z.object({ value: text, rows: count }))),
  },
  invalid: rowProblem,
  dropped: rowProblem,
  dropped_ids: { values: count },
  progress: {
    done: count,
    total: count,
    failed: count,
    postponed: count,
    rate_limit: z.optional(z.number()),
  },
  postponed: { line: count, name: text, error: loggedErrorSchema },
  shared_id: { id, rows: z.array(z.object({ line: count, name: text })), count },
  other_organization: { line: count, id, other: text },
  truncated: { more: count },
  failed_earlier: { rows: count },
  rejected: { line: count, error: loggedErrorSchema },
  refused: { detail: optionalText, until: text },
  next: { command: text },
  due: { new: count, missing: count, in_progress: count, old: count },
  following: { organizations: count },
  retrieval_failed: { id, error: loggedErrorSchema },
  research_failed: { ids: z.array(id), new: z.array(id) },
  removed: { ids: z.array(id), new: z.array(id) },
  changed: { records: count, largest: z.array(z.looseObject({ id, name: z.nullable(text) })) },
  synced: syncSchema,
  stored_records: {
    list: text,
    organizations: count,
    in_progress: count,
    removed: count,
    listing_unknown: z.optional(count),
    oldest: text,
    newest: text,
    currency: z.nullable(text),
  },
  rows_without_record: { list: text, rows: count },
} satisfies Readonly<Record<string, z.core.$ZodShape>>;

/** Names of all events. */
export const eventNames: readonly string[] = [...Object.keys(members), 'summary'];

const eventSchemas = Object.entries(members).map(([name, shape]) =>
  z.object({ event: z.literal(name), ...shape }),
);

/** Schema of one line of standard error with `--json`. */
export const messageSchema: z.ZodMiniType = z.union([
  ...eventSchemas,
  summarySchema,
  errorLineSchema,
  z.object({ warning: text }),
  z.object({ debug: text }),
]);
