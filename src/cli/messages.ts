/*
 * Writes everything that goes to standard error: warnings, hints, changes, errors and debug lines.
 * With --json, every line is JSON, unless a person watches at a terminal while standard output is
 * redirected. With --ids, only errors are written. No line ever shows a secret.
 */

import { createRedactor, hideUserInfo } from '../api/redact.ts';
import type { CarbonError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { sanitize } from '../terminal/sanitize.ts';
import { loadStyle, type Style } from '../terminal/style.ts';
import { errorObject, hintOf } from './errors.ts';
import {
  type MessageView,
  renderError,
  renderErrorJson,
  renderHint,
  renderNotice,
  renderWarning,
} from './output/error.ts';
import { escapeForTerminal } from './output/json.ts';

/**
 * How much a notice matters.
 * - `progress`: the run goes on as it should; --no-progress hides it
 * - `detail`: how carbon read the input; with --no-progress, only a run that fails prints it
 * - `finding`: a warning that every run with the same input repeats, treated like a detail
 * - `warning`: what may be wrong
 * - `result`: how the run ended
 * - `failure`: a failure of one item, which even --ids prints
 */
export type NoticeLevel = 'progress' | 'detail' | 'finding' | 'warning' | 'result' | 'failure';

/** One line for people, and its event for programs. */
export interface Notice {
  readonly level: NoticeLevel;
  readonly text: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/** Selects the form of messages. */
export interface MessageOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  /** Whether to print more than problems. */
  readonly progress: boolean;
  readonly debug: boolean;
  readonly color: boolean;
}

/** Writes messages to standard error. Each run opens one. */
export class Messages {
  readonly #context: Context;
  #options: MessageOptions;
  #style: Style;
  readonly #wrap: MessageView['wrap'];
  readonly #secrets: ((text: string) => string)[] = [];
  readonly #hidden = new Set<string>();
  readonly #hinted = new Set<string | undefined>();
  #deferred: Notice[] = [];
  #intercept: ((line: string) => void) | undefined;

  private constructor(
    context: Context,
    options: MessageOptions,
    style: Style,
    wrap: MessageView['wrap'],
  ) {
    this.#context = context;
    this.#options = options;
    this.#style = style;
    this.#wrap = wrap;
  }

  static async open(context: Context, options: MessageOptions): Promise<Messages> {
    const { wrap } = context.stderr.isTerminal
      ? await import('../terminal/text.ts')
      : { wrap: (line: string) => [line] };
    return new Messages(context, options, await styleFor(context, options), wrap);
  }

  /** Whether every line is JSON. */
  get isJson(): boolean {
    return this.#options.json;
  }

  /** Whether details and findings wait for `printDeferred`. */
  get isDeferring(): boolean {
    return !this.#options.progress;
  }

  /** Applies new options. */
  async configure(options: MessageOptions): Promise<void> {
    this.#options = options;
    this.#style = await styleFor(this.#context, options);
  }

  /** Replaces this text with `[key]` in every later line. */
  hide(secret: string): void {
    if (secret === '' || this.#hidden.has(secret)) return;
    this.#hidden.add(secret);
    this.#secrets.push(createRedactor(secret));
  }

  /**
   * Passes complete lines to `write` instead of the stream, for example while a spinner runs.
   * Undefined restores the stream.
   */
  redirectTo(write: ((line: string) => void) | undefined): void {
    this.#intercept = write;
  }

  /** Prints notices, unless an option hides or defers them. */
  print(...notices: readonly Notice[]): void {
    for (const notice of notices) this.#print(notice);
  }

  #print(notice: Notice): void {
    const { level } = notice;
    const { quiet, progress } = this.#options;
    if (quiet && level !== 'failure') return;
    if (progress || !['progress', 'detail', 'finding'].includes(level)) this.#writeNotice(notice);
    else if (level !== 'progress') this.#deferred.push(notice);
  }

  /** Prints the details and findings that --no-progress deferred. */
  printDeferred(): void {
    for (const notice of this.#deferred) this.#writeNotice(notice);
    this.#deferred = [];
  }

  /** Prints a warning that has no event of its own. */
  warn(text: string): void {
    this.print({ level: 'warning', text, event: { warning: text } });
  }

  /** Prints a hint about the next step, only for a person at a terminal. */
  hint(text: string): void {
    if (this.#options.quiet || this.#options.json || !this.#context.stderr.isTerminal) return;
    this.#write(() => renderHint(text, this.#view), {});
  }

  /**
   * Prints an error and its hint.
   * @param item the id of the failed item, if there are several; then each hint appears only once
   */
  error(error: CarbonError, item?: string): void {
    const hint = hintOf(error);
    const isHinted = item !== undefined && this.#hinted.has(hint);
    this.#hinted.add(hint);
    const text = this.#options.json
      ? renderErrorJson(errorObject(error))
      : renderError(error, this.#view, { item, hint: isHinted ? undefined : hint });
    this.#line(text);
    if (error.code !== 'bug' && !this.#options.debug) return;
    for (const line of String(error.cause instanceof Error ? error.cause.stack : error.stack).split(
      '\n',
    )) {
      this.debug(line, true);
    }
  }

  /** Writes a line to the debug log if --debug is set. */
  debug(text: string, always = false): void {
    if (this.#options.debug || always)
      this.#write(() => this.#style.dim(sanitize(text)), { debug: text });
  }

  get #view(): MessageView {
    const { columns, isTerminal } = this.#context.stderr;
    // Redact before wrapping: a secret that is split over two lines would not be found.
    const wrap: MessageView['wrap'] = (line, width) => this.#wrap(this.#redact(line), width);
    return { style: this.#style, columns, terminal: isTerminal, wrap };
  }

  /** Returns the style of standard error. */
  get style(): Style {
    return this.#style;
  }

  #writeNotice({ level, text, event }: Notice): void {
    const isWarning = level === 'warning' || level === 'finding';
    const render = isWarning ? renderWarning : renderNotice;
    this.#write(() => render(text, this.#view), event);
  }

  #write(render: () => string, event: Readonly<Record<string, unknown>>): void {
    this.#line(this.#options.json ? JSON.stringify(event) : render());
  }

  #line(text: string): void {
    const { stderr } = this.#context;
    const shown = this.#redact(
      this.#options.json && stderr.isTerminal ? escapeForTerminal(text) : text,
    );
    if (this.#intercept) this.#intercept(shown);
    else stderr.write(`${shown}\n`);
  }

  #redact(text: string): string {
    return this.#secrets.reduce((shown, hide) => hide(shown), hideUserInfo(text));
  }
}

function styleFor({ stderr }: Context, { color, json }: MessageOptions): Promise<Style> {
  return loadStyle(color && !json ? stderr.colorLevel : 0);
}
