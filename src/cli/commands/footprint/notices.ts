/* Describes what carbon understood of a file with spend, one line each. */

import type { Warning } from '../../../footprint/line-item.ts';
import type { SpendColumns } from '../../../footprint/spend/columns.ts';
import {
  type LineTally,
  type RowKind,
  rowKinds,
  type SpendReport,
} from '../../../footprint/spend/spend-file.ts';
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
    ...kindNotices('progress', report),
    ...wrongTotals(report),
    ...kindNotices('warning', report),
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

/** Warns of suppliers whose record may be that of another organization, or not the latest one. */
export function recordNotices({ sharedIds, otherNames, undecided }: MatchedSpend): Notice[] {
  const notices: Notice[] = [];
  const warn = (text: string, event: Notice['event']) =>
    notices.push({ level: 'warning', text, event });
  if (sharedIds.length > 0) {
    const named = sharedIds.map(
      ({ id, names }) => `ID ${id} is ${naming(names.map((each) => `"${each}"`))}`,
    );
    const suppliers = sharedIds.slice(0, 100);
    warn(
      `Different names have one ID, and so one record: ${naming(named)}. Check that they are one organization`,
      { event: 'shared_suppliers', suppliers },
    );
  }
  const [example] = otherNames;
  if (example !== undefined) {
    const suppliers = otherNames.length;
    const { supplier, id, name, matched_by } = example;
    const check =
      matched_by === 'id'
        ? "Check that the column holds the service's IDs"
        : 'Check that the service registered the right organization';
    warn(
      `The record with the same ID has another name: ${plural(suppliers, 'supplier')}, such as "${supplier}": ID ${id} is "${name}". ${check}`,
      { event: 'other_names', suppliers, example },
    );
  }
  if (undecided.length > 0) {
    const many = plural(undecided.length, 'organization has', 'organizations have');
    const text = `${many} different records without a time of retrieval, of which the last counts: ${naming(undecided.map(String))}`;
    warn(text, { warning: text });
  }
  return notices;
}

function note(text: string, event: Notice['event']): Notice {
  return { level: 'progress', text, event };
}

const maxShown = 5;

const doubtful: readonly RowKind[] = ['unnamed', 'rounded', 'no_currency'];

function kindNotices(level: 'progress' | 'warning', { kinds, spanExample }: SpendReport): Notice[] {
  return (Object.keys(rowKinds) as RowKind[]).flatMap((kind) => {
    const { count: rows, lines } = kinds.get(kind) ?? { count: 0, lines: [] };
    if (rows === 0 || doubtful.includes(kind) !== (level === 'warning')) return [];
    const what = rowKinds[kind].replace('one cell', () => `one cell (${spanExample})`);
    const shown = lines.slice(0, maxShown).join(', ') + (rows > maxShown ? ', ...' : '');
    const text = `${what}: ${plural(rows, 'row')} (${rows === 1 ? 'line' : 'lines'} ${shown})`;
    return [{ level, text, event: { event: 'finding', kind, rows, lines } }];
  });
}
