import type { Spinner } from '../terminal/spinner.ts';
import type { Session } from './session.ts';

/** How a live status line appears. All durations in milliseconds. */
export interface LiveStatusOptions {
  /** How long to wait before the line is shown: what is done sooner needs no explanation. */
  readonly afterMs?: number;
  /** How often the text is rendered again. */
  readonly everyMs?: number;
}

/**
 * The one line at the bottom of a terminal that says what a command is doing: a spinner and a text.
 * Where nothing may move on standard error, it shows nothing.
 */
export class LiveStatus {
  readonly #session: Session;
  readonly #render: (waited: string) => string | undefined;
  readonly #options: Required<LiveStatusOptions>;
  readonly #ended = new AbortController();
  #spinner: Spinner | undefined;
  #isAside = false;
  #refresh: () => void = () => undefined;

  /**
   * @param render returns the text, from the time since `start`; undefined hides the line
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

  /** Shows the line until `stop` is called. Resolves when it is there, or never will be. */
  async start(): Promise<void> {
    // A spinner that cannot be shown is no reason to fail.
    if (this.#session.isLive) await this.#show().catch(() => undefined);
  }

  /** Renders the text again, now that something has changed. */
  refresh(): void {
    this.#refresh();
  }

  /** Hides the line while something else is written to the same terminal. */
  async aside(write: () => void | Promise<void>): Promise<void> {
    this.#isAside = true;
    this.#spinner?.pause();
    try {
      await write();
    } finally {
      this.#isAside = false;
      this.#refresh();
    }
  }

  /** Removes the line. */
  stop(): void {
    this.#ended.abort();
    this.#refresh = () => undefined;
    if (this.#spinner === undefined) return;
    this.#spinner.stop();
    this.#session.messages.divert(undefined);
  }

  async #show(): Promise<void> {
    const { context, messages } = this.#session;
    const { clock, stderr } = context;
    const { signal } = this.#ended;
    const began = clock.elapsed();
    if (this.#options.afterMs > 0) await clock.sleep(this.#options.afterMs, signal);
    const [{ createSpinner }, { renderDuration }] = await Promise.all([
      import('../terminal/spinner.ts'),
      import('../terminal/duration.ts'),
    ]);
    const spinner = await createSpinner(stderr, true, messages.style);
    if (signal.aborted) return;
    this.#spinner = spinner;
    messages.divert((line) => spinner.note(line));
    this.#refresh = () => {
      const text = this.#render(renderDuration(clock.elapsed() - began));
      if (this.#isAside) return;
      if (text === undefined) return spinner.pause();
      spinner.text(text);
      spinner.resume();
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
 * Does some work that writes nothing to a terminal on standard output; when it takes long, a person
 * at a terminal sees a spinner with the text and the time. A text that is a function is called for
 * each repaint.
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
