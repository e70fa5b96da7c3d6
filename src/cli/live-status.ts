import type { Spinner } from '../terminal/spinner.ts';
import type { Session } from './session.ts';

/** Timing of a live status line, in milliseconds. */
export interface LiveStatusOptions {
  /** Delay before the line appears, so that short work shows nothing. */
  readonly afterMs?: number;
  /** Time between two updates of the text. */
  readonly everyMs?: number;
}

/**
 * Shows what a command is doing: a spinner and a text on the last line of the terminal. It shows
 * nothing if standard error may not have a spinner.
 */
export class LiveStatus {
  readonly #session: Session;
  readonly #render: (waited: string) => string | undefined;
  readonly #options: Required<LiveStatusOptions>;
  readonly #ended = new AbortController();
  #spinner: Spinner | undefined;
  #isHidden = false;
  #refresh: () => void = () => undefined;

  /**
   * @param render returns the text for the time since `start`; undefined hides the line
   */
  constructor(
    session: Session,
    render: (waited: string) => string | undefined,
    { afterMs = 0, everyMs = 1_000 }: LiveStatusOptions = {},
  ) {
    this.#session = session;
    this.#render = render;
    this.#options = { afterMs, everyMs };
  }

  /**
   * Shows the line until `stop` is called. Resolves once the line is visible or cannot be shown.
   */
  async start(): Promise<void> {
    // The command works without a spinner.
    if (this.#session.isLive) await this.#show().catch(() => undefined);
  }

  refresh(): void {
    this.#refresh();
  }

  /** Hides the line while `write` writes to the same terminal. */
  async withoutSpinner(write: () => void | Promise<void>): Promise<void> {
    this.#isHidden = true;
    this.#spinner?.show();
    try {
      await write();
    } finally {
      this.#isHidden = false;
      this.#refresh();
    }
  }

  stop(): void {
    this.#ended.abort();
    this.#refresh = () => undefined;
    if (this.#spinner === undefined) return;
    this.#spinner.show();
    this.#session.messages.redirectTo(undefined);
  }

  async #show(): Promise<void> {
    const { context, messages } = this.#session;
    const { clock, stderr } = context;
    const { signal } = this.#ended;
    const began = clock.elapsed();
    if (this.#options.afterMs > 0) await clock.sleep(this.#options.afterMs, signal);
    const [{ createSpinner }, { renderDuration }] = await Promise.all([
      import('../terminal/spinner.ts'),
      import('../terminal/format.ts'),
    ]);
    const spinner = await createSpinner(stderr, messages.style);
    if (signal.aborted) return;
    this.#spinner = spinner;
    messages.redirectTo((line) => spinner.note(line));
    this.#refresh = () => {
      if (!this.#isHidden) spinner.show(this.#render(renderDuration(clock.elapsed() - began)));
    };
    void this.#repeat();
  }

  async #repeat(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      this.#refresh();
      await this.#session.context.clock
        .sleep(this.#options.everyMs, this.#ended.signal)
        .catch(() => undefined);
    }
  }
}

/**
 * Runs work that writes nothing to a terminal on standard output. After half a second, a person at
 * a terminal sees a spinner with the text and the time. A text function is called for each update.
 */
export async function withLiveStatus<Result>(
  session: Session,
  text: string | (() => string),
  work: () => Promise<Result>,
): Promise<Result> {
  const render = typeof text === 'string' ? () => text : text;
  const status = new LiveStatus(session, (waited) => `${render()} · ${waited}`, { afterMs: 500 });
  void status.start();
  try {
    return await work();
  } finally {
    status.stop();
  }
}
