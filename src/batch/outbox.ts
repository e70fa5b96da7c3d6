import type { Clock } from '../clock.ts';
import type { Journal } from './journal.ts';
import type { RowEvent } from './outcome.ts';

/** How old an answer may become before its journal line is on the disk, in milliseconds, the disk's own time aside. */
export const groupMs = 100;
/* A fast service fills a group sooner, or the records that wait would be most of the memory; twice as many may wait
 * for a slow disk or reader before sending pauses. */
const largestGroup = 256;
const mostWaiting = 2 * largestGroup;

/** Where the journal lines of a group went. */
export interface WrittenLine {
  readonly entry: number;
  /** Place in the journal, in bytes. */
  readonly offset: number;
}

/**
 * Journal lines and the events that they stand for, in groups: written, then made durable, and only
 * then told.
 */
export class Outbox {
  #lines: { readonly text: string; readonly entry: number }[] = [];
  #events: RowEvent[] = [];
  #work: Promise<void> = Promise.resolve();
  #timer: AbortController | undefined;
  #isAsked = false;
  #failure: unknown;

  /**
   * @param tell waits until the reader of the events has taken them
   * @param onWritten told where the line of each entry went, when it is durable
   * @param onChange told when a group was told or has failed
   */
  constructor(
    private readonly world: {
      readonly clock: Clock;
      readonly journal: Journal;
      tell(events: readonly RowEvent[]): void | Promise<void>;
      onWritten(lines: readonly WrittenLine[]): void;
      onChange(): void;
    },
  ) {}

  /** Whether sending shall pause until the disk and the reader have caught up. */
  get isFull(): boolean {
    return this.#events.length >= mostWaiting;
  }

  /** Why a group could not be written or told, undefined while all went well. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Takes an event, which may stand on a journal line. */
  put(event: RowEvent, line?: { readonly text: string; readonly entry: number }): void {
    if (line !== undefined) this.#lines.push(line);
    this.#events.push(event);
    if (this.#isAsked) return;
    if (this.#events.length >= largestGroup) this.flush();
    else if (this.#timer === undefined) {
      const timer = new AbortController();
      this.#timer = timer;
      this.world.clock.sleep(groupMs, timer.signal).then(
        () => this.flush(),
        () => undefined,
      );
    }
  }

  /** Writes and tells what is there, after the groups before; resolves when that is done or has failed. */
  flush(): Promise<void> {
    this.#timer?.abort('flushed');
    this.#timer = undefined;
    this.#isAsked = true;
    this.#work = this.#work.then(() => this.#flush());
    return this.#work;
  }

  async #flush(): Promise<void> {
    this.#isAsked = false;
    if (this.#failure !== undefined || this.#events.length === 0) return;
    const { journal, tell, onWritten, onChange } = this.world;
    const lines = this.#lines;
    const events = this.#events;
    this.#lines = [];
    this.#events = [];
    try {
      if (lines.length > 0) {
        let offset = journal.size;
        await journal.append(lines.map(({ text }) => text).join(''));
        onWritten(
          lines.map(({ text, entry }) => {
            const line = { entry, offset };
            offset += Buffer.byteLength(text);
            return line;
          }),
        );
      }
      await tell(events);
    } catch (error) {
      this.#failure = error;
    }
    onChange();
  }
}
