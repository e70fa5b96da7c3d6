/* Reports what the check of a batch found. */
import { basename } from 'node:path';
import type { Batch } from '../../../batch/batch.ts';
import type { Finding, FindingKind } from '../../../batch/findings.ts';
import { readSpendHeader } from '../../../footprint/spend/spend-header.ts';
import type { Mapping } from '../../../list/columns.ts';
import { type RowProblem, reportProblem } from '../../../list/row-action.ts';
import { nearestCountry } from '../../../registration/countries.ts';
import { count, plural } from '../../../terminal/format.ts';
import { sheetNotices, unusedColumns } from '../../input-table.ts';
import type { Messages, Notice, NoticeLevel } from '../../messages.ts';
import type { Session } from '../../session.ts';
import { planJson } from './screen.ts';
import { named } from './summary.ts';

/* Maximum number of invalid rows to list; -o has all of them. */
const maxNamedRows = 20;

/** Reports what the check found; with --dry-run and --json, prints the plan for each row. */
export async function reportCheck(
  session: Session,
  opened: Batch,
  { dryRun, skipInvalid }: { readonly dryRun: boolean; readonly skipInvalid: boolean },
): Promise<void> {
  const { messages } = session;
  reportChecked(messages, opened);
  await reportProblems(messages, opened, { isSending: skipInvalid && !dryRun, dryRun });
  if (dryRun && session.format === 'json') {
    for await (const plan of opened.plans()) session.printJson(planJson(plan));
  }
}

/* Reports the column mapping and the number of rows by action. */
function reportChecked(messages: Messages, opened: Batch): void {
  const { mapping, preflight } = opened;
  messages.print(...journalNotices(opened), ...sheetNotices(opened.table.source));
  const columns = mapping.columns.map(({ column, field }) => `${column} → ${field}`).join(', ');
  messages.print(
    {
      level: 'detail',
      text: `Columns: ${columns}${unusedColumns(mapping.unused)}`,
    },
    ...columnNotices(opened),
  );
  const { counts, rows } = preflight;
  const parts = [
    `${count.format(counts.new)} new`,
    ...named(counts.done, 'already registered'),
    ...named(counts.rejected, 'rejected earlier'),
    ...named(counts.duplicate, counts.duplicate === 1 ? 'duplicate' : 'duplicates'),
    ...named(counts.invalid, 'invalid'),
  ];
  messages.print({
    level: 'detail',
    text: `Checked ${plural(rows, 'row')}: ${parts.join(', ')}`,
  });
  if (rows === 0) messages.warn('The file has a header but no rows.');
  messages.print(...findingNotices(opened.preflight.findings, mapping));
}

/*
 * Lists the invalid rows and the identifiers that are left out: all of them in a dry run, otherwise
 * the first ones. Only if carbon sends the valid rows, --no-progress defers the list.
 */
async function reportProblems(
  messages: Messages,
  opened: Batch,
  { isSending, dryRun }: { readonly isSending: boolean; readonly dryRun: boolean },
): Promise<void> {
  const { counts, dropped, problems } = opened.preflight;
  const level = isSending ? 'detail' : 'result';
  if (dryRun) {
    if (counts.invalid + dropped > 0)
      for await (const problem of opened.problems()) messages.print(problemNotice(problem, level));
  } else {
    const lines = new Set<number>();
    const isListed = ({ line }: RowProblem) => lines.has(line) || lines.size < maxNamedRows;
    const listed = problems.filter((problem) => isListed(problem) && lines.add(problem.line));
    messages.print(...listed.map((problem) => problemNotice(problem, level)));
    const invalid = new Set(listed.filter((each) => !each.isDropped).map(({ line }) => line));
    const more = counts.invalid - invalid.size;
    const where = isSending ? '-o results.xlsx' : '--dry-run';
    if (more > 0) {
      const text = `and ${plural(more, 'more invalid row')}; ${where} lists all of them`;
      messages.print({ level, text });
    }
  }
  if (dropped > 0) {
    const text = `Invalid identifiers left out: ${count.format(dropped)}`;
    messages.print({ level: 'detail', text });
  }
}

function problemNotice({ isDropped, ...problem }: RowProblem, level: NoticeLevel): Notice {
  const text = `line ${problem.line}: ${reportProblem(problem)}`;
  return isDropped
    ? { level: 'detail', text: `${text}; will be sent without it` }
    : { level, text };
}

/** Describes unreadable journal lines, if new rows may be the rows of those lines. */
export function journalNotices({ unreadable, preflight }: Batch): Notice[] {
  if (preflight.counts.new === 0) return [];
  return [...unreadable].map(([journal, { lines, first }]) => ({
    text: `${count.format(lines)} ${lines === 1 ? 'line' : 'lines'} of the journal ${basename(journal)} cannot be read (first: line ${first}). carbon sends their rows again; no organization is registered twice.`,
    level: 'warning' as const,
  }));
}

/** Describes columns that may hold a field and are not used. */
export function columnNotices({ mapping, preflight }: Batch): Notice[] {
  const isSending = preflight.counts.new > 0;
  const notices: Notice[] = mapping.doubts.map((doubt) => ({
    text: `Several columns may hold ${doubt.field}, so carbon uses none: ${doubt.columns.join(', ')}. Choose one, such as ${doubt.map}`,
    level: isSending ? 'warning' : 'finding',
  }));
  notices.push(...spendNotices(mapping));
  const { added } = mapping;
  if (added.length > 0) {
    const columns = added.map(({ column, field }) => `${column} → ${field}`).join(', ');
    notices.push({
      text: `Not used, because earlier runs did not use it: ${columns}. To use it: ${added.map(({ map }) => map).join(' ')}. Rows whose values change are sent again.`,
      level: 'warning',
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
  return [{ level: 'detail', text: notUsed }];
}

/* What each kind of finding says, in the order of the report. */
const findingKinds: Readonly<
  Record<FindingKind, { level: NoticeLevel; say: (column: string) => string }>
> = {
  // --no-progress does not hide that a value which may be Namibia is not sent.
  unclear_countries: {
    level: 'warning',
    say: (column) =>
      `"NA" in column ${column} is treated as missing. If you mean Namibia, write "Namibia".`,
  },
  repeated_headers: { level: 'detail', say: () => 'Repeated header, ignored' },
  totals: {
    level: 'finding',
    say: () => 'Looks like a total, not an organization; not sent. To send it, write its full name',
  },
  restored_duns: { level: 'detail', say: () => 'Restored leading zeros of D-U-N-S numbers' },
  free_text_countries: {
    level: 'finding',
    say: (column) => `Unknown country in column "${column}", sent as free text (hq_fuzzy)`,
  },
  missing_values: {
    level: 'detail',
    say: (column) => `Treated as missing in column "${column}"`,
  },
  shortened_numbers: {
    level: 'finding',
    say: (column) =>
      `Column "${column}" contains numbers like 4.5E+09, which have lost digits; sent unchanged`,
  },
  equal_ids: {
    level: 'finding',
    say: (column) => `Column "${column}" repeats a value under a different name; sent unchanged`,
  },
  unlikely_names: {
    level: 'finding',
    say: () => 'Looks like a number, a date or TRUE/FALSE, not a name',
  },
  equal_names: {
    level: 'warning',
    say: (column) => `Same name, different ${column}: registered as separate organizations`,
  },
};

/** Describes rows that are left out, and values that a person should check before they are sent. */
export function findingNotices(findings: readonly Finding[], mapping: Mapping): Notice[] {
  const kinds = Object.keys(findingKinds);
  return findings
    .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
    .map((finding) => findingNotice(finding, mapping));
}

const maxShown = 5;

function findingNotice(
  { kind, column, count: rows, lines, values }: Finding,
  { columns }: Mapping,
): Notice {
  const { level, say } = findingKinds[kind];
  const what = say(column ?? '');
  const isOne = lines.length === 1;
  if (kind === 'unclear_countries') {
    const more = rows > lines.length ? ` and ${count.format(rows - lines.length)} more` : '';
    const text = `${isOne ? 'line' : 'lines'} ${lines.join(', ')}${more}: ${what}`;
    return { text, level };
  }
  const named = [...values].map(
    ([value, times]) =>
      `"${value}"${times > 1 ? ` (${times})` : ''}${kind === 'free_text_countries' ? suggestion(value) : ''}`,
  );
  const places = `${isOne ? 'line' : 'lines'} ${some(lines.map(String), rows)}`;
  const shown = named.length > 0 ? `: ${some(named, named.length)}` : '';
  const ids = columns.find(({ field }) => field === 'external_id')?.column;
  const remedy =
    kind === 'equal_names' && column === ids
      ? '. To register each name once: --map external_id='
      : '';
  const text = `${what}: ${plural(rows, 'row')} (${places})${shown}${remedy}`;
  return { text, level };
}

function suggestion(country: string): string {
  const code = nearestCountry(country);
  return code === undefined ? '' : ` (did you mean ${code}?)`;
}

function some(texts: readonly string[], all: number): string {
  return texts.slice(0, maxShown).join(', ') + (all > maxShown ? ', ...' : '');
}
