/** One line of the table. */
export interface Finding {
  readonly section: string;
  readonly what: string;
  /** The median of what was measured. */
  readonly value: number;
  readonly unit: 'ms' | 'rows/s' | 's' | 'MiB' | '%' | 'requests';
  /** To the section's yardstick. */
  readonly ratio?: number | undefined;
  /** What the ratio, else the value, shall be. */
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

/** Whether a goal is reached; undefined where there is none. */
export function isReached({ goal, ratio, value }: Finding): boolean | undefined {
  if (goal === undefined) return undefined;
  const found = ratio ?? value;
  return goal[0] === 'at most' ? found <= goal[1] : found >= goal[1];
}

/** A line of the table as it is printed. */
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

/** Renders every finding as a Markdown table, one for each section: docs/dev/figures.md. */
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
