/* Describes what the check of a batch found, one line each. */
import { basename } from 'node:path';
import type { Batch } from '../../../batch/batch.ts';
import type { Mapping } from '../../../batch/columns.ts';
import { reportProblem } from '../../../batch/failed-rows.ts';
import type { Tally } from '../../../batch/findings.ts';
import type { RowProblem } from '../../../batch/row-action.ts';
import { readSpendHeader } from '../../../footprint/spend/spend-header.ts';
import { count } from '../../../terminal/format.ts';
import type { Notice } from '../../messages.ts';

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

/**
 * Warns of values that may be a country but are sent as missing. --no-progress does not hide this,
 * because a registration cannot be undone.
 */
export function ambiguousCountryNotices({ mapping, preflight }: Batch): Notice[] {
  const { count: rows, lines } = preflight.unclearRegions;
  if (rows === 0) return [];
  const column = mapping.columns.find(({ field }) => field === 'hq_region')?.column;
  const more = rows > lines.length ? ` and ${count.format(rows - lines.length)} more` : '';
  const text = `${rows === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}: "NA" in column ${column} is treated as missing. If you mean Namibia, write "Namibia".`;
  return [{ level: 'warning', text, event: { warning: text } }];
}

/** Describes values that a person should check before the rows are sent. */
export function findingNotices({ mapping, preflight }: Batch): Notice[] {
  const { headers, freeTextRegions, missing, formulas, totals, unlikelyNames } = preflight.findings;
  const { equalNames, restoredDuns, shortened, repeatedIds } = preflight.findings;
  const country = mapping.columns.find(({ field }) => field === 'hq_region')?.column ?? '';
  return [
    ...notice('repeated_headers', 'Repeated header, ignored', headers),
    ...notice('restored_duns', 'Restored leading zeros of D-U-N-S numbers', restoredDuns),
    ...warning(
      'free_text_countries',
      `Unknown country in column "${country}", sent as free text (hq_fuzzy)`,
      freeTextRegions,
      country,
    ),
    ...[...missing].flatMap(([column, tally]) =>
      notice('missing_values', `Treated as missing in column "${column}"`, tally, column),
    ),
    ...[...formulas].flatMap(([column, tally]) =>
      warning('formulas', `Possible formula in column "${column}", sent unchanged`, tally, column),
    ),
    ...[...shortened].flatMap(([column, tally]) =>
      warning(
        'shortened_numbers',
        `Number without its last digits in column "${column}", sent unchanged`,
        tally,
        column,
      ),
    ),
    ...[...repeatedIds].flatMap(([column, tally]) =>
      warning(
        'repeated_ids',
        `Same value as the previous valid row but another name in column "${column}", sent unchanged`,
        tally,
        column,
      ),
    ),
    ...warning('totals', 'Possible total instead of an organization', totals),
    ...warning(
      'unlikely_names',
      'Possible number, date or TRUE/FALSE instead of a name',
      unlikelyNames,
    ),
    ...warning(
      'equal_names',
      'Same name as another row but different values, so each registers its own organization',
      equalNames,
    ),
  ];
}

/** Describes a value that `--invalid drop-ids` removes from a row. */
export function droppedNotice(problem: RowProblem): Notice {
  const text = `line ${problem.line}: ${reportProblem(problem)}; carbon sends the row without it`;
  return { level: 'detail', text, event: { event: 'dropped', ...problem } };
}

/** Describes the number of removed values. */
export function droppedTotal(values: number): Notice {
  const text = `Invalid identifiers removed: ${count.format(values)}`;
  return { level: 'detail', text, event: { event: 'dropped_ids', values } };
}

const maxShown = 5;

function warning(...about: Parameters<typeof notice>): Notice[] {
  return notice(...about).map((line) => ({ ...line, level: 'finding' }));
}

function notice(kind: string, what: string, tally: Tally, column?: string): Notice[] {
  const { count: rows, lines, values } = tally;
  if (rows === 0) return [];
  const named = [...values].map(([value, times]) => `"${value}"${times > 1 ? ` (${times})` : ''}`);
  const places = `${lines.length === 1 ? 'line' : 'lines'} ${some(lines.map(String), rows)}`;
  const shown = named.length > 0 ? `: ${some(named, named.length)}` : '';
  const text = `${what}: ${count.format(rows)} ${rows === 1 ? 'row' : 'rows'} (${places})${shown}`;
  const listed = [...values].map(([value, times]) => ({ value, rows: times }));
  const event = { event: 'finding', kind, column, rows, lines, values: listed };
  return [{ level: 'detail', text, event }];
}

function some(texts: readonly string[], all: number): string {
  return texts.slice(0, maxShown).join(', ') + (all > maxShown ? ', ...' : '');
}
