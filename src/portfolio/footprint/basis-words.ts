/* Where the factors of a footprint are from, in words. */
import type { Basis } from './line-item.ts';

interface BasisWords {
  /** Of one factor. */
  readonly one: string;
  /** The same in a column of a page. */
  readonly short: string;
  /** The same where a terminal has no room for more. */
  readonly narrow: string;
  /** Of the emissions of several, in a sentence. */
  readonly all: string;
  /** The same where nothing else explains it. */
  readonly label: string;
}

export const basisWords: Readonly<Record<Basis, BasisWords>> = {
  own: {
    one: "the supplier's own figures",
    short: 'own figures',
    narrow: 'own',
    all: "the suppliers' own records",
    label: "the suppliers' own figures",
  },
  service: {
    one: "the service's factor",
    short: 'service factor',
    narrow: 'service',
    all: "the service's factors",
    label: "the service's factors",
  },
  industry: {
    one: 'industry average',
    short: 'average',
    narrow: 'average',
    all: 'industry averages',
    label: 'industry averages (boundary unknown)',
  },
};
