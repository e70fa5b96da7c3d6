/* Describes what the check of a batch found, one line each. */
import { basename } from 'node:path';
import type { Batch } from '../../../batch/batch.ts';
import type { MappingChange } from '../../../batch/choose-mapping.ts';
import type { Doubt, Mapping } from '../../../batch/columns.ts';
import { reportProblem } from '../../../batch/failed-rows.ts';
import type { Tally } from '../../../batch/findings.ts';
import type { RowProblem } from '../../../batch/row-action.ts';
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

/** Describes unused columns that may hold a field, and columns that differ from the journal. */
export function columnNotices(opened: Batch): Notice[] {
  const { mapping, chosen, preflight, table } = opened;
  // The journal of another shard may record the columns.
  const { journal = opened.journal } = chosen;
  const isSending = preflight.counts.new > 0;
  const doubts = mapping.doubts.map((doubt) => ({
    text: reportDoubt(doubt),
    event: { event: 'mapping_doubt', ...doubt },
    level: levelOf(doubt, isSending),
  }));
  const { kept, moved, replaced } = chosen;
  const notices: Notice[] = [...doubts, ...spendNotices(mapping)];
  if (kept.length > 0) {
    const options = kept.map(({ map }) => map).join(' ');
    // If a new journal would have no column either, no value is missing.
    const isLacking = isSending && kept.some(({ now }) => now !== undefined);
    notices.push({
      text: `carbon keeps the columns of ${basename(journal)}: ${reportColumns(kept, 'journal')}. A new journal would use ${reportColumns(kept, 'now')}. To switch: ${options}, or --restart. Rows whose values change count as new.`,
      event: { event: 'mapping_kept', journal, fields: kept },
      level: isLacking ? 'warning' : 'detail',
    });
  }
  if (moved.length > 0) {
    notices.push({
      text: `This file lacks columns of ${basename(journal)}: ${reportColumns(moved, 'journal')} becomes ${reportColumns(moved, 'now')}. Rows whose values change count as new.`,
      event: { event: 'mapping_moved', journal, fields: moved },
      level: isSending ? 'warning' : 'detail',
    });
  }
  if (replaced.length > 0) {
    notices.push({
      text: `--map replaces columns of ${basename(journal)}: ${reportColumns(replaced, 'journal')} becomes ${reportColumns(replaced, 'now')}. Rows whose values change count as new.${table.shard ? everyShard : ''}`,
      event: { event: 'mapping_replaced', journal, fields: replaced },
      level: isSending ? 'warning' : 'finding',
    });
  }
  return notices;
}

function levelOf({ kind, field }: Doubt, isSending: boolean): NoticeLevel {
  if (kind === 'ambiguous') return isSending ? 'warning' : 'finding';
  return field === 'hq_subregion' ? 'finding' : 'detail';
}

/* The values decide the shard of a row, so shards with other columns omit rows. */
const everyShard = ' Use the same --map for every shard.';

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

function reportColumns(changes: readonly MappingChange[], from: 'journal' | 'now'): string {
  return changes.map((change) => `${change[from] ?? 'no column'} → ${change.field}`).join(', ');
}

function reportDoubt({ field, kind, columns, examples, map }: Doubt): string {
  if (kind === 'ambiguous') {
    return `Several columns may hold ${field}, so carbon uses none: ${columns.join(', ')}. Choose one, such as ${map}`;
  }
  const values = examples.length > 0 ? ` (${examples.join(', ')})` : '';
  if (kind === 'alternative') {
    const [subject, verb, which] =
      columns.length === 1 ? ['Column', 'is', 'it'] : ['Columns', 'are', 'the first'];
    return `${subject} ${columns.join(', ')} ${verb} not used, but may hold the ${field}${values}. To use ${which}: ${map}`;
  }
  const wanted = field === 'hq_subregion' ? 'subregion codes (ISO 3166-2)' : 'country names';
  return `Column ${columns.join()} is not used: most of its values are not ${wanted}${values}. To use it: ${map}`;
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
