/* What a reader must know before quoting a comparison, and how to read it. */

import { naming, percentText, plural } from '../../../display/terminal/format.ts';
import type { BridgeStep } from '../bridge.ts';
import { changeShare, effectTenths } from '../causes.ts';
import type { Comparison } from '../compare.ts';
import { tenthsOf } from '../shares.ts';
import { signedShare } from '../signed.ts';
import { ownPartText } from './bridge-certainty.ts';
import { isRestated, rowName } from './bridge-words.ts';

/** Says what a reader must know before quoting a step. */
export function stepNotes({ steps, before }: Comparison, step: BridgeStep): readonly string[] {
  const change = changeShare(step);
  if (isRestated(step))
    return change !== null && Math.abs(change) >= 0.05
      ? ['At or above 5%: recalculate your base year (SBTi); your own policy may be stricter']
      : [];
  const published = steps.find(isRestated)?.before;
  const naive = published ? step.after / published - 1 : null;
  const { sameFigures } = step;
  const uncounted = (side: 'before' | 'after', one: string, several: string) => {
    const names = uncountedNames(step, side);
    if (names.length === 0) return [];
    const are = names.length === 1 ? 'is' : 'are';
    const who = plural(names.length, one, several);
    return [`${who} with unknown emissions ${are} not counted (${naming(names)})`];
  };
  return [
    ...uncounted('after', 'new supplier', 'new suppliers'),
    ...uncounted('before', 'supplier that left', 'suppliers that left'),
    ...(sameFigures
      ? [
          `${percentText(sameFigures, 1)} uses the same figures in both years, so no change can show there`,
        ]
      : []),
    ...(naive !== null && change !== null && Math.abs(naive - change) > 0.01
      ? [
          `Compared with the published ${before}, it would be ${signedShare(naive)}, which includes the restatement`,
        ]
      : []),
  ];
}

/** Says how to read the parts of all steps. */
export function stepReading({ steps, before }: Comparison): readonly string[] {
  const last = steps.at(-1);
  const own = last && !isRestated(last) ? ownPartText(last) : undefined;
  return [
    ...(own === undefined ? [] : [own]),
    ...(steps.every(isRestated)
      ? []
      : [
          `A percentage point is 1% of the footprint of ${before}`,
          'Changes of spend and revenue include prices',
        ]),
    ...(steps.some((step) => !isRestated(step) && isRounded(step))
      ? ['Parts are rounded so that they add up: any may be off by 0.1']
      : []),
  ];
}

/* Whether a part as it is shown is not what it rounds to alone. */
function isRounded(step: BridgeStep): boolean {
  const tenths = effectTenths(step);
  return step.effects.some(({ effect, share }) => tenthsOf(share ?? 0) !== tenths.get(effect));
}

/* Suppliers of one side that no effect counts, because they have no emissions. */
function uncountedNames({ rows }: BridgeStep, side: 'before' | 'after'): readonly string[] {
  const lone = rows.filter((row) => {
    const isLone = side === 'after' ? 'new' in row.effects : 'left' in row.effects;
    return isLone && row[side]?.hasEmissions === false;
  });
  return [...new Map(lone.map((row) => [row.id ?? row.name, rowName(row)])).values()];
}
