import { type BarPart, renderStack } from '../../terminal/bar.ts';
import { figure } from '../../terminal/figure.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import type { Section } from '../../terminal/section.ts';
import type { Style } from '../../terminal/style.ts';
import { pad, wrapList } from '../../terminal/text.ts';
import { commitmentNames, type Part, partsOf, type Stage } from '../summary/labels.ts';
import type { Summary } from '../summary.ts';

const looks: Readonly<Record<Stage, Pick<BarPart, 'tone' | 'fill'>>> = {
  yes: { tone: 'green', fill: '█' },
  partly: { tone: 'yellow', fill: '▒' },
  no: { tone: 'red', fill: '░' },
  missing: { tone: 'dim', fill: '·' },
};
const labelColumn = 22;
const maxBarWidth = 40;
const minBarWidth = 10;

/** Tells how many organizations report and have committed themselves. */
export function commitments({ commitments: found, organizations }: Summary): Section {
  const rows = commitmentNames.map(([key, name]) => ({ name, parts: partsOf(found[key]) }));
  return {
    name: 'reporting and commitments',
    note: '█ yes · ▒ on the way · ░ no · no data',
    facts: rows.map(({ name, parts }) => ({
      label: name,
      details: parts.map((part) => [sanitize(part.answer), figure(part.organizations)] as const),
    })),
    renderTerminal: (columns, style) =>
      rows.flatMap(({ name, parts }) => row(name, parts, organizations, columns, style)),
  };
}

/* On a narrow terminal the counts stand below their bar. */
function row(
  name: string,
  parts: readonly Part[],
  whole: number,
  columns: number,
  style: Style,
): string[] {
  const told = parts.map(
    ({ answer, organizations }) => `${figure(organizations).exact} ${sanitize(answer)}`,
  );
  const label = pad(style.dim(name), labelColumn);
  const bar = (size: number) =>
    renderStack(
      parts.map(({ stage, organizations }) => ({ ...looks[stage], share: organizations / whole })),
      size,
      style,
    );
  const left = columns - 2 - labelColumn;
  const beside = Math.min(maxBarWidth, Math.floor(left / 3));
  const indent = ' '.repeat(2 + labelColumn);
  if (beside >= minBarWidth) {
    const lines = wrapList(told, left - beside - 2);
    return lines.map((line, at) =>
      at === 0 ? `  ${label}${bar(beside)}  ${line}` : `${indent}${' '.repeat(beside)}  ${line}`,
    );
  }
  return [`  ${label}${bar(left)}`, ...wrapList(told, left).map((line) => indent + line)];
}
