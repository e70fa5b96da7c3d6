/* What changes what is known of emissions, not what was emitted. */
import type { Effect } from './bridge.ts';

/** Names the effects that only change what is known. */
export const dataEffectWords = {
  method_and_data: 'Method and data',
  coverage: 'Coverage',
  currency_change: 'Currency',
} as const satisfies Readonly<Partial<Record<Effect, string>>>;

type DataEffect = keyof typeof dataEffectWords;

/** The effects that change what is known, not what was emitted. */
export const dataEffects: readonly Effect[] = Object.keys(dataEffectWords) as DataEffect[];

/** The term for a change without the effects that only change what is known. */
export const withoutDataChanges = 'without data changes';

/** Names the effects that only change what is known, of those that occur. */
export function dataWords(found: readonly { readonly effect: Effect }[]): readonly string[] {
  return Object.entries(dataEffectWords).flatMap(([effect, words]) =>
    found.some((each) => each.effect === effect) ? words.toLowerCase().split(' and ') : [],
  );
}
