import { sanitize } from './sanitize.ts';
import { layoutColumns, type View } from './view.ts';

/**
 * Renders labeled values: in one column on a terminal, else as lines `label: value`. Ends with a
 * line break.
 *
 * A pipe loads nothing that measures text, which keeps light commands fast.
 */
export async function renderFacts(
  facts: readonly { readonly label: string; readonly value: string }[],
  view: View,
): Promise<string> {
  const lines = view.terminal
    ? await rows(facts, view)
    : facts.map(({ label, value }) => `${view.style.dim(`${label}:`)} ${sanitize(value)}`);
  return lines.map((line) => `${line}\n`).join('');
}

async function rows(facts: Parameters<typeof renderFacts>[0], view: View): Promise<string[]> {
  const { factLines } = await import('./section.ts');
  const details = facts.map(({ label, value }) => ({ label, details: [['', value] as const] }));
  return factLines(details, layoutColumns(view), view.style);
}
