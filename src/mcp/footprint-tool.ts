/* The tool that calculates a footprint from files below the root directory. It makes no request. */
import { basename } from 'node:path';
import * as z from 'zod/mini';
import { Footprint } from '../footprint/calculation/footprint.ts';
import type { NameDifferences } from '../footprint/records/name-check.ts';
import { RecordMatcher } from '../footprint/records/record-matcher.ts';
import { collectGroups } from '../footprint/records/spend-groups.ts';
import { SpendLedger } from '../footprint/records/spend-ledger.ts';
import { boundaries, upstreamReadings } from '../footprint/register-row.ts';
import { SpendFile, type SpendOptions } from '../footprint/spend/spend-file.ts';
import type { SpendReport } from '../footprint/spend/spend-report.ts';
import { type Counts, readSnapshot, requireRecords } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import type { RootDirectory } from './root-directory.ts';
import type { Tool } from './tool.ts';

const path = z.string().check(z.minLength(1));
const input = z.strictObject({
  file: path.check(z.describe('CSV file with suppliers and spend, below the root')),
  records: z.array(path).check(z.minLength(1), z.maxLength(20), z.describe('Files of records')),
  map: z.optional(
    z.array(z.string()).check(z.describe('Columns by field, such as spend=Amount or name=Vendor')),
  ),
  currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
  spend_year: z.optional(z.int().check(z.minimum(1900), z.maximum(2200))),
  decimal: z.optional(z.enum([',', '.'])),
  spend_factor: z.optional(
    z
      .literal([1, 1_000, 1_000_000])
      .check(z.describe('Multiplies every amount: 1000 for amounts in thousands')),
  ),
  skip_lines: z.optional(z.int().check(z.nonnegative())),
  boundary: z._default(z.enum(boundaries), 'cradle-to-gate'),
  upstream: z.optional(z.enum(upstreamReadings)),
  fallback: z._default(z.enum(['industry', 'none']), 'industry'),
  unit: z.optional(z.enum(['kg', 't'])),
});
type Given = z.output<typeof input>;

/** Returns the tool `footprint`. */
export function footprintTool(
  root: RootDirectory,
  clock: Pick<Clock, 'now'>,
  version: string,
): Tool {
  const tool: Tool<typeof input> = {
    name: 'footprint',
    description:
      'Calculate the emissions behind purchases: spend of each supplier times the factor of its record. Check understood: a wrong decimal sign changes figures by 1,000. State coverage and fallbacks with each figure.',
    input,
    output: z.looseObject({
      emissions: z.nullable(z.number()),
      unit: z.nullable(z.string()),
      uncovered: z.looseObject({}),
      synthetic: z.int(),
      understood: z.looseObject({}),
    }),
    isReadOnly: true,
    run: async (given, signal) => {
      const handle = await root.openFile(given.file);
      try {
        const options = { ...toSpendOptions(given), file: handle, signal };
        const file = await SpendFile.open(options);
        const { result, ...found } = await calculate(root, file, given, signal, {
          version,
          calculated_at: new Date(clock.now()).toISOString(),
        });
        return { ...result.summary(), understood: describe(file.report, found) };
      } finally {
        await handle.close();
      }
    },
  };
  return tool as Tool;
}

function toSpendOptions(given: Given): Omit<SpendOptions, 'signal'> {
  return {
    path: given.file,
    name: given.file,
    map: given.map,
    skipLines: given.skip_lines,
    service: '',
    currency: given.currency,
    year: given.spend_year,
    decimal: given.decimal,
    factor: given.spend_factor,
  };
}

/* What carbon found in the files of records. */
interface Found {
  readonly counts: Counts;
  readonly otherNames: NameDifferences;
}

async function calculate(
  root: RootDirectory,
  file: SpendFile,
  { file: name, records, boundary, fallback, unit, upstream }: Given,
  signal: AbortSignal,
  method: { readonly version: string; readonly calculated_at: string },
): Promise<Found & { readonly result: Footprint }> {
  const ledger = new SpendLedger(undefined, (supplier, row) => matcher.index(supplier, row));
  const matcher = new RecordMatcher(ledger, { boundary, fallback });
  for await (const rows of file.rows()) {
    signal.throwIfAborted();
    for (const row of rows) ledger.add(row);
  }
  async function* files() {
    for (const path of records) yield await root.openRecords(path, signal);
  }
  const counts = await readSnapshot(files(), matcher.take.bind(matcher));
  requireRecords(counts, records);
  const { groups, inconsistent, otherNames } = collectGroups(ledger, {
    hasJournal: false,
    hasSnapshots: true,
  });
  const result = new Footprint(groups, {
    boundary,
    unit: unit ?? null,
    upstream,
    evidence: matcher.evidence(),
    inconsistentFactors: inconsistent,
    method: {
      ...method,
      service: null,
      files: [name, ...records].map((each) => basename(each)),
      fallback,
    },
  });
  return { result, counts, otherNames };
}

/* States how carbon read the columns and the amounts, and what it left out. */
function describe(report: SpendReport, { counts, otherNames }: Found): object {
  const { columns, format, factor, rows, totals, possibleTotals, skipped } = report;
  const { registration, unused } = columns;
  const mapped = [...registration.columns, ...columns.columns];
  return {
    columns: Object.fromEntries(mapped.map(({ field, column }) => [field, column])),
    unused_columns: unused,
    decimal: format.decimal,
    amount_example: format.example,
    spend_factor: factor,
    rows,
    totals_left_out: totals.count,
    possible_totals_counted: possibleTotals.count,
    rows_left_out: skipped.count,
    record_lines_left_out: counts.failed + counts.withoutRecord + counts.truncated.length,
    // An id column may hold numbers of the user, which are the ids of other organizations.
    suppliers_with_other_name: otherNames.suppliers,
    other_name_example: otherNames.example,
  };
}
