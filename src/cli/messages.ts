/*
 * Writes everything that goes to standard error: warnings, hints, changes, errors and debug lines.
 * With --json, every line is JSON, unless a person watches at a terminal while standard output is
 * redirected. With --ids, only errors are written. No line ever shows a secret.
 */
import { createRedactor, hideUserInfo } from '../client/api/redact.ts';
import { quoteWords, sanitize } from '../display/terminal/sanitize.ts';
import { layoutColumns, loadStyle, type Style, type View } from '../display/terminal/style.ts';
import type { CarbonError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { type CommandLine, type Hint, hintText } from '../runtime/hint.ts';
import { errorObject, hintOf } from './errors.ts';
import { type GlobalFlags, type RepeatedOptions, repeatedWords } from './options.ts';
import { escapeForTerminal } from './output/json.ts';
import { loadRepeatedOptions } from './repeated-options.ts';

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

/** One message; with --json, one line with these two members. */
export interface Notice {
  readonly level: NoticeLevel;
  readonly text: string;
  /** The question that the text answers, below a title. */
  readonly label?: string | undefined;
  /** Command lines after the text: each is a line that is not broken, so that it can be pasted. */
  readonly commands?: readonly string[];
}

export class Messages {
  readonly isJson: boolean;
  readonly isDebugging: boolean;
  readonly style: Style;
  readonly #context: Context;
  readonly #flags: GlobalFlags;
  readonly #repeated: RepeatedOptions;
  readonly #wrap: MessageView['wrap'];
  readonly #secrets = new Map<string, (text: string) => string>();
  readonly #hinted = new Set<string | undefined>();
  readonly #deferred: Notice[] = [];
  readonly #last: (readonly [notice: Notice, isSaid: () => boolean])[] = [];
  #held: Notice[] | undefined;
  #intercept: ((line: string) => void) | undefined;

  private constructor(
    context: Context,
    flags: GlobalFlags,
    repeated: RepeatedOptions,
    { isJson, style, wrap }: Pick<Messages, 'isJson' | 'style'> & Pick<MessageView, 'wrap'>,
  ) {
    this.isJson = isJson;
    this.style = style;
    this.#context = context;
    this.#flags = flags;
    this.#repeated = repeated;
    this.isDebugging = flags.debug === true || Boolean(context.env['CARBON_DEBUG']);
    this.#wrap = wrap;
    this.hide(context.env['CARBON_API_KEY'] ?? '');
  }

  static async open(context: Context, flags: GlobalFlags): Promise<Messages> {
    const { stdout, stderr } = context;
    // If only standard output is redirected, a person reads standard error, not a program.
    const isJson = flags.json === true && !(stderr.isTerminal && !stdout.isTerminal);
    const style = await loadStyle(flags.color === false || isJson ? 0 : stderr.colorLevel);
    const { wrapWords } = stderr.isTerminal
      ? await import('../display/terminal/text.ts')
      : { wrapWords: (line: string) => [line] };
    const repeated = await loadRepeatedOptions();
    return new Messages(context, flags, repeated, { isJson, style, wrap: wrapWords });
  }

  /** Whether people read standard error; with --ids, only errors are written to it. */
  get isForPeople(): boolean {
    return !this.isJson && this.#flags.ids !== true;
  }

  get hasColor(): boolean {
    return this.#flags.color !== false && this.#context.stderr.colorLevel > 0;
  }

  hide(secret: string): void {
    if (secret !== '' && !this.#secrets.has(secret))
      this.#secrets.set(secret, createRedactor(secret));
  }

  /**
   * Passes complete lines to `write` instead of the stream, for example while a spinner runs.
   * Undefined restores the stream.
   */
  redirectTo(write: ((line: string) => void) | undefined): void {
    this.#intercept = write;
  }

  /** Keeps notices from now on, until it is known whether the command fails. */
  hold(): void {
    this.#held ??= [];
  }

  /** Prints the notices that were kept. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.print(...held);
  }

  /** Forgets the notices that were kept, or wait for the end: they do not explain the failure. */
  drop(): void {
    if (this.#held === undefined) return;
    this.#held = undefined;
    this.#last.length = 0;
  }

  print(...notices: readonly Notice[]): void {
    const { ids, progress } = this.#flags;
    for (const notice of notices) {
      if (this.#held !== undefined && notice.level !== 'failure') {
        this.#held.push(notice);
        continue;
      }
      const { level } = notice;
      if (ids && level !== 'failure') continue;
      const isDeferred = progress === false && (level === 'detail' || level === 'finding');
      if (isDeferred) this.#deferred.push(notice);
      else if (progress !== false || level !== 'progress') this.#write(notice);
    }
  }

  /**
   * Prints the last line of a run: its numbers with --json, otherwise the notice. -q hides it, and
   * --no-progress if its level is `progress`.
   */
  summarize(notice: Notice, numbers: object): void {
    if (!this.isJson) this.print(notice);
    else if (this.#flags.progress !== false || notice.level !== 'progress')
      this.#line(JSON.stringify({ summary: numbers }));
  }

  /**
   * Prints the summary of a run that people read before the notices that were kept. With --json, it
   * stays the last line.
   */
  summarizeFirst(notice: Notice, numbers: object): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    if (!this.isJson) this.print(notice, ...held);
    else {
      this.print(...held);
      this.summarize(notice, numbers);
    }
  }

  printDeferred(): void {
    for (const notice of this.#deferred.splice(0)) this.#write(notice);
  }

  /**
   * Prints a notice after what the command shows.
   * @param isSaid tells, by then, whether that says it
   */
  printLast(notice: Notice, isSaid: () => boolean = () => false): void {
    this.#last.push([notice, isSaid]);
  }

  /** Prints what waited for the end of the command. */
  end(): void {
    for (const [notice, isSaid] of this.#last.splice(0)) if (!isSaid()) this.print(notice);
  }

  warn(text: string): void {
    this.print({ level: 'warning', text });
  }

  /** Prints a hint about the next step, only for a person at a terminal. */
  hint(hint: Hint): void {
    if (this.#flags.ids || this.isJson || !this.#context.stderr.isTerminal) return;
    this.#line(renderText(this.#complete(hint), this.#view, 'Hint'));
  }

  /** Prints what failed, before a question that takes the place of the hint. */
  problem(text: string): void {
    this.#line(renderText(text, this.#view));
  }

  /** Prints a line that is not broken, so that it can be copied. */
  line(text: string): void {
    this.#line(sanitize(text));
  }

  /**
   * Prints an error and its hint.
   * @param item the id of the failed item, if there are several; then each hint appears only once
   * @param isKnown whether only the hint is still missing
   */
  error(error: CarbonError, item?: string, isKnown = false): void {
    const own = hintOf(error);
    const hint = own && this.#complete(own);
    const isHinted = item !== undefined && this.#hinted.has(hint);
    this.#hinted.add(hint);
    const text = this.isJson
      ? escapeForTerminal(JSON.stringify({ error: { ...errorObject(error), hint } }))
      : isKnown && hint !== undefined
        ? renderText(hint, this.#view, 'Hint')
        : renderError(error, this.#view, { item, hint: isHinted ? undefined : hint });
    this.#line(text);
    if (error.code !== 'bug' && !this.isDebugging) return;
    const { stack } = error.cause instanceof Error ? error.cause : error;
    for (const line of String(stack).split('\n')) this.debug(line, true);
  }

  #complete(hint: Hint): string {
    return hintText(hint, (command) => this.repeated(command));
  }

  /** Returns the options of this run that a command line must repeat, quoted for a shell. */
  repeated(command: CommandLine): string {
    const words = repeatedWords(command, this.#flags, this.#repeated);
    return quoteWords(words, this.#context.platform);
  }

  debug(text: string, always = false): void {
    if (!this.isDebugging && !always) return;
    const line = { level: 'debug', text };
    this.#line(this.isJson ? JSON.stringify(line) : sanitize(text));
  }

  get #view(): MessageView {
    const { columns, isTerminal } = this.#context.stderr;
    // Redact before wrapping: a secret that is split over two lines would not be found.
    const wrap: MessageView['wrap'] = (line, width) => this.#wrap(this.redact(line), width);
    return { style: this.style, columns, terminal: isTerminal, wrap };
  }

  #write({ level, text, label: own, commands = [] }: Notice): void {
    const label = level === 'warning' || level === 'finding' ? 'Warning' : undefined;
    const line = { level, text: [text, commands.join(' · ')].filter(Boolean).join(' ') };
    const lines = commands.map((command) => `\n  ${sanitize(command)}`);
    const shown = () => renderText(text, this.#view, label ?? own, own && '  ') + lines.join('');
    this.#line(this.isJson ? JSON.stringify(line) : shown());
  }

  #line(text: string): void {
    const { stderr } = this.#context;
    const shown = this.redact(this.isJson && stderr.isTerminal ? escapeForTerminal(text) : text);
    if (this.#intercept) this.#intercept(shown);
    else stderr.write(`${shown}\n`);
  }

  /** Replaces the secrets in a text. */
  redact(text: string): string {
    return [...this.#secrets.values()].reduce((shown, hide) => hide(shown), hideUserInfo(text));
  }
}

export interface MessageView extends View {
  /** False for a pipe or a file: plain lines in full, whatever their length. */
  readonly terminal: boolean;
  /** Breaks a line for a terminal; a pipe has no width and loads nothing that measures text. */
  readonly wrap: (line: string, columns: number) => string[];
}

/**
 * Renders an error for people: what failed, the causes, the hint. The last line has no line break.
 * @param options.item the id of the failed item of several, added unless the message contains it
 */
export function renderError(
  error: CarbonError,
  view: MessageView,
  { item, hint }: { readonly item?: string | undefined; readonly hint?: string | undefined } = {},
): string {
  const { message } = error;
  const isNamed = item === undefined || message.split(' ').includes(item);
  return [
    renderText(isNamed ? message : `${item}: ${message}`, view, 'Error'),
    ...reasons(error).flatMap((reason) => paragraph(reason, view).map((line) => `  ${line}`)),
    ...(hint === undefined ? [] : [renderText(hint, view, 'Hint')]),
  ].join('\n');
}

/** Renders text after a label in bold, without a line break at the end. */
export function renderText(text: string, view: MessageView, label?: string, indent = ''): string {
  const [first = '', ...others] = paragraph(label ? `${label}: ${text}` : text, view, indent);
  const start = label ? view.style.bold(`${label}:`) + first.slice(label.length + 1) : first;
  return [start, ...others.map((line) => `  ${line}`)].map((line) => indent + line).join('\n');
}

/* Lists the service's detail and the chain of causes, without text that an earlier line has. */
function reasons(error: CarbonError): string[] {
  const lines = [error.message];
  // That no organization has the ID is all that this response means.
  const detail = error.code === 'not_found' && error.id !== undefined ? undefined : error.detail;
  let [text, cause]: [string | undefined, unknown] = [detail, error.cause];
  for (let depth = 0; depth < 8; depth += 1) {
    const words = text?.replace(/\.$/, '');
    if (text && words && !lines.some((earlier) => earlier.includes(words))) lines.push(text);
    if (!(cause instanceof Error)) break;
    text = cause.message;
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return lines.slice(1);
}

function paragraph(text: string, view: MessageView, indent = ''): string[] {
  const columns = layoutColumns(view) - indent.length;
  const lines = view.wrap(sanitize(text), columns);
  return lines.length === 1 ? lines : view.wrap(sanitize(text), columns - 2);
}
