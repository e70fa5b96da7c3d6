/* The words and colors of near-term targets on pages. */

interface TargetWords {
  readonly name: string;
  /** The custom property of the style sheet with the color. */
  readonly tone: string;
}

const words: Readonly<Record<string, TargetWords>> = {
  set: { name: 'target validated', tone: 'set' },
  committed: { name: 'committed', tone: 'committed' },
  removed: { name: 'target removed', tone: 'removed' },
  none: { name: 'no target', tone: 'none' },
  with_target: { name: 'target without a status', tone: 'other' },
  other: { name: 'another status', tone: 'other' },
  unknown: { name: 'target unknown', tone: 'unknown' },
};

/** Names a status of a near-term target; a text of the service stays as it is. */
export function targetWords(status: string | null | undefined): TargetWords {
  return words[status ?? 'unknown'] ?? { name: status ?? '', tone: 'other' };
}
