/*
 * Everything that goes to standard error: warnings, hints, changes, errors, debug lines. With
 * --json every line is JSON, unless a person watches at a terminal while standard output is
 * redirected; with --quiet only errors are written. No line ever shows a secret.
 */

import { hideUserInfo, redact } from '../api/redact.ts';
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

/** How messages are written. */
export interface MessageOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly debug: boolean;
  readonly color: boolean;
}

/** Writes messages to standard error; opened once a run. */
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

  /** Whether every line is JSON, for a program that reads standard error. */
  get isJson(): boolean {
    return this.#options.json;
  }

  /** Goes on as other options say. */
  async adopt(options: MessageOptions): Promise<void> {
    this.#options = options;
    this.#style = await styleFor(this.#context, options);
  }

  /** Replaces this text by `[key]` wherever it would appear from now on. */
  hide(secret: string): void {
    if (secret === '' || this.#hidden.has(secret)) return;
    this.#hidden.add(secret);
    this.#secrets.push(redact(secret));
  }

  /**
   * Hands whole lines to `write` instead of the stream, while a spinner is on it; undefined ends
   * that.
   */
  divert(write: ((line: string) => void) | undefined): void {
    this.#intercept = write;
  }

  /** Says that something is odd, but goes on: a line for people, an event for programs. */
  warn(text: string, event: Readonly<Record<string, unknown>> = { warning: text }): void {
    if (this.#options.quiet) return;
    this.#write(() => renderWarning(text, this.#view), event);
  }

  /** Says what may be done next; only to a person at a terminal. */
  hint(text: string): void {
    if (this.#options.quiet || this.#options.json || !this.#context.stderr.isTerminal) return;
    this.#write(() => renderHint(text, this.#view), {});
  }

  /**
   * Says what has changed: a line for people, an event for programs.
   * @param isFailure whether it tells of a failure, which --quiet does not silence
   */
  note(text: string, event: Readonly<Record<string, unknown>>, isFailure = false): void {
    if (this.#options.quiet && !isFailure) return;
    this.#write(() => sanitize(text), event);
  }

  /**
   * Says what went wrong.
   * @param item the id of the one of several that it went wrong with; what to do is then said only
   * once
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

  /** Writes a line of the debug log, when that was asked for. */
  debug(text: string, always = false): void {
    if (this.#options.debug || always)
      this.#write(() => this.#style.dim(sanitize(text)), { debug: text });
  }

  get #view(): MessageView {
    const { columns, isTerminal } = this.#context.stderr;
    // Hidden before the lines are broken: a secret in two pieces would not be found.
    const wrap: MessageView['wrap'] = (line, width) => this.#wrap(this.#redact(line), width);
    return { style: this.#style, columns, terminal: isTerminal, wrap };
  }

  /** The style of standard error. */
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
