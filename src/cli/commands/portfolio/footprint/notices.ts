/* Describes what carbon understood of a file with spend, one line each. */

import { identifierFields } from '../../../../client/registration/fields.ts';
import { figure } from '../../../../display/terminal/figure.ts';
import {
  count,
  listing,
  naming,
  percentText,
  plural,
} from '../../../../display/terminal/format.ts';
import { numberOf, zero } from '../../../../portfolio/footprint/decimal.ts';
import { isUncovered } from '../../../../portfolio/footprint/factors/choose.ts';
import {
  type Match,
  matchWords,
  reasonWords,
  type UncoveredReason,
} from '../../../../portfolio/footprint/line-item.ts';
import type { SpendColumns } from '../../../../portfolio/footprint/spend/columns.ts';
import {
  type RowKind,
  rowKinds,
  type SpendReport,
} from '../../../../portfolio/footprint/spend/spend-file.ts';
import type { MatchedSpend } from '../../../../portfolio/footprint/suppliers.ts';
import type { FootprintSummary } from '../../../../portfolio/footprint/totals.ts';
import { unusedColumns } from '../../../input-table.ts';
import type { Notice } from '../../../messages.ts';

/** A notice about a file. */
export interface FileNotice extends Notice {
  /** Whether it says how the file was read, which one screen of a terminal leaves out. */
  readonly isReading?: boolean;
}

/** Describes the columns and how their amounts are written. */
export function columnNotices({ columns, format }: SpendReport): FileNotice[] {
  const { registration, unused } = columns;
  const identifying = registration.columns.filter(({ field }) => field !== 'currency');
  const all = [...identifying, ...columns.columns].sort((a, b) => a.index - b.index);
  const mapped = all.map(({ column, field }) => `${column} → ${field}`).join(', ');
  const notices = [reading(`Columns: ${mapped}${unusedColumns(unused)}`)];
  const { decimal, example } = format;
  if (decimal === undefined) return notices;
  const read = example && String(example.value);
  const shown =
    example &&
    `, as in line ${example.line}: ${example.text}${example.text === read ? '' : ` is ${read}`}`;
  const sign = decimal === ',' ? 'comma' : 'point';
  return [...notices, reading(`Amounts: decimal ${sign}${shown ?? ''}`)];
}

/** Describes the rows, after all of them were read. */
export function rowNotices(report: SpendReport): FileNotice[] {
  const { rows, purchases, credits, years, totals } = report;
  const codes = [...new Set([...purchases.keys(), ...credits.keys()])];
  const rounded = (amount: number) => count.format(Math.round(amount));
  const amounts = codes.map((code) => {
    const [bought = 0, credited = 0] = [purchases, credits].map((sums) =>
      numberOf(sums.get(code) ?? zero),
    );
    const share = bought > 0 ? `, ${percentText(-credited, bought)}` : '';
    const notes = credited < 0 ? `, −${rounded(-credited)} credit notes${share}` : '';
    return `${code || 'no currency'} ${rounded(bought)} purchases${notes}`;
  });
  const byYear = [...years].map(
    ([year, number]) =>
      `${count.format(number)} ${year === undefined ? 'without a year' : `in ${year}`}`,
  );
  const read = plural(rows, 'row with spend', 'rows with spend');
  return [
    reading(`Read ${read}: ${amounts.join('; ')}; ${byYear.join(', ')}`),
    ...kindNotices('progress', report),
    ...totals.wrong
      .slice(0, maxShown)
      .map(({ line, total, rows: added }) =>
        warning(
          `Your total in line ${line}, ${figure(total).compact}, is not the sum of your rows, ${figure(added).compact}`,
        ),
      ),
    ...kindNotices('warning', report),
  ];
}

/** Checks whether IDs of the file may be the user's own numbers. */
export function mayBeOwnIds({ matched_by, uncovered }: FootprintSummary): boolean {
  return uncovered.match_differs !== undefined && matched_by.id !== undefined;
}

/** Describes how the line items were matched with records. */
export function matchNotice(summary: FootprintSummary): Notice {
  const { line_items, matched_by, uncovered } = summary;
  const found = Object.entries(matched_by).map(
    ([way, items]) => `${count.format(items)} by ${matchWords[way as Match]}`,
  );
  const reasons = Object.entries(uncovered).map(
    ([reason, items]) => `${reasonWords[reason as UncoveredReason]} (${count.format(items)})`,
  );
  const without = reasons.length > 0 ? `; without emissions: ${reasons.join(', ')}` : '';
  const hint = mayBeOwnIds(summary)
    ? '. If the column with IDs has your own numbers, leave it out: --map id='
    : '';
  const items = plural(line_items, 'line item');
  return note(`Records of ${items}: found ${found.join(', ') || 'none'}${without}${hint}`);
}

/**
 * Describes equal names of different suppliers, identifiers that no record has, suppliers that are
 * one, and records that may not be the latest or that disagree.
 */
export function recordNotices(
  { equalNames, unidentified, undecided, joined, disputed }: MatchedSpend,
  { registration }: SpendColumns,
): Notice[] {
  const notices: Notice[] = [];
  if (unidentified > 0) {
    const used = registration.columns.filter(({ field }) => keyFields.includes(field));
    const columns = used.map(({ column }) => column).join(', ');
    const map = used.map(({ field }) => `${field}=`).join();
    const many = plural(unidentified, 'supplier');
    notices.push(note(`Not found by ${columns}: ${many}. To find suppliers by name: --map ${map}`));
  }
  if (equalNames.length > 0) {
    const named = equalNames.map(({ name, lines }) => `"${name}" (lines ${lines.join(', ')})`);
    notices.push(
      note(
        `Suppliers with the same name but different IDs, identifiers or countries: ${naming(named)}`,
      ),
    );
  }
  if (joined.length > 0) {
    const groups = joined.map(
      ({ name, members = [] }) => `${name ?? 'no name'} (${naming(members)})`,
    );
    const names = groups.slice(0, maxShown).join('; ') + (joined.length > maxShown ? '; ...' : '');
    notices.push(
      note(
        `Counted as one supplier each, because the matched organization has all these names: ${names}`,
      ),
    );
  }
  if (disputed.length > 0) {
    const many = plural(disputed.length, 'supplier has', 'suppliers have');
    const names = naming(disputed.map(({ id, name }) => name ?? `ID ${id}`));
    notices.push(
      warning(
        `${many} records with different SBTi statuses, none of which is known to be the latest; the least favorable one is used: ${names}`,
      ),
    );
  }
  if (undecided.length > 0) {
    const many = plural(undecided.length, 'organization has', 'organizations have');
    notices.push(
      warning(
        `${many} different records without a time of retrieval; the last one is used: ${naming(undecided.map(String))}`,
      ),
    );
  }
  return notices;
}

/**
 * Returns the currencies of the spend with suppliers whose records are in another one, or in none,
 * so that line items are uncovered until the records are retrieved in these.
 */
export function currenciesToSync({ groups }: Pick<MatchedSpend, 'groups'>): readonly string[] {
  const codes = groups.flatMap(({ choice: { additive }, currency }) =>
    isUncovered(additive) && additive.isInOtherCurrency ? (currency ?? []) : [],
  );
  return [...new Set(codes)];
}

/**
 * Says how to cover line items whose records are in another currency, if there are any.
 * @param remedy a sentence with the command that retrieves them
 */
export function currencyNotices(currencies: readonly string[], remedy: string): Notice[] {
  if (currencies.length === 0) return [];
  const text = `Records of suppliers with spend in ${listing(currencies)} are in another currency, or in none. ${remedy}`;
  return [warning(text)];
}

function note(text: string): Notice {
  return { level: 'progress', text };
}

function reading(text: string): FileNotice {
  return { ...note(text), isReading: true };
}

function warning(text: string): Notice {
  return { level: 'warning', text };
}

const maxShown = 5;

const keyFields = identifierFields.filter(({ isUnique }) => isUnique).map(({ name }) => name);

const doubtful: readonly RowKind[] = ['unnamed', 'rounded', 'no_currency'];
/* Rows that carbon does not count without being told so. */
const notCounted: readonly RowKind[] = ['totals', 'no_spend'];

function kindNotices(level: 'progress' | 'warning', { kinds }: SpendReport): FileNotice[] {
  return (Object.keys(rowKinds) as RowKind[]).flatMap((kind) => {
    const { count: rows, lines } = kinds.get(kind) ?? { count: 0, lines: [] };
    if (rows === 0 || doubtful.includes(kind) !== (level === 'warning')) return [];
    const shown = lines.slice(0, maxShown).join(', ') + (rows > maxShown ? ', ...' : '');
    const text = `${rowKinds[kind]}: ${plural(rows, 'row')} (${rows === 1 ? 'line' : 'lines'} ${shown})`;
    return [{ level, text, isReading: level === 'progress' && !notCounted.includes(kind) }];
  });
}
