import { renderDuration } from '../display/terminal/format.ts';
import type { Spinner } from '../display/terminal/spinner.ts';
import type { Session } from './session.ts';

/**
 * Shows what a command is doing: a spinner and a text on the last line of the terminal. It shows
 * nothing if standard error may not have a spinner.
 */
export class LiveStatus {
  readonly #session: Session;
  readonly #render: (waited: string) => string | undefined;
  readonly #everyMs: number;
  readonly #ended = new AbortController();
  #spinner: Spinner | undefined;
  #refresh: () => void = () => undefined;

  /** @param render returns the text for the time since `start`; undefined hides the line */
  constructor(session: Session, render: (waited: string) => string | undefined, everyMs = 1_000) {
    this.#session = session;
    this.#render = render;
    this.#everyMs = everyMs;
  }

  async start(afterMs = 0): Promise<void> {
    if (this.#session.isLive) await this.#show(afterMs).catch(() => undefined);
  }

  refresh(): void {
    this.#refresh();
  }

  hide(): void {
    this.#spinner?.show();
  }

  stop(): void {
    this.#ended.abort();
    this.#refresh = () => undefined;
    if (this.#spinner === undefined) return;
    this.#spinner.show();
    this.#session.messages.redirectTo(undefined);
    this.#session.live = undefined;
  }

  async #show(afterMs: number): Promise<void> {
    const { context, messages } = this.#session;
    const { clock, stderr } = context;
    const { signal } = this.#ended;
    const began = clock.elapsed();
    if (afterMs > 0) await clock.sleep(afterMs, signal);
    const { createSpinner } = await import('../display/terminal/spinner.ts');
    const spinner = await createSpinner(stderr, messages.style);
    if (signal.aborted) return;
    this.#spinner = spinner;
    messages.redirectTo((line) => spinner.note(line));
    this.#session.live = this;
    this.#refresh = () => spinner.show(this.#render(renderDuration(clock.elapsed() - began)));
    void (async () => {
      for (; !signal.aborted; await clock.sleep(this.#everyMs, signal).catch(() => undefined))
        this.#refresh();
    })();
  }
}

/**
 * Runs work. After half a second, a person at a terminal sees a spinner with the text and the time.
 * A text function is called for each update.
 */
export async function withLiveStatus<Result>(
  session: Session,
  text: string | (() => string),
  work: () => Promise<Result>,
): Promise<Result> {
  const render = typeof text === 'string' ? () => text : text;
  const status = new LiveStatus(session, (waited) => `${render()} · ${waited}`);
  void status.start(500);
  try {
    return await work();
  } finally {
    status.stop();
  }
}
