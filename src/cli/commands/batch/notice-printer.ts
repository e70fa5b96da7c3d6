import type { Session } from '../../session.ts';

/** One line about a batch. */
export interface Notice {
  readonly text: string;
  readonly event: Readonly<Record<string, unknown>>;
  /** Whether the line is a warning. */
  readonly isWarning: boolean;
  /**
   * Whether --no-progress prints it too, because carbon omits a value that the user did not choose
   * to omit.
   */
  readonly isUrgent: boolean;
}

/** Prints notices; with --no-progress, it keeps those that only a failed run prints. */
export class NoticePrinter {
  readonly #session: Session;
  readonly #deferred: Notice[] = [];

  constructor(session: Session) {
    this.#session = session;
  }

  /** Whether notices that are not urgent are printed only if the run fails. */
  get isDeferring(): boolean {
    return this.#session.flags.progress === false;
  }

  /** Whether programs read the notices. */
  get isJson(): boolean {
    return this.#session.messages.isJson;
  }

  /** Prints a line that is neither a warning nor urgent. */
  note(text: string, event: Notice['event']): void {
    this.print({ text, event, isWarning: false, isUrgent: false });
  }

  /** Prints a notice, or keeps it. */
  print(notice: Notice): void {
    if (this.isDeferring && !notice.isUrgent) this.#deferred.push(notice);
    else this.#write(notice);
  }

  /** Prints the notices that were kept, when the run has failed. */
  printDeferred(): void {
    for (const notice of this.#deferred) this.#write(notice);
  }

  #write({ text, event, isWarning }: Notice): void {
    const { messages } = this.#session;
    if (isWarning) messages.warn(text, event);
    else messages.note(text, event);
  }
}
