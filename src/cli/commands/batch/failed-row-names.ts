import type { RowEvent } from '../../../batch/outcome.ts';
import type { CarbonError } from '../../../runtime/carbon-error.ts';
import { count } from '../../../terminal/count.ts';
import type { Messages } from '../../messages.ts';

/* So many rows of each kind are named to people; more would bury the summary. */
const maxNamedRows = 20;

/* So many characters of a name identify its row to a person. */
const maxNameLength = 60;

type Failed = Extract<RowEvent, { kind: 'refused' | 'postponed' }>;

/** Remembers which rows failed in this run, to name the first ones of each kind at its end. */
export class FailedRowNames {
  readonly #messages: Messages;
  readonly #first: Record<Failed['kind'], Failed[]> = { refused: [], postponed: [] };
  readonly #counts = { refused: 0, postponed: 0 };

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  /** Takes a row that was refused in this run, or postponed. */
  take(event: Failed): void {
    this.#counts[event.kind] += 1;
    const named = this.#first[event.kind];
    if (named.length < maxNamedRows) named.push(event);
  }

  /**
   * Writes an event for a program, which is told of each postponed row; standard output has all
   * failed rows.
   */
  noteEvent(line: number, name: string, error: CarbonError): void {
    this.#messages.note('', { event: 'postponed', line, name, error });
  }

  /** Names the refused rows with the service's reason; `file` has them all. */
  reportRefused(file: string): void {
    for (const { line, error } of this.#first.refused) {
      this.#messages.note(`line ${line}: ${error.message}`, { event: 'refused', line, error });
    }
    this.#tellMore('refused', `; ${file} lists all of them`, false);
  }

  /** Names the postponed rows with their errors. */
  reportPostponed(): void {
    for (const event of this.#first.postponed) {
      const { line, error } = event;
      const name = event.kind === 'postponed' ? `, "${shorten(event.name)}"` : '';
      this.#messages.error(error, `line ${line}${name}`);
    }
    this.#tellMore('postponed', '', true);
  }

  #tellMore(kind: Failed['kind'], where: string, isFailure: boolean): void {
    const more = this.#counts[kind] - this.#first[kind].length;
    if (more === 0) return;
    const text = `and ${count.format(more)} more ${kind} ${more === 1 ? 'row' : 'rows'}${where}`;
    this.#messages.note(text, { event: 'truncated', more }, isFailure);
  }
}

function shorten(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
}
