/* The tool that calculates a footprint from files below the root directory. It makes no request. */
import { basename } from 'node:path';
import * as z from 'zod/mini';
import type { Provenance } from '../footprint/entry.ts';
import { calculateFootprint, type Footprint } from '../footprint/footprint.ts';
import { boundaries, type MethodOptions, upstreamReadings } from '../footprint/line-item.ts';
import { describeSpend, openSpendFile, type SpendFile } from '../footprint/spend/spend-file.ts';
import type { SpendReport } from '../footprint/spend/spend-report.ts';
import {
  type AmountScale,
  amountScales,
  type SpendOptions,
} from '../footprint/spend/spend-rows.ts';
import { SpendLedger } from '../footprint/suppliers/ledger.ts';
import { RecordMatcher } from '../footprint/suppliers/match.ts';
import type { NameDifferences } from '../footprint/suppliers/names.ts';
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
  spend_currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
  spend_year: z.optional(z.int().check(z.minimum(1900), z.maximum(2200))),
  decimal: z.optional(z.enum([',', '.'])),
  amounts_in: z.optional(z.enum(Object.keys(amountScales) as [AmountScale, ...AmountScale[]])),
  invert: z._default(z.boolean(), false),
  year: z.optional(z.int().check(z.minimum(1900), z.maximum(2200))),
  rows: z.optional(
    z.array(z.string()).check(z.describe('Rows by column, such as BlArt=KR or Status!=Void')),
  ),
  skip_lines: z.optional(z.int().check(z.nonnegative())),
  boundary: z._default(z.enum(boundaries), 'cradle-to-gate'),
  upstream_factor: z.optional(z.enum(upstreamReadings)),
  max_factor_age: z._default(z.int().check(z.minimum(0), z.maximum(300)), 5),
  exclude_outliers: z._default(z.boolean(), false),
  unit: z.optional(z.enum(['kg', 't'])),
  factor_unit: z.optional(z.enum(['kg', 't'])),
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
      'Calculate the emissions behind purchases: spend of each supplier times the factor of its record. Check understood: a wrong decimal sign changes figures by 1,000. State coverage and warnings with each figure.',
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
        const options = toSpendOptions(given);
        const source = { path: given.file, name: given.file, file: handle, signal };
        const file = await openSpendFile(source, options);
        const { result, ...found } = await calculate(root, file, given, signal, {
          version,
          ...describeSpend(options),
          calculated_at: new Date(clock.now()).toISOString(),
        });
        return { ...result.summary, understood: describe(file.report, found) };
      } finally {
        await handle.close();
      }
    },
  };
  return tool as Tool;
}

function toSpendOptions(given: Given): SpendOptions {
  return {
    map: given.map,
    skipLines: given.skip_lines,
    spendCurrency: given.spend_currency,
    spendYear: given.spend_year,
    decimal: given.decimal,
    amountsIn: given.amounts_in,
    invert: given.invert,
    year: given.year,
    rows: given.rows,
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
  given: Given,
  signal: AbortSignal,
  provenance: Omit<Provenance, 'service' | 'files'>,
): Promise<Found & { readonly result: Footprint }> {
  const { records } = given;
  const method: MethodOptions = {
    boundary: given.boundary,
    maxFactorAge: given.max_factor_age,
    unit: given.unit ?? null,
    factorUnit: given.factor_unit,
    upstreamFactor: given.upstream_factor,
    excludeOutliers: given.exclude_outliers,
  };
  const ledger = new SpendLedger();
  for await (const rows of file.rows()) {
    signal.throwIfAborted();
    for (const row of rows) ledger.add(row);
  }
  ledger.joinAliases();
  const matcher = new RecordMatcher(ledger, method, provenance.calculated_at.slice(0, 10));
  async function* files() {
    for (const path of records) yield await root.openRecords(path, signal);
  }
  const counts = await readSnapshot(files(), matcher.take.bind(matcher));
  requireRecords(counts, records);
  const spend = matcher.collect({ hasJournal: false, hasSnapshots: true });
  const result = calculateFootprint(spend, method, {
    ...provenance,
    service: null,
    files: [given.file, ...records].map((each) => basename(each)),
  });
  return { result, counts, otherNames: spend.otherNames };
}

/* States how carbon read the columns and the amounts, and what it left out. */
function describe(report: SpendReport, { counts, otherNames }: Found): object {
  const { columns, format, rows, totals, wrongTotals, skipped } = report;
  const { registration, unused } = columns;
  const mapped = [...registration.columns, ...columns.columns];
  return {
    columns: Object.fromEntries(mapped.map(({ field, column }) => [field, column])),
    unused_columns: unused,
    decimal: format.decimal,
    amount_example: format.example,
    rows,
    totals_left_out: totals.count,
    totals_that_differ_from_the_rows: wrongTotals,
    rows_left_out: skipped.count,
    record_lines_left_out: counts.failed + counts.withoutRecord + counts.truncated.length,
    // An id column may hold numbers of the user, which are the ids of other organizations.
    suppliers_with_other_name: otherNames.suppliers,
    other_name_example: otherNames.example,
  };
}
