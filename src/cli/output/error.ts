import type { CarbonError } from '../../runtime/carbon-error.ts';
import { layoutColumns, type View } from '../../terminal/render-options.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { escapeForTerminal } from './json.ts';

/** How messages are to look. */
export interface MessageView extends View {
  /** Breaks a line for a terminal; a pipe has no width, and need not load what measures text. */
  readonly wrap: (line: string, columns: number) => string[];
}

/**
 * Renders an error for people: what failed, why in the service's own words, what to do. The lines
 * are wrapped on a terminal; there is no line break at the end.
 * @param options.item the id of the one of several that failed; it is named unless the message does
 * @param options.hint what to do
 */
export function renderError(
  error: CarbonError,
  view: MessageView,
  { item, hint }: { readonly item?: string | undefined; readonly hint?: string | undefined } = {},
): string {
  const { red, bold } = view.style;
  const isNamed = item === undefined || error.message.includes(`organization ${item}`);
  const message = isNamed ? error.message : `${item}: ${error.message}`;
  return [
    ...block('Error', message, (text) => red(bold(text)), view),
    ...reasons(error).flatMap((reason) => paragraph(reason, view).map((line) => `  ${line}`)),
    ...(hint === undefined ? [] : [renderHint(hint, view)]),
  ].join('\n');
}

/** Renders an error as one line of JSON, safe on a terminal, without a line break at the end. */
export function renderErrorJson(error: object): string {
  return escapeForTerminal(JSON.stringify({ error }));
}

/** Renders a warning, without a line break at the end. */
export function renderWarning(text: string, view: MessageView): string {
  return block('Warning', text, view.style.yellow, view).join('\n');
}

/**
 * Renders what may be done next, each of several flags on a line of its own, without a line break
 * at the end.
 */
export function renderHint(text: string, view: MessageView): string {
  const [first = '', ...rest] = text.split(/\n(?=--)/);
  const choices = rest.flatMap((choice) => paragraph(choice, view).map((line) => `  ${line}`));
  return [...block('Hint', first, view.style.cyan, view), ...choices].join('\n');
}

/* The service's detail, then the chain of causes; what the lines above say already is left out. */
function reasons(error: CarbonError): string[] {
  const said = [error.message];
  const add = (text: string | undefined) => {
    if (text && !said.some((earlier) => earlier.includes(text))) said.push(text);
  };
  add(error.detail);
  let cause = error.cause;
  for (let depth = 0; depth < 8 && cause instanceof Error; depth += 1) {
    add(cause.message);
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return said.slice(1);
}

function block(
  label: string,
  text: string,
  paint: (label: string) => string,
  view: MessageView,
): string[] {
  const [first = '', ...rest] = paragraph(`${label}: ${text}`, view);
  return [paint(`${label}:`) + first.slice(label.length + 1), ...rest.map((line) => `  ${line}`)];
}

function paragraph(text: string, view: MessageView): string[] {
  return view.wrap(sanitize(text), layoutColumns(view) - 2);
}
