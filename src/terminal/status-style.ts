import type { Tone } from './style.ts';

/** A status as it is shown. */
export interface StatusLook {
  readonly glyph: string;
  readonly tone: Tone;
  /** The service's own word, `no status` when there is none. */
  readonly word: string;
  /** What it says about the research (section 3, rule 1). */
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
