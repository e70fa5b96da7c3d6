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
  renderWarning,
} from './output/error.ts';
import { escapeForTerminal } from './output/json.ts';

/** Selects the form of messages. */
export interface MessageOptions {
  readonly json: boolean;
  readonly quiet: boolean;
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

  /** Prints a warning: a line for people, an event for programs. */
  warn(text: string, event: Readonly<Record<string, unknown>> = { warning: text }): void {
    if (this.#options.quiet) return;
    this.#write(() => renderWarning(text, this.#view), event);
  }

  /** Prints a hint about the next step, only for a person at a terminal. */
  hint(text: string): void {
    if (this.#options.quiet || this.#options.json || !this.#context.stderr.isTerminal) return;
    this.#write(() => renderHint(text, this.#view), {});
  }

  /**
   * Reports a change: a line for people, an event for programs.
   * @param isFailure whether the line reports a failure, which --ids does not silence
   */
  note(text: string, event: Readonly<Record<string, unknown>>, isFailure = false): void {
    if (this.#options.quiet && !isFailure) return;
    this.#write(() => sanitize(text), event);
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
