/* Describes what carbon understood of a file with spend, one line each. */
import type { FootprintSummary } from '../../../footprint/footprint-summary.ts';
import type { NameDifferences } from '../../../footprint/records/name-check.ts';
import type { SpendColumns } from '../../../footprint/spend/columns.ts';
import type { LineTally, SpendReport } from '../../../footprint/spend/spend-report.ts';
import { count, plural } from '../../../terminal/format.ts';
import type { Notice } from '../../messages.ts';
import { unusedColumns } from '../../sheet-notices.ts';

/** Describes the columns and how their amounts are written. */
export function columnNotices(
  { columns, format, factor }: SpendReport,
  hasJournal: boolean,
): Notice[] {
  const { registration, unused } = columns;
  const identifying = registration.columns.filter(({ field }) => field !== 'currency');
  const all = [...identifying, ...columns.columns].sort((a, b) => a.index - b.index);
  const mapped = all.map(({ column, field }) => `${column} → ${field}`).join(', ');
  return [
    note(`Columns: ${mapped}${unusedColumns(unused)}`, { event: 'mapping', columns: all, unused }),
    ...doubtNotices(columns),
    ...(hasJournal ? [] : idNotice(columns)),
    ...amountNotice(format, factor),
  ];
}

function doubtNotices({ doubts }: SpendColumns): Notice[] {
  return doubts.map((doubt) => ({
    text: `Several columns may hold ${doubt.field}, so carbon uses none of them: ${doubt.columns.join(', ')}. Choose one, such as ${doubt.map}`,
    event: { event: 'mapping_doubt', ...doubt },
    level: 'warning',
  }));
}

/* Without a journal, the user may expect that carbon reads the ids of this column. */
function idNotice({ doubtfulId: map }: SpendColumns): Notice[] {
  if (map === undefined) return [];
  const text = `Column ID is not used, because it may hold your own numbers. If it holds the ids of the service, use ${map}`;
  return [note(text, { event: 'id_not_used', map })];
}

function amountNotice({ decimal, decidedBy, example }: SpendReport['format'], factor: number) {
  const sign = decimal === ',' ? 'comma' : 'point';
  const by = decidedBy === 'option' ? ' (--decimal)' : '';
  const shown =
    example === undefined
      ? ''
      : `, as in line ${example.line}: ${example.text} is ${example.value}`;
  const texts = [
    ...(decimal === undefined ? [] : [`decimal ${sign}${by}${shown}`]),
    ...(factor === 1 ? [] : [`multiplied by ${count.format(factor)} (--spend-factor)`]),
  ];
  if (texts.length === 0) return [];
  const event = { event: 'amounts', decimal, decided_by: decidedBy, example, factor };
  return [note(`Amounts: ${texts.join('; ')}`, event)];
}

/** Describes the rows, after all of them were read. */
export function rowNotices(report: SpendReport): Notice[] {
  const { rows, currencies, years, spans } = report;
  const unknown = currencies.get('');
  const counted = (tally: LineTally, what: string) => `${count.format(tally.count)} ${what}`;
  const byCurrency = [...currencies].map(([code, tally]) =>
    counted(tally, code === '' ? 'without a currency' : `in ${code}`),
  );
  const byYear = [...years].map(([year, tally]) =>
    counted(tally, year === undefined ? 'without a year' : `in ${year}`),
  );
  const read = plural(rows, 'row with spend', 'rows with spend');
  return [
    note(`Read ${read}: ${byCurrency.join(', ')}; ${byYear.join(', ')}`, {
      event: 'spend',
      rows,
      currencies: Object.fromEntries(
        [...currencies].map(([code, { count: n }]) => [code || 'unknown', n]),
      ),
      years: Object.fromEntries([...years].map(([year, { count: n }]) => [year ?? 'unknown', n])),
    }),
    ...tallies('progress', 'Credit notes, which reduce the spend', 'credits', report.credits),
    ...tallies('progress', 'Totals, not counted', 'totals', report.totals),
    ...tallies('progress', 'Without spend', 'no_spend', report.withoutSpend),
    ...tallies('progress', 'Without supplier and spend, ignored', 'skipped', report.skipped),
    ...tallies('progress', 'Repeated header, ignored', 'repeated_headers', report.headers),
    ...tallies(
      'progress',
      `Two years in one cell (${spans.example ?? ''}), the later one counts`,
      'year_spans',
      spans,
    ),
    ...tallies(
      'progress',
      'Restored leading zeros of D-U-N-S numbers',
      'restored_duns',
      report.restoredDuns,
    ),
    ...tallies(
      'warning',
      'Labeled as a total, but counted: the amount is not the sum of the rows above',
      'possible_totals',
      report.possibleTotals,
    ),
    ...tallies('warning', 'Spend without a supplier', 'unnamed', report.unnamed),
    ...tallies('warning', 'Rounded to scientific notation', 'rounded', report.rounded),
    ...(unknown === undefined
      ? []
      : tallies(
          'warning',
          'Without a currency (use --currency, or --map spend_currency=<column>)',
          'no_currency',
          unknown,
        )),
  ];
}

const ways: Readonly<Record<string, string>> = {
  journal: 'by journal',
  id: 'by id',
  external_id: 'by external id',
  name: 'by name',
};

/** Describes how the suppliers of the register's rows were matched with records. */
export function matchNotice({ rows, matched_by, uncovered }: FootprintSummary): Notice {
  const found = Object.entries(matched_by).map(
    ([way, matched]) => `${count.format(matched)} ${ways[way] ?? way}`,
  );
  const reasons = Object.entries(uncovered).map(
    ([reason, each]) => `${count.format(each)} ${reason.replaceAll('_', ' ')}`,
  );
  const without = reasons.length > 0 ? `; uncovered: ${reasons.join(', ')}` : '';
  const text = `Matched ${plural(rows, 'row')} of the register: ${found.join(', ') || 'none'}${without}`;
  return note(text, { event: 'matched', rows, matched_by, uncovered });
}

/** Warns that an id column may hold other numbers than the ids of the service. */
export function nameNotices({ suppliers, example }: NameDifferences): Notice[] {
  if (example === undefined) return [];
  const { supplier, id, name } = example;
  const text = `The record with the same id has another name: ${plural(suppliers, 'supplier')}, such as "${supplier}": id ${id} is "${name}". Check that the column holds the ids of the service`;
  return [{ level: 'warning', text, event: { event: 'other_names', suppliers, example } }];
}

function note(text: string, event: Notice['event']): Notice {
  return { level: 'progress', text, event };
}

const maxShown = 5;

function tallies(
  level: 'progress' | 'warning',
  what: string,
  kind: string,
  { count: rows, lines }: LineTally,
): Notice[] {
  if (rows === 0) return [];
  const shown = lines.slice(0, maxShown).join(', ') + (rows > maxShown ? ', ...' : '');
  const text = `${what}: ${plural(rows, 'row')} (${rows === 1 ? 'line' : 'lines'} ${shown})`;
  const event = { event: 'finding', kind, rows, lines };
  return [{ level, text, event }];
}
