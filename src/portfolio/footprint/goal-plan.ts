/* The fewest suppliers to ask to reach a goal. */
import { totalOf } from '../organizations/sum.ts';
import { areUnmatched } from './evidence.ts';
import { isSet, type Part, ratio, sumOf } from './goal-parts.ts';
import { type Goal, meets } from './goal-share.ts';
import { isNamed, type Supplier } from './supplier-groups.ts';

export type Plan = ReturnType<typeof planOf>;

/** Plans whom to ask. The largest first are the fewest, because only their sum matters. */
export function planOf(parts: readonly Part[], goal: Goal, total: number | null) {
  const isReached = (part: number) => meets(ratio(part, total) ?? 0, goal);
  const first = sumOf(parts, 'set');
  const askable = parts.filter(({ supplier, status, part }) => {
    return isNamed(supplier) && status !== 'set' && (part ?? 0) > 0;
  });
  const best = totalOf([first, ...askable.map(({ part }) => part ?? 0)]);
  const steps: { readonly supplier: Supplier; readonly shareAfter: number }[] = [];
  let sum = first;
  for (const { supplier, part } of isReached(best) ? askable : []) {
    if (isReached(sum)) break;
    sum = totalOf([sum, part ?? 0]);
    steps.push({ supplier, shareAfter: ratio(sum, total) ?? 0 });
  }
  return {
    reached: isReached(first),
    share: ratio(first, total),
    best,
    isOutOfReach: !isReached(best),
    steps,
  };
}

/** Finds suppliers whose target nobody can know or ask for before their record has an organization. */
export function unmatchedOf(parts: readonly Part[]): ReadonlySet<Supplier> {
  const unmatched = parts.filter((each) => !isSet(each) && areUnmatched(each.entries));
  return new Set(unmatched.map(({ supplier }) => supplier));
}

/** Counts commitments as targets, whoever made them. */
export function askableIfCommitted(parts: readonly Part[], unmatched: ReadonlySet<Supplier>) {
  return parts.flatMap((each) => {
    if (each.status === 'committed') return { ...each, status: 'set' as const };
    return unmatched.has(each.supplier) ? [] : each;
  });
}

/** Plans whom to ask if every commitment is validated; null unless they are fewer. */
export function ifCommitted(
  parts: readonly Part[],
  { reached, steps: asked }: Plan,
  goal: Goal,
  total: number | null,
) {
  const { steps } = planOf(parts, goal, total);
  const last = steps.at(-1);
  const areFewer = asked.length === 0 || steps.length < asked.length;
  if (reached || last === undefined || !areFewer) return null;
  return { suppliers: steps.map(({ supplier }) => supplier), share: last.shareAfter };
}
