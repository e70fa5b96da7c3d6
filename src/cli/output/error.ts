import type { CarbonError } from '../../runtime/carbon-error.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { layoutColumns, type View } from '../../terminal/style.ts';

export interface MessageView extends View {
  /** Breaks a line for a terminal; a pipe has no width and loads nothing that measures text. */
  readonly wrap: (line: string, columns: number) => string[];
}

type Label = 'Error' | 'Warning' | 'Hint';

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
  const isNamed =
    item === undefined ||
    message.includes(`organization ${item}`) ||
    message.endsWith(`ID ${item}`);
  return [
    renderText(isNamed ? message : `${item}: ${message}`, view, 'Error'),
    ...reasons(error).flatMap((reason) => paragraph(reason, view).map((line) => `  ${line}`)),
    ...(hint === undefined ? [] : [renderHint(hint, view)]),
  ].join('\n');
}

/** Renders a hint, each of several flags on its own line, without a line break at the end. */
export function renderHint(text: string, view: MessageView): string {
  const [first = '', ...flags] = text.split(/\n(?=--)/);
  const choices = flags.flatMap((choice) => paragraph(choice, view).map((line) => `  ${line}`));
  return [renderText(first, view, 'Hint'), ...choices].join('\n');
}

/** Renders text after a label in color, without a line break at the end. */
export function renderText(text: string, view: MessageView, label?: Label): string {
  const { red, bold, yellow, cyan } = view.style;
  const paint = { Error: (word: string) => red(bold(word)), Warning: yellow, Hint: cyan };
  const [first = '', ...others] = paragraph(label ? `${label}: ${text}` : text, view);
  const start = label ? paint[label](`${label}:`) + first.slice(label.length + 1) : first;
  return [start, ...others.map((line) => `  ${line}`)].join('\n');
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

function paragraph(text: string, view: MessageView): string[] {
  const columns = layoutColumns(view);
  const lines = view.wrap(sanitize(text), columns);
  return lines.length === 1 ? lines : view.wrap(sanitize(text), columns - 2);
}
