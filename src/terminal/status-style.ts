import type { Tone } from './style.ts';

/** How views show a status. */
export interface StatusLook {
  readonly glyph: string;
  readonly tone: Tone;
  /** The status as the service sent it, `no status` when there is none. */
  readonly word: string;
  /** What the status means for the research (section 3, rule 1 of the specification). */
  readonly research: string;
}

/**
 * Describes a status: every value but `synced` and `errored` means that research is in progress.
 */
export function describeStatus(status: string | null | undefined): StatusLook {
  const word = status || 'no status';
  if (status === 'synced') return { glyph: '●', tone: 'green', word, research: 'complete' };
  if (status === 'errored') {
    return { glyph: '✗', tone: 'red', word, research: 'failed, figures may be missing' };
  }
  return { glyph: '◐', tone: 'yellow', word, research: 'in progress, figures may be missing' };
}

/**
 * Chooses the color of a score from 0 to 1: one for each third of the range, dim without a score.
 */
export function scoreTone(score: number | null | undefined): Tone {
  if (typeof score !== 'number') return 'dim';
  return score < 1 / 3 ? 'red' : score < 2 / 3 ? 'yellow' : 'green';
}
