/* Reports what the check of a list found, before anything is sent. */

import { nearestCountry } from '../../../../client/registration/countries.ts';
import { count, plural } from '../../../../display/terminal/format.ts';
import type { Batch } from '../../../../lists/batch/batch.ts';
import type { FindingKind, ListFinding } from '../../../../lists/batch/preflight.ts';
import { reportProblem } from '../../../../lists/batch/row-plan.ts';
import { identifyingColumn, type Mapping } from '../../../../lists/list/columns.ts';
import type { IdentifiedTable } from '../../../../lists/list/rows.ts';
import { mapOption } from '../../../../lists/table/map-option.ts';
import {
  type Correction,
  correctionAt,
  newColumnWords,
} from '../../../../portfolio/organizations/correction.ts';
import { describeRejection } from '../../../errors.ts';
import { keptNotices, sheetNotices, unusedColumns } from '../../../input-table.ts';
import type { Notice, NoticeLevel } from '../../../messages.ts';
import { show } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';
import type { BatchFlags } from './open-list.ts';
import { planJson } from './results.ts';
import { countWords, quoteName } from './screen.ts';

/**
 * Reports what the check found; with --dry-run and --json, prints the plan for each row.
 * @param isInQuestion checks whether a question that follows tells about a finding
 */
export async function reportCheck(
  session: Session,
  list: Batch,
  flags: BatchFlags,
  isInQuestion: (finding: ListFinding) => boolean,
): Promise<void> {
  const { messages } = session;
  const { table, preflight } = list;
  const { unsent = [], mapping } = table;
  const columns = mapping.columns.filter(({ field }) => !unsent.includes(field));
  const unused = [
    ...mapping.columns.filter(({ field }) => unsent.includes(field)).map(({ column }) => column),
    ...mapping.unused,
  ];
  const { counts, rows, dropped, again } = preflight;
  const parts = [
    ...(again > 0 && again === counts.new ? [] : [`${count.format(counts.new - again)} new`]),
    ...countWords(again, 'again'),
    ...countWords(counts.done, 'already registered'),
    ...countWords(counts.rejected, 'rejected earlier'),
    ...countWords(counts.duplicate, counts.duplicate === 1 ? 'duplicate' : 'duplicates'),
    ...countWords(counts.invalid, 'invalid'),
  ];
  messages.print(
    ...keptNotices(list.kept),
    ...sheetNotices(table.source),
    { level: 'detail', text: `Columns: ${arrows(columns)}${unusedColumns(unused)}` },
    ...columnNotices(list),
    { level: 'detail', text: `Checked ${plural(rows, 'row')}: ${parts.join(', ')}` },
  );
  const { damaged } = list.journals;
  if (damaged > 0 && counts.new > 0)
    messages.warn(
      `${plural(damaged, 'line')} of the journal cannot be read. Their rows are sent again and get the same IDs.`,
    );
  if (rows === 0) messages.warn('The file has a header but no rows.');
  const findings = preflight.findings.filter((finding) => !isInQuestion(finding));
  messages.print(...findingNotices(findings, table), ...problemNotices(list, flags));
  if (list.isDryRun)
    messages.print(
      ...describeRejected(session, list).map((text): Notice => ({ level: 'result', text })),
    );
  if (dropped > 0)
    messages.print({
      level: 'detail',
      text: `Invalid identifiers left out: ${count.format(dropped)}`,
    });
  if (list.isDryRun) await show(session, { json: plannedLines(list) });
}

async function* plannedLines(list: Batch) {
  for await (const plan of list.plans()) yield planJson(plan);
}

function arrows(columns: Mapping['columns']): string {
  return columns.map(({ column, field }) => `${column} → ${field}`).join(', ');
}

function problemNotices({ isDryRun, preflight }: Batch, flags: BatchFlags): Notice[] {
  // Only if carbon sends the valid rows, --no-progress defers the list of the others.
  const level = (flags.invalid ?? 'stop') === 'stop' || isDryRun ? 'result' : 'detail';
  const { problems, counts } = preflight;
  const notices = problems.map((problem): Notice => {
    const text = `line ${problem.line}: ${reportProblem(problem)}`;
    return problem.isDropped
      ? { level: 'detail', text: `${text}; will be sent without it` }
      : { level, text };
  });
  const invalid = new Set(problems.flatMap(({ line, isDropped }) => (isDropped ? [] : [line])));
  const more = counts.invalid - invalid.size;
  const where = level === 'detail' ? (flags.out ?? '-o results.xlsx') : '--dry-run --json';
  if (more > 0)
    notices.push({
      level,
      text: `and ${plural(more, 'more invalid row')}; ${where} lists all of them`,
    });
  return notices;
}

/** Names the first rows that the service rejected earlier, why, and what to do; empty for none. */
export function describeRejected(session: Session, list: Batch): readonly string[] {
  const { counts, rejected } = list.preflight;
  if (rejected.length === 0) return [];
  const these = counts.rejected === 1 ? 'this row' : 'these rows';
  const step = needsMatch(list)
    ? `Correct the name or country of ${these}. Or ${correctionAt(these, correctionBy(session, list))}.`
    : `Correct ${these}.`;
  return [...rejectedRows(list), `${step} ${resent}`];
}

/** Says which rejected rows the next run sends. */
export const resent =
  'The next run sends corrected rows, and unchanged ones only with --retry-failed.';

/** Tells whether the service found no organization for each row that it rejected. */
export function needsMatch({ preflight: { counts, notFound } }: Batch): boolean {
  return counts.rejected > 0 && notFound === counts.rejected;
}

/** Names the first rows that the service rejected earlier, and why; empty for none. */
export function rejectedRows({ preflight: { counts, rejected } }: Batch): readonly string[] {
  const more = counts.rejected - rejected.length;
  return [
    ...rejected.map(
      ({ line, name, error }) =>
        `Rejected: line ${line} ${quoteName(name)}: ${describeRejection(error)}`,
    ),
    ...(more > 0
      ? [
          `and ${plural(more, 'more rejected row')}; --dry-run --json, or -o results.xlsx in the next run, lists all of them`,
        ]
      : []),
  ];
}

function correctionBy(session: Session, { table: { dialect, mapping } }: Batch): Correction {
  const { column, words = newColumnWords } = identifyingColumn(dialect.header, mapping) ?? {};
  const without = ['--status', '--dry-run', '--json'];
  return { column, command: session.again({ add: words, without }) };
}

function columnNotices({ table, added, preflight }: Batch): Notice[] {
  const { mapping, dialect } = table;
  const notices: Notice[] = mapping.doubts.map((doubt) => ({
    text: `Several columns may hold ${doubt.field}, so carbon uses none: ${doubt.columns.join(', ')}. Choose one, such as ${doubt.map}`,
    level: preflight.counts.new > 0 ? 'warning' : 'finding',
  }));
  const maps = added.map(({ field, index }) => mapOption(field, dialect.header, index));
  if (added.length > 0)
    notices.push({
      text: `Not used, because earlier runs did not use it: ${arrows(added)}. To use it: ${maps.join(' ')}. Rows whose values change are sent again.`,
      level: 'warning',
    });
  return notices;
}

const sendDoubtful = 'to send them, use --doubtful send';

/* What each kind of finding says, in the order of the report. */
const findingKinds: Readonly<Record<FindingKind, readonly [NoticeLevel, string]>> = {
  // --no-progress does not hide that a value which may be Namibia is not sent.
  unclear_countries: [
    'warning',
    '"NA" in column {} is treated as missing. If you mean Namibia, write "Namibia"',
  ],
  repeated_headers: ['detail', 'Repeated header, ignored'],
  completed_rows: ['detail', 'Cells missing at the end were read as empty'],
  totals: ['finding', `Look like totals and were left out (${sendDoubtful})`],
  second_headers: ['finding', `Looks like a second header line and was left out (${sendDoubtful})`],
  below_table: ['finding', `Left out, because the table seems to end above (${sendDoubtful})`],
  group_headings: ['finding', 'Left out as group headings'],
  only_names: [
    'warning',
    'Nothing but a name; sent, but check that these are organizations, not notes',
  ],
  restored_duns: ['finding', 'Restored leading zeros of D-U-N-S numbers'],
  free_text_countries: ['finding', 'Unknown country in column "{}", sent as free text (hq_fuzzy)'],
  other_currencies: [
    'finding',
    'Column "{}" is not sent, because these values are not ISO 4217 currency codes',
  ],
  missing_values: ['detail', 'Treated as missing in column "{}"'],
  shortened_numbers: [
    'finding',
    'Column "{}" contains numbers like 4.5E+09, which have lost digits; sent unchanged',
  ],
  rounded_numbers: [
    'finding',
    'Column "{}" contains numbers of more than 15 digits, of which a spreadsheet keeps 15; sent unchanged. Store them as text',
  ],
  domain_names: ['warning', 'Column "{}" contains web addresses in place of names; sent unchanged'],
  other_websites: [
    'warning',
    'Column "{}" contains values that are no web or email addresses; sent unchanged',
  ],
  equal_names: ['warning', 'Same name, different {}: registered as separate organizations'],
};

function findingNotices(
  findings: readonly ListFinding[],
  { mapping: { columns }, dialect: { header } }: IdentifiedTable,
): Notice[] {
  const kinds = Object.keys(findingKinds);
  const ids = columns.find(({ field }) => field === 'external_id')?.column;
  return findings
    .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
    .map((finding) => {
      const { kind, column = '', count: rows, lines, values } = finding;
      const [level, what] = findingKinds[kind];
      const named = [...values].map(([value, times]) => {
        const code = kind === 'free_text_countries' ? nearestCountry(value) : undefined;
        const meant = code === undefined ? '' : ` (did you mean ${code}?)`;
        return `"${value}"${times > 1 ? ` (${times})` : ''}${meant}`;
      });
      const shown = named.length > 0 ? `: ${some(named, named.length)}` : '';
      const isById = kind === 'equal_names' && column === ids;
      const at = columns.find(({ field }) => field === 'currency')?.index ?? 0;
      const remedy = isById
        ? '. To register each name once: --map external_id='
        : kind === 'other_currencies'
          ? `. To send it anyway: ${mapOption('currency', header, at)}`
          : '';
      const text =
        kind === 'totals' && rows === 1
          ? `Line ${lines[0]} ${named[0]} looks like a total and was left out; to send it, use --doubtful send`
          : `${what.replace('{}', () => column)}: ${plural(rows, 'row')} (${placesOf(finding)})${shown}${remedy}`;
      return { level, text };
    });
}

const maxShown = 5;

/** Returns the first lines of a finding, such as "lines 3, 5". */
export function placesOf({ count: rows, lines }: ListFinding): string {
  return `${rows === 1 ? 'line' : 'lines'} ${some(lines.map(String), rows)}`;
}

/** Joins the first texts of a list of `all`. */
export function some(texts: readonly string[], all: number): string {
  return texts.slice(0, maxShown).join(', ') + (all > maxShown ? ', ...' : '');
}
