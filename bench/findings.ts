/** A line of the table. */
export interface Finding {
  readonly section: string;
  readonly what: string;
  /** The median of the measurements. */
  readonly value: number;
  readonly unit: 'ms' | 'rows/s' | 's' | 'MB' | '%';
  /** The value divided by that of the section's yardstick. */
  readonly ratio?: number | undefined;
  /** A limit for the ratio or, without a ratio, for the value. */
  readonly goal?: readonly ['at most' | 'at least', number] | undefined;
}

const digits: Readonly<Record<Finding['unit'], number>> = {
  ms: 1,
  'rows/s': 0,
  s: 2,
  MB: 0,
  '%': 1,
};

/** Returns whether a goal is reached; undefined without a goal. */
export function isReached({ goal, ratio, value }: Finding): boolean | undefined {
  if (goal === undefined) return undefined;
  const measured = ratio ?? value;
  return goal[0] === 'at most' ? measured <= goal[1] : measured >= goal[1];
}

/** Formats a value with its unit. */
export function formatValue({ value, unit }: Finding): string {
  return `${value.toFixed(digits[unit])} ${unit}`;
}

/** Formats a ratio; undefined without one. */
export function formatRatio({ ratio }: Finding): string | undefined {
  return ratio === undefined ? undefined : `${ratio.toFixed(ratio < 0.1 ? 3 : 2)} ×`;
}

/** Formats a line of the printed table. */
export function renderFinding(finding: Finding): string {
  const { what, goal } = finding;
  const reached = isReached(finding);
  return [
    `  ${what.padEnd(48)} `,
    formatValue(finding).padStart(13),
    (formatRatio(finding) ?? '').padStart(9),
    goal === undefined ? '' : `   ${goal.join(' ')}${reached ? '' : ', missed'}`,
  ]
    .join('')
    .trimEnd();
}
