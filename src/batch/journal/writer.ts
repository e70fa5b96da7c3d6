import type { Clock } from '../../runtime/clock.ts';
import type { RowEvent } from '../outcome.ts';
import type { Journal } from './journal.ts';
import { LineBuffer, type RefusalLine } from './line-buffer.ts';

/**
 * How old an answer may become before its journal line is on the disk, in milliseconds, the disk's
 * own time aside.
 */
export const groupMs = 100;
/*
 * A fast service fills a group sooner; twice as many may wait for a slow disk or reader before
 * sending pauses. Records that wait would be most of the memory, so fewer of them do.
 */
const maxGroupLines = 1024;
const maxGroupRecords = 256;

/**
 * Journal lines and the events that they stand for, in groups: written, then made durable, and only
 * then told.
 */
export class JournalWriter {
  readonly #world: {
    readonly clock: Clock;
    readonly journal: Journal;
    tell(events: readonly RowEvent[]): void | Promise<void>;
    onRefusals(refusals: readonly RefusalLine[]): void;
    onChange(): void;
  };
  #lines = new LineBuffer();
  /* The lines that are being written or were: they take turns. */
  #others = new LineBuffer();
  #events: RowEvent[] = [];
  /* How many of them carry records. */
  #records = 0;
  #work: Promise<void> = Promise.resolve();
  #cancel: (() => void) | undefined;
  #isAsked = false;
  #failure: unknown;

  /**
   * @param tell waits until the reader of the events has taken them
   * @param onRefusals told where the journal has the refusals of a group, when they are durable
   * @param onChange told when a group was told or has failed
   */
  constructor(world: {
    readonly clock: Clock;
    readonly journal: Journal;
    tell(events: readonly RowEvent[]): void | Promise<void>;
    onRefusals(refusals: readonly RefusalLine[]): void;
    onChange(): void;
  }) {
    this.#world = world;
  }

  /* How many largest groups wait. */
  get #groups(): number {
    return Math.max(this.#events.length / maxGroupLines, this.#records / maxGroupRecords);
  }

  /** Whether sending shall pause until the disk and the reader have caught up. */
  get isFull(): boolean {
    return this.#groups >= 2;
  }

  /** Why a group could not be written or told, undefined while all went well. */
  get failure(): unknown {
    return this.#failure;
  }

  /**
   * Takes an event, which may stand on a journal line.
   * @param refused the entry of the row, where the line says that it is refused
   */
  put(event: RowEvent, line?: string, refused?: number): void {
    if (line !== undefined) this.note(line, refused);
    this.#events.push(event);
    if (event.kind === 'registered' && event.json !== undefined) this.#records += 1;
    if (this.#isAsked) return;
    if (this.#groups >= 1) this.flush();
    else this.#cancel ??= this.#world.clock.after(groupMs, () => this.flush());
  }

  /** Takes a journal line without an event; it is written with the next group. */
  note(line: string, refused?: number): void {
    this.#lines.add(line, refused);
  }

  /**
   * Writes and tells what is there, after the groups before; resolves when that is done or has
   * failed.
   */
  flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isAsked = true;
    this.#work = this.#work.then(() => this.#flush());
    return this.#work;
  }

  async #flush(): Promise<void> {
    this.#isAsked = false;
    const lines = this.#lines;
    const events = this.#events;
    if (this.#failure !== undefined || events.length + lines.bytes.length === 0) return;
    const { journal, tell, onRefusals, onChange } = this.#world;
    this.#lines = this.#others;
    this.#others = lines;
    this.#events = [];
    this.#records = 0;
    try {
      const { size } = journal;
      if (lines.bytes.length > 0) await journal.append(lines.bytes);
      onRefusals(lines.refusals.map(({ entry, offset }) => ({ entry, offset: size + offset })));
      lines.clear();
      await tell(events);
    } catch (error) {
      this.#failure = error;
    }
    onChange();
  }
}
