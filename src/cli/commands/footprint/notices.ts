/* Describes what carbon understood of a file with spend, one line each. */

import type { Warning } from '../../../footprint/line-item.ts';
import type { SpendColumns } from '../../../footprint/spend/columns.ts';
import type { LineTally, SpendReport } from '../../../footprint/spend/spend-file.ts';
import type { Joined } from '../../../footprint/suppliers/ledger.ts';
import type { MatchedSpend } from '../../../footprint/suppliers/match.ts';
import type { FootprintSummary } from '../../../footprint/totals.ts';
import { figure } from '../../../terminal/figure.ts';
import { count, naming, plural } from '../../../terminal/format.ts';
import { unusedColumns } from '../../input-table.ts';
import type { Notice } from '../../messages.ts';

/** Describes the columns and how their amounts are written. */
export function columnNotices({ columns, format }: SpendReport, hasJournal: boolean): Notice[] {
  const { registration, unused } = columns;
  const identifying = registration.columns.filter(({ field }) => field !== 'currency');
  const all = [...identifying, ...columns.columns].sort((a, b) => a.index - b.index);
  const mapped = all.map(({ column, field }) => `${column} → ${field}`).join(', ');
  return [
    note(`Columns: ${mapped}${unusedColumns(unused)}`, { event: 'mapping', columns: all, unused }),
    ...doubtNotices(columns),
    ...(hasJournal ? [] : idNotice(columns)),
    ...amountNotice(format),
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
  const text = `Column ID is not used, because it may hold your own numbers. If it holds the service's IDs, use ${map}`;
  return [note(text, { event: 'id_not_used', map })];
}

function amountNotice({ decimal, decidedBy, example }: SpendReport['format']): Notice[] {
  if (decimal === undefined) return [];
  const sign = decimal === ',' ? 'comma' : 'point';
  const by = decidedBy === 'option' ? ' (--decimal)' : '';
  const shown =
    example === undefined
      ? ''
      : `, as in line ${example.line}: ${example.text} is ${example.value}`;
  const event = { event: 'amounts', decimal, decided_by: decidedBy, example };
  return [note(`Amounts: decimal ${sign}${by}${shown}`, event)];
}

/** Describes the rows, after all of them were read. */
export function rowNotices(report: SpendReport): Notice[] {
  const { rows, currencies, years } = report;
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
    ...tallies('progress', [
      ['credits', 'Credit notes, which reduce the spend', report.credits],
      ['totals', 'Totals, not counted', report.totals],
      ['not_selected', 'Not selected by --rows', report.notSelected],
      ['other_years', 'Spend of other years', report.otherYears],
      ['no_spend', 'Without spend', report.withoutSpend],
      ['skipped', 'Without supplier and spend, ignored', report.skipped],
      ['repeated_headers', 'Repeated header, ignored', report.headers],
      [
        'year_spans',
        `Two years in one cell (${report.spanExample ?? ''}), the later one counts`,
        report.spans,
      ],
      ['restored_duns', 'Restored leading zeros of D-U-N-S numbers', report.restoredDuns],
    ]),
    ...wrongTotals(report),
    ...tallies('warning', [
      ['unnamed', 'Spend without a supplier', report.unnamed],
      ['rounded', 'Rounded to scientific notation', report.rounded],
      [
        'no_currency',
        'Without a currency (use --spend-currency, or --map spend_currency=<column>)',
        currencies.get(''),
      ],
    ]),
  ];
}

/* A spreadsheet's SUM skips amounts that are text. */
function wrongTotals({ wrongTotals: wrong }: SpendReport): Notice[] {
  return wrong.slice(0, maxShown).map(({ line, total, rows, texts }) => {
    const why = texts > 0 ? `: ${plural(texts, 'amount is', 'amounts are')} text` : '';
    const [stated, sum] = [figure(total).compact, figure(rows).compact];
    return {
      level: 'warning',
      text: `Your total in line ${line}, ${stated}, is not the sum of your rows, ${sum}${why}. It is not counted`,
      event: { event: 'wrong_total', line, total, rows, texts },
    };
  });
}

/** Describes how the line items were matched with records. */
export function matchNotice({ rows, matched_by, uncovered }: FootprintSummary): Notice {
  const found = Object.entries(matched_by).map(
    ([way, matched]) => `${count.format(matched)} by ${way.replace('_', ' ')}`,
  );
  const reasons = Object.entries(uncovered).map(
    ([reason, each]) => `${count.format(each)} ${reason.replaceAll('_', ' ')}`,
  );
  const without = reasons.length > 0 ? `; uncovered: ${reasons.join(', ')}` : '';
  const text = `Matched ${plural(rows, 'line item')}: ${found.join(', ') || 'none'}${without}`;
  return note(text, { event: 'matched', rows, matched_by, uncovered });
}

/** Reports spellings of names that joined another supplier. */
export function aliasNotices(joined: readonly Joined[]): Notice[] {
  if (joined.length === 0) return [];
  const pairs = joined.map(({ name, to }) => `"${name}" is "${to}"`);
  const text = `Joined ${plural(joined.length, 'other spelling')} of a name: ${naming(pairs)}`;
  return [note(text, { event: 'aliases', joined })];
}

/** Returns the warnings among notices, which every view of the footprint repeats. */
export function warningsOf(notices: readonly Notice[]): Warning[] {
  return notices.flatMap(({ level, text, event }) =>
    level === 'warning'
      ? [{ kind: String(event['kind'] ?? event['event'] ?? 'records'), text }]
      : [],
  );
}

/** Warns of different records of one organization that have no time of retrieval. */
export function undecidedNotices(ids: readonly (string | number)[]): Notice[] {
  if (ids.length === 0) return [];
  const many = plural(ids.length, 'organization has', 'organizations have');
  const text = `${many} different records without a time of retrieval, of which the last counts: ${naming(ids.map(String))}`;
  return [{ level: 'warning', text, event: { warning: text } }];
}

/** Warns of suppliers with different names and one ID, whose rows are separate line items. */
export function sharedIdNotices(shared: MatchedSpend['sharedIds']): Notice[] {
  if (shared.length === 0) return [];
  const named = shared.map(
    ({ id, names }) => `ID ${id} is ${naming(names.map((each) => `"${each}"`))}`,
  );
  const text = `Different names have one ID, and so one record: ${naming(named)}. Check that they are one organization`;
  const rows = shared.slice(0, 100);
  return [{ level: 'warning', text, event: { event: 'shared_suppliers', suppliers: rows } }];
}

/** Warns that an ID column, or the service, may have selected another organization. */
export function nameNotices(others: MatchedSpend['otherNames']): Notice[] {
  const [example] = others;
  if (example === undefined) return [];
  const suppliers = others.length;
  const { supplier, id, name, matched_by } = example;
  const check =
    matched_by === 'id'
      ? "Check that the column holds the service's IDs"
      : 'Check that the service registered the right organization';
  const text = `The record with the same ID has another name: ${plural(suppliers, 'supplier')}, such as "${supplier}": ID ${id} is "${name}". ${check}`;
  return [{ level: 'warning', text, event: { event: 'other_names', suppliers, example } }];
}

function note(text: string, event: Notice['event']): Notice {
  return { level: 'progress', text, event };
}

const maxShown = 5;

function tallies(
  level: 'progress' | 'warning',
  all: readonly (readonly [kind: string, what: string, tally: LineTally | undefined])[],
): Notice[] {
  return all.flatMap(([kind, what, { count: rows, lines } = { count: 0, lines: [] }]) => {
    if (rows === 0) return [];
    const shown = lines.slice(0, maxShown).join(', ') + (rows > maxShown ? ', ...' : '');
    const text = `${what}: ${plural(rows, 'row')} (${rows === 1 ? 'line' : 'lines'} ${shown})`;
    return [{ level, text, event: { event: 'finding', kind, rows, lines } }];
  });
}
