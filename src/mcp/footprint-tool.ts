/* The tool that calculates a footprint from files below the root directory. It makes no request. */
import { basename } from 'node:path';
import * as z from 'zod/mini';
import { calculateFootprint, type Footprint, type LineItem } from '../footprint/footprint.ts';
import {
  boundaries,
  type MethodOptions,
  type Provenance,
  upstreamReadings,
} from '../footprint/line-item.ts';
import { type AmountScale, amountScales } from '../footprint/spend/columns.ts';
import {
  describeSpend,
  openSpendFile,
  type SpendOptions,
  type SpendReport,
} from '../footprint/spend/spend-file.ts';
import { RecordMatcher, SpendLedger } from '../footprint/suppliers.ts';
import type { Clock } from '../runtime/clock.ts';
import { type FileReader, files, limit, offset, path, type ReadCounts } from './file-reader.ts';
import { defineTool, type Tool } from './tool.ts';

const input = z.strictObject({
  file: path.check(z.describe('File with suppliers and spend')),
  records: files,
  map: z.optional(z.array(z.string()).check(z.describe('Columns by field, such as spend=Amount'))),
  spend_currency: z.optional(
    z.string().check(z.regex(/^[A-Z]{3}$/), z.describe('If no column has the currency')),
  ),
  spend_year: z.optional(z.int().check(z.describe('If no column has the year'))),
  decimal: z.optional(z.enum([',', '.']).check(z.describe('Decimal sign of amounts'))),
  amounts_in: z.optional(
    z
      .enum(Object.keys(amountScales) as [AmountScale, ...AmountScale[]])
      .check(z.describe('If the file has no full amounts')),
  ),
  invert: z._default(z.boolean().check(z.describe('Reverse signs')), false),
  year: z.optional(z.int().check(z.describe('Only spend of this year'))),
  rows: z.optional(z.array(z.string()).check(z.describe('Rows, such as BlArt=KR or Status!=Void'))),
  skip_lines: z.optional(z.int().check(z.nonnegative(), z.describe('Lines above the header'))),
  boundary: z._default(
    z.enum(boundaries).check(z.describe('What factors contain')),
    'cradle-to-gate',
  ),
  upstream_factor: z.optional(
    z.enum(upstreamReadings).check(z.describe('Whether it contains scopes 1 and 2 (nested)')),
  ),
  max_factor_age: z._default(
    z.int().check(z.minimum(0), z.maximum(300), z.describe('In years')),
    5,
  ),
  unit: z.optional(z.enum(['kg', 't']).check(z.describe('Unit of emissions, if known'))),
  offset,
  limit,
});
type Given = Omit<z.output<typeof input>, 'offset' | 'limit'>;

/** Returns the tool `footprint`. */
export function footprintTool(
  reader: FileReader,
  clock: Pick<Clock, 'now'>,
  version: string,
): Tool {
  return defineTool({
    name: 'footprint',
    description:
      "Calculate the emissions behind purchases: spend times the factor of the supplier's record. Check understood: a wrong decimal sign changes figures by 1,000. Report coverage and warnings along with the figures. Lists uncovered rows with reasons, and missing currencies.",
    input,
    isReadOnly: true,
    run: async ({ offset: start, limit: count, ...given }, signal) => {
      const calculatedAt = new Date(clock.now()).toISOString();
      // The age of factors depends on the day.
      const today = calculatedAt.slice(0, 10);
      const about = ['footprint', today, given, await reader.versionOf(given.file)];
      const found = await reader.once(about, given.records, async () => {
        const provenance = { version, calculated_at: calculatedAt };
        const { result, understood } = await calculate(reader, given, provenance, signal);
        const uncovered = [...result.items('left out')].filter((item) => item.uncovered !== null);
        return { summary: { ...result.summary, understood }, uncovered };
      });
      return {
        ...found.summary,
        missing_currencies: missingCurrencies(found.uncovered),
        uncovered_rows: found.uncovered.slice(start, start + count).map(uncoveredRow),
      };
    },
  });
}

function uncoveredRow(item: LineItem): object {
  const { supplier, id, spend, currency, spend_year, lines, uncovered, uncovered_detail } = item;
  const row = { supplier, id, spend, currency, spend_year, lines: lines.slice(0, 10) };
  return { ...row, reason: uncovered, detail: uncovered_detail };
}

/*
 * Counts the rows whose record has factors in another currency only, by the currency of the spend.
 */
function missingCurrencies(items: readonly LineItem[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { uncovered, currency } of items)
    if (uncovered === 'other_currency' && currency !== null)
      counts[currency] = (counts[currency] ?? 0) + 1;
  return counts;
}

function optionsOf(given: Given): SpendOptions & MethodOptions {
  const { skip_lines, spend_currency, spend_year, amounts_in, ...others } = given;
  const { upstream_factor, max_factor_age, ...same } = others;
  return {
    ...same,
    skipLines: skip_lines,
    spendCurrency: spend_currency,
    spendYear: spend_year,
    amountsIn: amounts_in,
    upstreamFactor: upstream_factor,
    maxFactorAge: max_factor_age,
  };
}

async function calculate(
  reader: FileReader,
  given: Given,
  provenance: Pick<Provenance, 'version' | 'calculated_at'>,
  signal: AbortSignal,
): Promise<{ readonly result: Footprint; readonly understood: object }> {
  const { file: path, records } = given;
  const options = optionsOf(given);
  const ledger = new SpendLedger();
  const handle = await reader.root.openFile(path);
  try {
    const file = await openSpendFile({ path, name: path, file: handle, signal }, options);
    for await (const rows of file.rows()) for (const row of rows) ledger.add(row);
    const matcher = new RecordMatcher(ledger, options, provenance.calculated_at.slice(0, 10));
    const counts = await reader.read(records, signal, matcher.take.bind(matcher), {
      allCurrencies: true,
    });
    const spend = matcher.collect(false);
    const result = calculateFootprint(spend, options, {
      ...provenance,
      ...describeSpend(options),
      service: null,
      files: [path, ...records].map((each) => basename(each)),
    });
    return { result, understood: describe(file.report, counts) };
  } finally {
    await handle.close();
  }
}

/* States how carbon read the columns and the amounts, and what it left out. */
function describe(report: SpendReport, counts: ReadCounts): object {
  const { columns, format, rows, kinds, wrongTotals } = report;
  const { registration, unused } = columns;
  const mapped = [...registration.columns, ...columns.columns];
  return {
    columns: Object.fromEntries(mapped.map(({ field, column }) => [field, column])),
    unused_columns: unused,
    decimal: format.decimal,
    amount_example: format.example,
    rows,
    totals_left_out: kinds.get('totals')?.count ?? 0,
    totals_that_differ_from_the_rows: wrongTotals,
    rows_left_out: kinds.get('skipped')?.count ?? 0,
    record_lines_left_out: counts.failed + counts.withoutRecord + counts.truncated.length,
    lists: counts.lists,
  };
}
