/* Reports how far the runs of a list have come: the work of `--status`. */
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { type FrameColumn, renderFrame } from '../../../../display/terminal/columns.ts';
import { count, percentText, plural } from '../../../../display/terminal/format.ts';
import { progressBar } from '../../../../display/terminal/pictures.ts';
import { sanitize } from '../../../../display/terminal/sanitize.ts';
import { layoutColumns, type RecordView } from '../../../../display/terminal/style.ts';
import { capital } from '../../../../display/terminal/text.ts';
import type { Batch, ListInput } from '../../../../lists/batch/batch.ts';
import { reportProblem } from '../../../../lists/batch/row-plan.ts';
import { isListed } from '../../../../lists/kept/lines.ts';
import { storePaths } from '../../../../lists/kept/paths.ts';
import { RecordStore } from '../../../../lists/kept/store.ts';
import { identifyingColumn } from '../../../../lists/list/columns.ts';
import { fillingOf } from '../../../../portfolio/organizations/correction.ts';
import { UsageError } from '../../../../runtime/carbon-error.ts';
import { isForm, show } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';
import { describeRejected, needsMatch, rejectedRows, resent } from './check-report.ts';
import { type BatchFlags, readList } from './open-list.ts';
import { countWords, quoteName } from './screen.ts';
import {
  findUnmatched,
  hasNoMatch,
  matchingStep,
  type UnmatchedRows,
  unmatchedInWords,
} from './unmatched.ts';

interface StatusDocument {
  readonly rows: number;
  readonly registered: number;
  readonly failed: number;
  readonly invalid: number;
  readonly remaining: number;
  readonly exit: number;
  readonly journal: string;
  /** When the journal was written last, ISO 8601. */
  readonly last_written: string | null;
  /** The commands that send the remaining rows, otherwise the failed ones. */
  readonly next: readonly string[];
}

/**
 * Prints the status and returns the exit code: 8 if rows remain, otherwise 9 if rows failed,
 * otherwise 0.
 * @throws UsageError for options that only a run has, and as `openBatch` does
 */
export async function reportStatus(
  session: Session,
  input: ListInput,
  flags: BatchFlags,
): Promise<number> {
  const { acceptRemoved, dryRun, metricsFile, out, restart, retryFailed } = flags;
  if (
    isForm(session, 'ids') ||
    acceptRemoved ||
    dryRun ||
    metricsFile ||
    out ||
    restart ||
    retryFailed
  )
    throw new UsageError(
      '--status sends nothing, so it cannot be combined with --ids, --accept-removed, --dry-run, --metrics-file, --out, --restart or --retry-failed',
      'Remove these options, or --status.',
    );
  const list = await readList(session, input, flags, { status: true });
  const { journal, preflight } = list;
  const { new: fresh, duplicate, done, rejected, invalid } = preflight.counts;
  const remaining = fresh + duplicate;
  const status = { rows: preflight.rows, registered: done, failed: rejected, invalid, remaining };
  const writtenMs = statSync(journal, { throwIfNoEntry: false })?.mtimeMs;
  const written = writtenMs === undefined ? null : new Date(writtenMs).toISOString();
  const exit = remaining > 0 ? 8 : rejected + invalid > 0 ? 9 : 0;
  const isFile = input.path === input.name;
  const isNext = remaining > 0 || rejected > 0;
  const next = isFile && isNext ? [nextCommand(session, flags, list, remaining === 0)] : [];
  const document = { file: input.name, ...status, exit, journal, last_written: written, next };
  const unmatched = session.messages.isForPeople
    ? await unmatchedOf(list)
    : { organizations: 0, named: [] };
  const named = {
    unmatched,
    toMatch: matchingStep(session, list, unmatched),
    list: list.list,
    organizations: list.countListed(),
    invalid: invalidText(preflight),
    rejected: describeRejected(session, list).map(sanitize).join('\n'),
  };
  if (named.toMatch !== undefined && needsMatch(list)) {
    named.rejected = '';
    named.toMatch = { ...named.toMatch, text: toMatchAll(list, unmatched) };
    // The block below names them.
    named.unmatched = { ...unmatched, named: [] };
  }
  const text = (view: RecordView, toLines?: ToLines) =>
    statusText(document, Object.entries(status), named, { ...view, toLines });
  await show(session, {
    document,
    text: (view) => text(view),
    async terminal(view) {
      const { wrapWords } = await import('../../../../display/terminal/text.ts');
      return text(view, (line) => wrapWords(line, layoutColumns(view)));
    },
  });
  return exit;
}

/* Finds the organizations without a match in the records of the list, if there are any. */
async function unmatchedOf(list: Batch): Promise<UnmatchedRows> {
  const paths = storePaths(list.list, list.keeping);
  if (!existsSync(paths.records)) return { organizations: 0, named: [] };
  const options = { paths, service: undefined, isReadOnly: true, isUnmatched: hasNoMatch };
  const store = await RecordStore.open(options);
  try {
    return await findUnmatched(list, [...store.heads()].filter(isListed));
  } finally {
    await store.close();
  }
}

/* Says once what both the rejected rows and those without a match need. */
function toMatchAll(list: Batch, { organizations, named }: UnmatchedRows): string {
  const more = organizations - named.length;
  const { dialect, mapping } = list.table;
  const column = identifyingColumn(dialect.header, mapping)?.column;
  const rows = [
    ...rejectedRows(list),
    ...named.map(({ name, line }) => `Not matched: line ${line} ${quoteName(name)}`),
    ...(more > 0 ? [`and ${count.format(more)} more that are not matched`] : []),
    `Correct the name or country of the rejected rows. ${resent}`,
    `To match the rejected rows and those that are not matched, ${fillingOf('all of them', column)}, then run:`,
  ];
  return rows.map(sanitize).join('\n');
}

interface ListOfStatus {
  readonly unmatched: UnmatchedRows;
  /** How to match them; undefined if there are none. */
  readonly toMatch: ReturnType<typeof matchingStep>;
  readonly list: string;
  /** Number of organizations that the rows are registered as. */
  readonly organizations: number;
  /** What to correct, if rows are invalid. */
  readonly invalid: string | undefined;
  /** Which rows the service rejected, and what to do; empty for none. */
  readonly rejected: string;
}

/* Breaks a line for a terminal. */
type ToLines = (line: string) => readonly string[];

function statusText(
  document: StatusDocument,
  numbers: readonly (readonly [name: string, number: number])[],
  { list, organizations, invalid, rejected, unmatched, toMatch }: ListOfStatus,
  { pictures, style, toLines = (line) => [line] }: RecordView & { toLines?: ToLines | undefined },
): string {
  // An indented line is one of a list.
  const linesOf = (line: string) => (line.startsWith(' ') ? [line] : toLines(line));
  const prose = (text: string) => text.split('\n').flatMap(linesOf).join('\n');
  const { rows, registered, exit, journal, last_written: written, next } = document;
  const at = written === null ? 'never' : `${written.slice(0, 16).replace('T', ' ')} (UTC)`;
  // The document has had another name for them since its first version.
  const titleOf = (name: string) => capital(name === 'failed' ? 'rejected' : name);
  const columns = numbers.map(([name]): FrameColumn => ({ title: titleOf(name), align: 'right' }));
  const cells = numbers.map(([, number]) => count.format(number));
  const drawn =
    pictures && rows > 0
      ? `\n${progressBar(registered / rows, 30)} ${percentText(registered, rows)} registered`
      : '';
  const isShared = organizations < registered;
  const which = registered === rows ? '' : `${count.format(registered)} of them `;
  const as = isShared ? `, ${which}registered as ${plural(organizations, 'organization')}` : '';
  const blocks = [
    `${prose(sanitize(whatRemains(document, unmatched)))}\n${sanitize(list)}: ${plural(rows, 'row')}${as}\n${sanitize(basename(journal))}, last written: ${at}${drawn}`,
    renderFrame(columns, [cells], style).lines.join('\n'),
    ...(invalid === undefined ? [] : [prose(invalid)]),
    ...(rejected === '' ? [] : [prose(rejected)]),
    ...(toMatch === undefined
      ? []
      : [`${prose(toMatch.text)}\n  ${sanitize(toMatch.commands.join(''))}`]),
    ...next.map(
      (command) =>
        `To send ${exit === 8 ? 'the remaining rows' : 'rejected rows again as they are'}:\n  ${sanitize(command)}`,
    ),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/* Says what there is to do before what there is. */
function whatRemains(
  { rows, registered, failed, invalid, remaining }: StatusDocument,
  unmatched: UnmatchedRows,
): string {
  const { organizations } = unmatched;
  const failures = [...countWords(failed, 'rejected'), ...countWords(invalid, 'invalid')];
  const ofRows = (number: number, what: string) =>
    [`${count.format(number)} of ${plural(rows, 'row')} ${what}`, ...failures].join(', ');
  const toMatch =
    organizations > 0
      ? ` ${plural(organizations, 'organization')} not matched${unmatchedInWords(unmatched)}.`
      : '';
  if (remaining > 0) return `${ofRows(remaining, 'remaining')}.${toMatch}`;
  const isDone = failures.length === 0 && organizations === 0;
  return `Nothing to ${isDone ? 'do' : 'send'}: ${ofRows(registered, 'registered')}.${toMatch}`;
}

const shownRows = 3;

/* Lists the first invalid rows, which nothing sends before they are corrected. */
function invalidText({ counts: { invalid }, problems }: Batch['preflight']): string | undefined {
  if (invalid === 0) return undefined;
  const byLine = new Map<number, string[]>();
  for (const problem of problems)
    if (!problem.isDropped)
      byLine.set(problem.line, [...(byLine.get(problem.line) ?? []), reportProblem(problem)]);
  const rows = [...byLine]
    .slice(0, shownRows)
    .map(([line, texts]) => sanitize(`  line ${line}: ${texts.join(', ')}`));
  const more = invalid - rows.length;
  const rest = more > 0 ? [`  and ${plural(more, 'more row')}; --dry-run --json lists all`] : [];
  return [`Correct the invalid ${invalid === 1 ? 'row' : 'rows'}:`, ...rows, ...rest].join('\n');
}

function nextCommand(
  session: Session,
  flags: BatchFlags,
  { journals, preflight }: Batch,
  isRetry: boolean,
): string {
  const current = session.identity();
  const { service = current.service, profile = current.profile } = journals.current;
  const isOther = current.service !== service || current.profile !== profile;
  const other = service === 'sandbox' ? ['--sandbox'] : ['--profile', profile];
  // Without this option, a run of a file with invalid rows sends nothing.
  return session.again({
    add: [
      ...(flags.invalid === undefined && preflight.counts.invalid > 0 ? ['--invalid', 'skip'] : []),
      ...(isRetry ? ['--retry-failed'] : []),
      ...(isOther && profile !== 'env' ? other : []),
    ],
    without: ['--status', '--json'],
  });
}
