import type { Tone } from './style.ts';

/**
 * Chooses the color of a score from 0 to 1: one for each third of the range, dim without a score.
 */
export function scoreTone(score: number | null | undefined): Tone {
  if (typeof score !== 'number') return 'dim';
  return score < 1 / 3 ? 'red' : score < 2 / 3 ? 'yellow' : 'green';
}
