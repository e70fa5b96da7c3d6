import type { RowEvent } from '../../../batch/rows.ts';
import type { CarbonError } from '../../../runtime/carbon-error.ts';
import { count } from '../../../terminal/format.ts';
import { hintOf } from '../../errors.ts';
import type { Messages, NoticeLevel } from '../../messages.ts';

/* Maximum number of rows of each kind to list for people. */
const maxListedRows = 20;

/* Maximum number of characters of a name. */
const maxNameLength = 60;

type Failed = Extract<RowEvent, { kind: 'refused' | 'postponed' }>;

/** Collects the rows that failed in this run, and lists the first ones of each kind at its end. */
export class FailedRowNames {
  readonly #messages: Messages;
  readonly #first: Record<Failed['kind'], Failed[]> = { refused: [], postponed: [] };
  readonly #counts = { refused: 0, postponed: 0 };

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  /** Adds a row that was refused or postponed in this run. */
  add(event: Failed): void {
    this.#counts[event.kind] += 1;
    const listed = this.#first[event.kind];
    if (listed.length < maxListedRows) listed.push(event);
  }

  /** Prints the event of a postponed row for a program, which receives every one. */
  printEvent(line: number, name: string, error: CarbonError): void {
    this.#messages.print({
      level: 'result',
      text: '',
      event: { event: 'postponed', line, name, error },
    });
  }

  /** Lists the refused rows with the service's reason; `file` has all of them. */
  reportRefused(file: string): void {
    for (const { line, error } of this.#first.refused) {
      this.#messages.print({
        level: 'result',
        text: `Rejected: line ${line}: ${error.message}`,
        event: { event: 'refused', line, error },
      });
    }
    this.#reportMore('refused', `; ${file} lists all of them`, 'result');
  }

  /** Lists the postponed rows with their errors. */
  reportPostponed(): void {
    for (const event of this.#first.postponed) {
      const { line, error } = event;
      const name = event.kind === 'postponed' ? `, "${shorten(event.name)}"` : '';
      this.#messages.print({
        level: 'failure',
        text: `Postponed: line ${line}${name}: ${error.message}`,
        event: { event: 'postponed', line, error },
      });
    }
    const hints = new Set(this.#first.postponed.map(({ error }) => hintOf(error)));
    for (const hint of hints)
      if (hint) this.#messages.print({ level: 'failure', text: `Hint: ${hint}`, event: { hint } });
    this.#reportMore('postponed', '', 'failure');
  }

  #reportMore(kind: Failed['kind'], where: string, level: NoticeLevel): void {
    const more = this.#counts[kind] - this.#first[kind].length;
    if (more === 0) return;
    const label = kind === 'refused' ? 'rejected' : kind;
    const text = `and ${count.format(more)} more ${label} ${more === 1 ? 'row' : 'rows'}${where}`;
    this.#messages.print({ level, text, event: { event: 'truncated', more } });
  }
}

function shorten(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
}
