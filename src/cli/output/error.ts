import type { CarbonError } from '../../runtime/carbon-error.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { layoutColumns, type View } from '../../terminal/style.ts';
import { escapeForTerminal } from './json.ts';

export interface MessageView extends View {
  /** Breaks a line for a terminal; a pipe has no width and loads nothing that measures text. */
  readonly wrap: (line: string, columns: number) => string[];
}

/**
 * Renders an error for people: what failed, the causes, the hint. A terminal wraps the lines; the
 * last line has no line break.
 * @param options.item the id of the failed item of several, added unless the message contains it
 * @param options.hint what the reader can do
 */
export function renderError(
  error: CarbonError,
  view: MessageView,
  { item, hint }: { readonly item?: string | undefined; readonly hint?: string | undefined } = {},
): string {
  const { red, bold } = view.style;
  const isNamed =
    item === undefined ||
    error.message.includes(`organization ${item}`) ||
    error.message.endsWith(`ID ${item}`);
  const message = isNamed ? error.message : `${item}: ${error.message}`;
  return [
    ...block('Error', message, (text) => red(bold(text)), view),
    ...reasons(error).flatMap((reason) => paragraph(reason, view).map((line) => `  ${line}`)),
    ...(hint === undefined ? [] : [renderHint(hint, view)]),
  ].join('\n');
}

/** Renders an error as one line of terminal-safe JSON, without a line break at the end. */
export function renderErrorJson(error: object): string {
  return escapeForTerminal(JSON.stringify({ error }));
}

export function renderWarning(text: string, view: MessageView): string {
  return block('Warning', text, view.style.yellow, view).join('\n');
}

/** Renders any other line for people, without a line break at the end. */
export function renderNotice(text: string, view: MessageView): string {
  const [first = '', ...others] = paragraph(text, view);
  return [first, ...others.map((line) => `  ${line}`)].join('\n');
}

/** Renders a hint, each of several flags on its own line, without a line break at the end. */
export function renderHint(text: string, view: MessageView): string {
  const [first = '', ...flags] = text.split(/\n(?=--)/);
  const choices = flags.flatMap((choice) => paragraph(choice, view).map((line) => `  ${line}`));
  return [...block('Hint', first, view.style.cyan, view), ...choices].join('\n');
}

/* Lists the service's detail and the chain of causes, without text that an earlier line has. */
function reasons(error: CarbonError): string[] {
  const lines = [error.message];
  const add = (text: string | undefined) => {
    if (text && !lines.some((earlier) => earlier.includes(text.replace(/\.$/, ''))))
      lines.push(text);
  };
  add(error.detail);
  let cause = error.cause;
  for (let depth = 0; depth < 8 && cause instanceof Error; depth += 1) {
    add(cause.message);
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return lines.slice(1);
}

function block(
  label: string,
  text: string,
  paint: (label: string) => string,
  view: MessageView,
): string[] {
  const [first = '', ...others] = paragraph(`${label}: ${text}`, view);
  return [paint(`${label}:`) + first.slice(label.length + 1), ...others.map((line) => `  ${line}`)];
}

function paragraph(text: string, view: MessageView): string[] {
  const columns = layoutColumns(view);
  const lines = view.wrap(sanitize(text), columns);
  // Further lines are indented.
  return lines.length === 1 ? lines : view.wrap(sanitize(text), columns - 2);
}
