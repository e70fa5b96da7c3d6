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

/** Describes the environmental reports and commitments of organizations. */
export function commitments({ commitments: tallies, organizations }: Summary): Section {
  const rows = commitmentNames.map(([key, name]) => ({ name, parts: partsOf(tallies[key]) }));
  return {
    name: 'reporting and commitments',
    note: '█ yes · ▒ in progress · ░ no · no data',
    facts: rows.map(({ name, parts }) => ({
      label: name,
      details: parts.map((part) => [sanitize(part.value), figure(part.organizations)] as const),
    })),
    renderTerminal: (columns, style) =>
      rows.flatMap(({ name, parts }) => row(name, parts, organizations, columns, style)),
  };
}

/* A narrow terminal shows the counts below their bar. */
function row(
  name: string,
  parts: readonly Part[],
  total: number,
  columns: number,
  style: Style,
): string[] {
  const texts = parts.map(
    ({ value, organizations }) => `${figure(organizations).exact} ${sanitize(value)}`,
  );
  const label = pad(style.dim(name), labelColumn);
  const bar = (size: number) =>
    renderStack(
      parts.map(({ stage, organizations }) => ({ ...looks[stage], share: organizations / total })),
      size,
      style,
    );
  const left = columns - 2 - labelColumn;
  const beside = Math.min(maxBarWidth, Math.floor(left / 3));
  const indent = ' '.repeat(2 + labelColumn);
  if (beside >= minBarWidth) {
    const lines = wrapList(texts, left - beside - 2);
    return lines.map((line, index) =>
      index === 0 ? `  ${label}${bar(beside)}  ${line}` : `${indent}${' '.repeat(beside)}  ${line}`,
    );
  }
  return [`  ${label}${bar(left)}`, ...wrapList(texts, left).map((line) => indent + line)];
}
