/*
 * What commands keep of each record. A thread receives the name of a reduction and its options,
 * because functions cannot be sent.
 */
import type { RecordReduction } from '../report/input/slab.ts';

/** The text that a command keeps of each record; JSON can carry its description. */
export type ReductionName = { readonly kind: 'entry'; readonly withSources: boolean };

/** Returns a reduction. */
export async function openReduction(name: ReductionName): Promise<RecordReduction<string>> {
  const [{ readEntry }, { writeEntry }] = await Promise.all([
    import('../report/summary/digest.ts'),
    import('../report/summary/entry-text.ts'),
  ]);
  return { reduce: (record) => writeEntry(readEntry(record, name.withSources)) };
}
