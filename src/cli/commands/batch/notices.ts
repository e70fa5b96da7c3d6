/* Describes what the check of a batch found, one line each. */
import { basename } from 'node:path';
import type { Batch } from '../../../batch/batch.ts';
import type { Mapping } from '../../../batch/columns.ts';
import type { Tally } from '../../../batch/findings.ts';
import { readSpendHeader } from '../../../footprint/spend/spend-header.ts';
import { count } from '../../../terminal/format.ts';
import type { Notice, NoticeLevel } from '../../messages.ts';

/** Describes unreadable journal lines, if new rows may be the rows of those lines. */
export function journalNotices({ unreadable, preflight }: Batch): Notice[] {
  if (preflight.counts.new === 0) return [];
  return [...unreadable].map(([journal, { lines, first }]) => ({
    text: `${count.format(lines)} ${lines === 1 ? 'line' : 'lines'} of the journal ${basename(journal)} cannot be read (first: line ${first}). carbon sends their rows again; no organization is registered twice.`,
    event: { event: 'unreadable_lines', journal, lines, first },
    level: 'warning' as const,
  }));
}

/** Describes columns that may hold a field and are not used. */
export function columnNotices({ mapping, preflight, journal }: Batch): Notice[] {
  const isSending = preflight.counts.new > 0;
  const notices: Notice[] = mapping.doubts.map((doubt) => ({
    text: `Several columns may hold ${doubt.field}, so carbon uses none: ${doubt.columns.join(', ')}. Choose one, such as ${doubt.map}`,
    event: { event: 'mapping_doubt', ...doubt },
    level: isSending ? 'warning' : 'finding',
  }));
  notices.push(...spendNotices(mapping));
  const { added } = mapping;
  if (added.length > 0) {
    const columns = added.map(({ column, field }) => `${column} → ${field}`).join(', ');
    notices.push({
      text: `Not used, because earlier runs did not use it: ${columns}. To use it: ${added.map(({ map }) => map).join(' ')}. Rows whose values change are sent again.`,
      event: { event: 'added_columns', journal, columns: added },
      level: 'finding',
    });
  }
  return notices;
}

/* `carbon batch` sends no amounts. */
function spendNotices({ unused }: Mapping): Notice[] {
  const columns = unused.filter((column) => readSpendHeader(column) !== undefined);
  const [column, second] = columns;
  if (column === undefined) return [];
  const notUsed =
    second === undefined
      ? `Column ${column} is not used here; carbon footprint reads it`
      : `Columns ${columns.join(', ')} are not used here; carbon footprint reads them`;
  return [
    {
      text: notUsed,
      event: { event: 'spend_columns', columns },
      level: 'detail',
    },
  ];
}

/** Describes rows that are left out, and values that a person should check before they are sent. */
export function findingNotices({ mapping, preflight }: Batch): Notice[] {
  const { findings } = preflight;
  const country = mapping.columns.find(({ field }) => field === 'hq_region')?.column ?? '';
  const perColumn = (
    kind: string,
    tallies: ReadonlyMap<string, Tally>,
    text: (column: string) => string,
    level: NoticeLevel,
  ) => [...tallies].flatMap(([column, tally]) => notice(kind, text(column), tally, level, column));
  return [
    ...unclearRegions(findings.unclearRegions, country),
    ...notice('repeated_headers', 'Repeated header, ignored', findings.headers, 'detail'),
    ...notice(
      'totals',
      'Looks like a total, not an organization; not sent (to send it: --include-totals)',
      findings.totals,
      'finding',
    ),
    ...notice(
      'restored_duns',
      'Restored leading zeros of D-U-N-S numbers',
      findings.restoredDuns,
      'detail',
    ),
    ...notice(
      'free_text_countries',
      `Unknown country in column "${country}", sent as free text (hq_fuzzy)`,
      findings.freeTextRegions,
      'finding',
      country,
    ),
    ...perColumn(
      'missing_values',
      findings.missing,
      (column) => `Treated as missing in column "${column}"`,
      'detail',
    ),
    ...perColumn(
      'shortened_numbers',
      findings.shortened,
      (column) =>
        `Column "${column}" contains numbers like 4.5E+09, which have lost digits; sent unchanged`,
      'finding',
    ),
    ...perColumn(
      'equal_ids',
      findings.equalIds,
      (column) => `Column "${column}" repeats a value under a different name; sent unchanged`,
      'finding',
    ),
    ...notice(
      'unlikely_names',
      'Looks like a number, a date or TRUE/FALSE, not a name',
      findings.unlikelyNames,
      'finding',
    ),
    ...notice(
      'equal_names',
      'Same name, different details: registered as separate organizations',
      findings.equalNames,
      'finding',
    ),
  ];
}

/* --no-progress does not hide that a value which may be Namibia is not sent. */
function unclearRegions({ count: rows, lines }: Tally, column: string): Notice[] {
  if (rows === 0) return [];
  const more = rows > lines.length ? ` and ${count.format(rows - lines.length)} more` : '';
  const text = `${rows === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}: "NA" in column ${column} is treated as missing. If you mean Namibia, write "Namibia".`;
  return [{ text, event: { warning: text }, level: 'warning' }];
}

const maxShown = 5;

function notice(
  kind: string,
  what: string,
  { count: rows, lines, values }: Tally,
  level: NoticeLevel,
  column?: string,
): Notice[] {
  if (rows === 0) return [];
  const named = [...values].map(([value, times]) => `"${value}"${times > 1 ? ` (${times})` : ''}`);
  const places = `${lines.length === 1 ? 'line' : 'lines'} ${some(lines.map(String), rows)}`;
  const shown = named.length > 0 ? `: ${some(named, named.length)}` : '';
  const text = `${what}: ${count.format(rows)} ${rows === 1 ? 'row' : 'rows'} (${places})${shown}`;
  const listed = [...values].map(([value, times]) => ({ value, rows: times }));
  return [{ text, event: { event: 'finding', kind, column, rows, lines, values: listed }, level }];
}

function some(texts: readonly string[], all: number): string {
  return texts.slice(0, maxShown).join(', ') + (all > maxShown ? ', ...' : '');
}
