/** A line of the table. */
export interface Finding {
  readonly section: string;
  readonly what: string;
  /** The median of the measurements. */
  readonly value: number;
  readonly unit: 'ms' | 'rows/s' | 's' | 'MiB' | '%' | 'requests';
  /** The value divided by that of the section's yardstick. */
  readonly ratio?: number | undefined;
  /** A limit for the ratio or, without a ratio, for the value. */
  readonly goal?: readonly ['at most' | 'at least', number] | undefined;
}

const digits: Readonly<Record<Finding['unit'], number>> = {
  ms: 1,
  'rows/s': 0,
  s: 2,
  MiB: 0,
  '%': 1,
  requests: 2,
};

/** Returns whether a goal is reached; undefined without a goal. */
export function isReached({ goal, ratio, value }: Finding): boolean | undefined {
  if (goal === undefined) return undefined;
  const measured = ratio ?? value;
  return goal[0] === 'at most' ? measured <= goal[1] : measured >= goal[1];
}

/** Formats a line of the printed table. */
export function renderFinding(finding: Finding): string {
  const { what, value, unit, ratio, goal } = finding;
  const reached = isReached(finding);
  return [
    `  ${what.padEnd(48)}`,
    `${value.toFixed(digits[unit])} ${unit}`.padStart(14),
    (ratio === undefined ? '' : `${ratio.toFixed(ratio < 0.1 ? 3 : 2)} ×`).padStart(9),
    goal === undefined ? '' : `   ${goal.join(' ')}${reached ? '' : ', missed'}`,
  ]
    .join('')
    .trimEnd();
}

/** Renders the findings of each section as a Markdown table, for docs/dev/figures.md. */
export function renderMarkdown(title: string, findings: readonly Finding[]): string {
  const sections = [...new Set(findings.map(({ section }) => section))];
  const tables = sections.map((section) => {
    const rows = findings.filter((finding) => finding.section === section).map(renderRow);
    return [
      `## ${section}`,
      '',
      '| what | median | ratio | goal |',
      '|---|---|---|---|',
      ...rows,
    ].join('\n');
  });
  return `${[title, ...tables].join('\n\n')}\n`;
}

function renderRow(finding: Finding): string {
  const { what, value, unit, ratio, goal } = finding;
  const isMissed = isReached(finding) === false;
  const cells = [
    what.replaceAll('|', '\\|'),
    `${value.toFixed(digits[unit])} ${unit}`,
    ratio === undefined ? '' : `${ratio.toFixed(2)} ×`,
    goal === undefined ? '' : `${goal.join(' ')}${isMissed ? ', missed' : ''}`,
  ];
  return `| ${cells.join(' | ')} |`;
}
