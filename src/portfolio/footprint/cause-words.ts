/* The causes of a change, and their names: a footprint loads these, not what finds them. */

/** What a cause is about: what was bought, what suppliers did, and what is known of both. */
export type Cause = 'spend' | 'suppliers' | 'data';

/** A cause that is larger than all others together, whatever they do. */
export interface MainCause {
  readonly cause: Cause;
  /** Which way the spend in every currency moved, if that is the cause; otherwise null. */
  readonly spent: 'more' | 'less' | null;
}

/** Completes "mainly because …". */
export function causeWords({ cause, spent }: MainCause): string {
  if (spent !== null) return `you spent ${spent}`;
  return {
    spend: 'of your spend',
    suppliers: "of your suppliers' emissions and revenue",
    data: 'of data changes',
  }[cause];
}
