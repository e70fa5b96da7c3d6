/*
 * A batch before the user's eyes: mapping, check and progress on standard error, the verdict as its
 * last line; results on standard output when a form of them was asked for. With --no-progress a run
 * that ends well is silent.
 */
import { basename } from 'node:path';
import { hasEnded } from '../../../api/status.ts';
import type { Batch } from '../../../batch/batch.ts';
import { type FailedRows, reportProblem } from '../../../batch/failed-rows.ts';
import type { RowEvent, RunOutcome } from '../../../batch/outcome.ts';
import type { RowProblem } from '../../../batch/row-action.ts';
import type { RefusalStreakNotice } from '../../../batch/run.ts';
import { InterruptedError, LocalError, UsageError } from '../../../runtime/carbon-error.ts';
import { Stopped } from '../../../runtime/context.ts';
import { count, plural } from '../../../terminal/count.ts';
import { renderDuration } from '../../../terminal/duration.ts';
import type { Session } from '../../session.ts';
import { FailedRowNames } from './failed-row-names.ts';
import {
  columnNotices,
  droppedNotice,
  droppedTotal,
  findingNotices,
  journalNotices,
  type Notice,
} from './notices.ts';
import { printRow } from './print-rows.ts';
import { BatchProgress } from './progress.ts';
import { RefusalNotice } from './refusal-notice.ts';

/* So many invalid rows are named before anything is sent; the file of failed rows has them all. */
const maxNamedRows = 20;

/** Shows one batch. `begin` before it is sent, `end` when it is over. */
export class BatchScreen {
  readonly #session: Session;
  readonly #progress: BatchProgress;
  readonly #held: (() => void)[] = [];
  #isNews = true;
  #isOfFailedRows = false;
  readonly #refusalNotice: RefusalNotice;
  readonly #failures: FailedRowNames;
  #isResearching = false;

  constructor(session: Session) {
    this.#session = session;
    this.#progress = new BatchProgress(session, (text, event) => this.#say(text, event));
    this.#refusalNotice = new RefusalNotice(session.context.clock);
    this.#failures = new FailedRowNames(session.messages);
  }

  /* Without progress, what would be said is kept until something goes wrong. */
  #say(text: string, event: Readonly<Record<string, unknown>>): void {
    const say = () => this.#session.messages.note(text, event);
    if (this.#session.flags.progress === false) this.#held.push(say);
    else say();
  }

  #report({ text, event, isWarning, isUrgent }: Notice): void {
    const { messages, flags } = this.#session;
    const say = () => (isWarning ? messages.warn(text, event) : messages.note(text, event));
    if (flags.progress === false && !isUrgent) this.#held.push(say);
    else say();
  }

  /** Says what the columns mean and what the check found. */
  reportChecked(opened: Batch): void {
    const { mapping, preflight, journal, superseded } = opened;
    if (superseded !== undefined) {
      const { service, profile, kept } = superseded;
      this.#say(
        `Journal ${basename(journal)} belongs to ${service} (profile ${profile}) and has no registrations. carbon saved it as ${basename(kept)} and starts a new one.`,
        { event: 'superseded', journal, ...superseded },
      );
    }
    for (const notice of journalNotices(opened)) this.#report(notice);
    const columns = mapping.columns.map(({ column, field }) => `${column} → ${field}`).join(', ');
    const unused = mapping.unused.length > 0 ? `; not used: ${mapping.unused.join(', ')}` : '';
    this.#say(`Columns: ${columns}${unused}`, {
      event: 'mapping',
      columns: mapping.columns,
      unused: mapping.unused,
    });
    for (const notice of columnNotices(opened)) this.#report(notice);
    const { counts, rows, elsewhere } = preflight;
    const parts = [
      `${count.format(counts.new)} new`,
      ...named(counts.done, 'already registered'),
      ...named(counts.refused, 'refused earlier'),
      ...named(counts.duplicate, counts.duplicate === 1 ? 'duplicate' : 'duplicates'),
      ...named(counts.invalid, 'invalid'),
    ];
    const others = elsewhere > 0 ? ` (and ${count.format(elsewhere)} in other shards)` : '';
    this.#say(`Checked ${plural(rows, 'row')}${others}: ${parts.join(', ')}`, {
      event: 'checked',
      rows,
      elsewhere,
      ...counts,
    });
    if (rows + elsewhere === 0) this.#session.messages.warn('The file has a header but no rows.');
    this.#tellUnclear(mapping, preflight);
    for (const notice of findingNotices(opened)) this.#report(notice);
  }

  /*
   * Told in a silent run too: these rows are sent without what may have been their country, and
   * cannot be taken back.
   */
  #tellUnclear({ columns }: Batch['mapping'], { unclearRegions }: Batch['preflight']): void {
    const { count: rows, lines } = unclearRegions;
    if (rows === 0) return;
    const column = columns.find(({ field }) => field === 'hq_region')?.column;
    const more = rows > lines.length ? ` and ${count.format(rows - lines.length)} more` : '';
    this.#session.messages.warn(
      `${rows === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}: "NA" in column ${column} is treated as missing. If you mean Namibia, write "Namibia".`,
    );
  }

  /**
   * Names the invalid rows: all of them in a dry run and for programs, else the first ones and
   * where the others are.
   * @param isSending whether the other rows are sent; only then a silent run waits with it until
   * its end
   */
  async reportInvalid(opened: Batch, isSending: boolean, isDry: boolean): Promise<void> {
    const { failed, preflight } = opened;
    const isHeld = isSending && this.#session.flags.progress === false;
    if (!isHeld && (isDry || this.#session.messages.isJson)) {
      for await (const problem of opened.problems()) this.#name(problem, false);
      return;
    }
    const lines = new Set<number>();
    for (const problem of preflight.problems) {
      if (lines.size === maxNamedRows && !lines.has(problem.line)) break;
      lines.add(problem.line);
      this.#name(problem, isHeld);
    }
    const more = preflight.counts.invalid - lines.size;
    if (more === 0) return;
    const where = isSending
      ? `${basename(failed)} lists all of them`
      : '--dry-run lists all of them';
    const say = () =>
      this.#session.messages.note(`and ${plural(more, 'more invalid row')}; ${where}`, {
        event: 'truncated',
        more,
      });
    if (isHeld) this.#held.push(say);
    else say();
  }

  /**
   * Names every value that is left out of a row to be sent; a silent run names the first ones, at
   * its end.
   */
  async reportDropped(opened: Batch, isDry: boolean): Promise<void> {
    const { count: all, problems } = opened.preflight.dropped;
    const isHeld = !isDry && this.#session.flags.progress === false;
    if (all > problems.length && !isHeld) {
      for await (const problem of opened.dropped()) this.#report(droppedNotice(problem));
    } else for (const problem of problems) this.#report(droppedNotice(problem));
    if (all > 0) this.#report(droppedTotal(all));
  }

  #name(problem: RowProblem, isHeld: boolean): void {
    const text = `line ${problem.line}: ${reportProblem(problem)}`;
    const say = () => this.#session.messages.note(text, { event: 'invalid', ...problem });
    if (isHeld) this.#held.push(say);
    else say();
  }

  /** The error of a file with invalid rows: nothing is sent. */
  refuse({ preflight }: Batch, file: string): UsageError {
    return new UsageError(
      `${plural(preflight.counts.invalid, 'row')} of ${file} ${preflight.counts.invalid === 1 ? 'is' : 'are'} invalid; nothing was sent`,
      'Fix the file, or use --skip-invalid to send only the valid rows.',
      'invalid_input',
    );
  }

  /**
   * Begins to show how far the rows are.
   * @param permitted requests per second that the service's limit permits, while sending waits for
   * it
   */
  begin(
    { preflight, isFailedRowsFile }: Batch,
    permitted: () => number | undefined,
  ): Promise<void> {
    this.#isNews = preflight.counts.new > 0;
    this.#isOfFailedRows = isFailedRowsFile;
    return this.#progress.begin(preflight.rows, permitted);
  }

  /**
   * Says once, when every request is refused for some seconds, what the service says and until when
   * it is tried.
   */
  reportRefusalStreak(news: RefusalStreakNotice): void {
    const told = this.#refusalNotice.tell(news);
    if (told === undefined) return;
    this.#progress.standStill(told.short);
    if (told.line === undefined) return;
    const { detail } = news.because;
    this.#say(told.line, { event: 'refused', detail, until: new Date(told.ends).toISOString() });
  }

  /** Takes what became of rows: counts them, and prints them when results were asked for. */
  async take(events: readonly RowEvent[]): Promise<void> {
    this.#progress.count(events);
    for (const event of events) this.#note(event);
    if (this.#session.format === 'human') return;
    await this.#progress.aside(async () => {
      for (const event of events) await printRow(this.#session, event);
      await this.#session.context.stdout.drained;
    });
  }

  #note(event: RowEvent): void {
    const { kind } = event;
    if (kind === 'registered')
      this.#isResearching ||= event.status === undefined || !hasEnded(event.status);
    else if (kind === 'postponed' && this.#session.format === 'json') {
      this.#failures.noteEvent(event.line, event.name, event.error);
    } else if (kind === 'postponed' || (kind === 'refused' && !event.earlier))
      this.#failures.take(event);
  }

  /* Standard output has every failed row for programs. */
  #tellFailures(file: string): void {
    if (this.#session.format !== 'json') this.#failures.reportRefused(basename(file));
    this.#failures.reportPostponed();
  }

  /** Takes away what moves; nothing of it outlives the batch, however that ends. */
  close(): void {
    this.#progress.stop();
  }

  /** Says how the run ended; the last line is the verdict. */
  end(
    outcome: RunOutcome,
    exit: number,
    mend: FailedRows & {
      file: string;
      command: string;
      watch: string | undefined;
      settled: readonly string[];
      /** How many rows may fail, Infinity without a limit. */
      maxErrors: number;
    },
  ): void {
    this.close();
    const { messages, context } = this.#session;
    // A night that fails on the same rows as the night before repeats nothing but that it does.
    const held = this.#isNews || mend.changed ? this.#held : [];
    if (exit !== 0) for (const say of held) say();
    this.#tellFailures(mend.file);
    const { stop } = outcome;
    if (stop !== undefined && !(stop instanceof InterruptedError)) messages.error(stop);
    const { reason } = context.signal;
    if (reason instanceof Stopped && reason.by === 'closed output') messages.error(nobodyReads());
    if (mend.kept !== undefined) {
      const text = `${basename(mend.file)} was edited, or a run with another journal wrote it. carbon saved that version as ${basename(mend.kept)}.`;
      messages.note(text, { event: 'backup_kept', file: mend.file, kept: mend.kept }, true);
    }
    for (const path of mend.settled) {
      const text = `Every row of ${basename(path)} is registered; you can delete the file.`;
      this.#say(text, { event: 'settled', file: path });
    }
    if (mend.rows > 0 && mend.rows === outcome.stillFailed) {
      messages.note(
        `${mend.rows === 1 ? 'The postponed row stays' : 'The postponed rows stay'} in ${basename(mend.file)} until ${mend.rows === 1 ? 'it is' : 'they are'} registered.`,
        {
          event: 'failed_rows',
          rows: mend.rows,
          postponed: mend.rows,
          file: mend.file,
          command: mend.command,
        },
        true,
      );
    } else if (mend.rows > 0) {
      const known =
        outcome.stillFailed > 0 ? ` (${count.format(outcome.stillFailed)} postponed)` : '';
      messages.note(
        `${basename(mend.file)} lists ${plural(mend.rows, 'failed row')}${known} with the reason. Fix ${mend.rows === 1 ? 'it' : 'them'}, then run: ${mend.command}`,
        { event: 'failed_rows', rows: mend.rows, file: mend.file, command: mend.command },
        true,
      );
    }
    const { counts, left } = outcome;
    if (this.#isOfFailedRows && exit === 0 && counts.registered > 0) {
      this.#say('Remember to fix these rows in the original file as well.', {
        event: 'source_reminder',
      });
    }
    const parts = [
      `${count.format(counts.registered)} registered`,
      ...named(counts.skipped, 'already registered'),
      ...named(counts.duplicate, counts.duplicate === 1 ? 'duplicate' : 'duplicates'),
      ...named(counts.refused, 'refused'),
      ...named(counts.invalid, 'invalid'),
      ...named(counts.postponed, 'postponed'),
      ...named(left, 'left'),
    ];
    const ms = this.#progress.elapsedMs;
    const open = left + counts.postponed > 0;
    const isFinished = !open && (exit === 0 || exit === 9) && this.#session.format === 'human';
    if (isFinished && this.#isResearching && mend.watch !== undefined) {
      this.#say(`To follow the research: ${mend.watch}`, { event: 'next', command: mend.watch });
    }
    // A run that has come to the end of the file has not stopped, although it postponed rows.
    const isAtEnd = left === 0 && stop === undefined;
    const hasMaxErrors = outcome.tooManyErrors && open && !isAtEnd && stop === undefined;
    if (hasMaxErrors && outcome.errors > mend.maxErrors) {
      const late = plural(outcome.errors - mend.maxErrors, 'more error');
      const text = `carbon started no rows after error ${count.format(mend.maxErrors)}; requests already in flight caused ${late}.`;
      this.#session.messages.note(text, {
        event: 'max_errors',
        max: mend.maxErrors,
        errors: outcome.errors,
      });
    }
    const verdict =
      exit === 0 ? 'Done in' : open && !isAtEnd ? 'Stopped after' : 'Finished with failures in';
    const next = !open
      ? ''
      : isAtEnd
        ? `. Run the same command later to retry ${plural(counts.postponed, 'postponed row')}`
        : '. Run the same command again to resume';
    const limit = hasMaxErrors
      ? `${plural(outcome.errors, 'error')} (--max-errors ${mend.maxErrors}) in `
      : '';
    const say = () =>
      messages.note(`${verdict} ${limit}${renderDuration(ms)}: ${parts.join(', ')}${next}`, {
        event: 'summary',
        exit,
        ...counts,
        left,
        elapsed_ms: Math.round(ms),
      });
    if (exit !== 0 || this.#session.flags.progress !== false) say();
  }
}

/* A run that is not finished has failed, although nobody is to blame, and a failure is told. */
function nobodyReads(): LocalError {
  return new LocalError('Standard output was closed before all rows were processed', {
    hint: 'Run the same command again to resume.',
  });
}

function named(number: number, name: string): string[] {
  return number > 0 ? [`${count.format(number)} ${name}`] : [];
}
