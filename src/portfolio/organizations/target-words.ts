/* The words and colors of near-term targets. */

interface TargetWords {
  readonly name: string;
  /** The word under a title that says what it is, as in a terminal. */
  readonly short: string;
  /** The custom property of the style sheet with the color. */
  readonly tone: string;
}

const words: Readonly<Record<string, TargetWords>> = {
  set: { name: 'target validated', short: 'validated', tone: 'set' },
  committed: { name: 'committed', short: 'committed', tone: 'committed' },
  removed: { name: 'target removed', short: 'removed', tone: 'removed' },
  none: { name: 'no target', short: 'no target', tone: 'none' },
  with_target: { name: 'target without a status', short: 'without a status', tone: 'other' },
  other: { name: 'another status', short: 'another status', tone: 'other' },
  unknown: { name: 'target unknown', short: 'unknown', tone: 'unknown' },
};

/** Names a status of a near-term target; a text of the service stays as it is. */
export function targetWords(status: string | null | undefined): TargetWords {
  const text = status ?? 'unknown';
  return words[text] ?? { name: text, short: text, tone: 'other' };
}

/**
 * Names a status as pages do. A goal says what the record of one without a match says, which counts
 * once it is matched.
 * @param research the status of the research, if it may be the reason for an unknown status
 */
export function targetName(
  status: string | null | undefined,
  isUnmatched: boolean,
  research = 'synced',
): string {
  const { name } = targetWords(status);
  if ((status ?? null) !== null) return name;
  if (research === 'errored') return `${name}: research failed`;
  if (research !== 'synced') return `${name} until researched`;
  return isUnmatched ? `${name} until matched` : name;
}
