/* Where the factors of a footprint are from, in words. */
import type { Basis } from './line-item.ts';

interface BasisWords {
  /** Of one factor. */
  readonly one: string;
  /** The same where a terminal has no room for more. */
  readonly narrow: string;
  /** Of the emissions of several, in a sentence. */
  readonly all: string;
  /** The same where nothing else explains it. */
  readonly label: string;
}

export const basisWords: Readonly<Record<Basis, BasisWords>> = {
  own: {
    one: 'own figures',
    narrow: 'own',
    all: "the suppliers' own records",
    label: "the suppliers' own figures",
  },
  service: {
    one: "service's factor",
    narrow: 'service',
    all: "the service's factors",
    label: "the service's factors",
  },
  industry: {
    one: 'industry average',
    narrow: 'average',
    all: 'industry averages',
    label: 'industry averages (boundary unknown)',
  },
};
