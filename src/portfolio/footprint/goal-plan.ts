/* The fewest suppliers to ask to reach a goal. */
import { totalOf } from '../organizations/sum.ts';
import { areUnmatched, namesOnlyBefore } from './evidence.ts';
import { isSet, type Part, ratio, sumOf } from './goal-parts.ts';
import { type Goal, meets } from './goal-share.ts';
import { isNamed, type Supplier } from './supplier-groups.ts';

type Plan = ReturnType<typeof planOf>;

export interface PlanStep {
  readonly supplier: Supplier;
  readonly shareAfter: number;
}

/** Plans whom to ask, now and if commitments are validated or targets lapse. */
export function plansOf(parts: readonly Part[], goal: Goal, total: number | null) {
  const plan = planOf(parts, goal, total);
  const unmatched = unmatchedOf(parts);
  const toMatch = plan.steps.filter(({ supplier }) => unmatched.has(supplier));
  const askable = parts.filter(({ supplier }) => !unmatched.has(supplier));
  // Nobody can ask a supplier whose record is of no organization.
  const matched = toMatch.length === 0 ? plan : planOf(askable, goal, total);
  return {
    /** With all suppliers, whether or not anybody can ask them. */
    plan,
    /** With those whose record has a match. */
    matched,
    lapsed: planIfLapsed(askable, matched, goal, total),
    committed: ifCommitted(askableIfCommitted(parts, unmatched), matched, goal, total),
    unmatched,
    /** Those without a match that would be among the fewest. */
    toMatch: new Set(toMatch.map(({ supplier }) => supplier)) as ReadonlySet<Supplier>,
  };
}

/* Plans whom to ask. The largest first are the fewest, because only their sum matters. */
function planOf(parts: readonly Part[], goal: Goal, total: number | null) {
  const isReached = (part: number) => meets(ratio(part, total) ?? 0, goal);
  const first = sumOf(parts, 'set');
  const askable = parts.filter(({ supplier, status, part }) => {
    return isNamed(supplier) && status !== 'set' && (part ?? 0) > 0;
  });
  const best = totalOf([first, ...askable.map(({ part }) => part ?? 0)]);
  const steps: PlanStep[] = [];
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

/*
 * Plans whom to ask, besides those of a plan, to reach the goal also if the targets that end before
 * its year lapse. With those of the plan, which the goal needs in any case, the largest of all
 * others are the fewest: suppliers with such a target, and suppliers without one. Returns null
 * without a year and without such targets.
 */
function planIfLapsed(
  parts: readonly Part[],
  { share, isOutOfReach, steps: planned }: Plan,
  goal: Goal,
  total: number | null,
) {
  const { year } = goal;
  if (year === null || share === null) return null;
  const lapsing = parts.filter((each) => isSet(each) && namesOnlyBefore(each, year));
  const lost = totalOf(lapsing.map(({ part }) => part ?? 0));
  if (!(lost > 0)) return null;
  const asked = new Set(planned.map(({ supplier }) => supplier));
  const shareOf = (sum: number) => Math.max(0, ratio(sum, total) ?? 0);
  const without = totalOf([sumOf(parts, 'set'), -lost]);
  const isAsked = ({ supplier }: Part) => asked.has(supplier);
  let sum = without;
  const after = planned.map(({ supplier }) => {
    sum = totalOf([sum, parts.find((each) => each.supplier === supplier)?.part ?? 0]);
    return shareOf(sum);
  });
  const steps: PlanStep[] = [];
  const others = parts.filter((each) => {
    const isOpen = !isSet(each) || lapsing.includes(each);
    return isOpen && isNamed(each.supplier) && (each.part ?? 0) > 0 && !isAsked(each);
  });
  for (const { supplier, part } of isOutOfReach ? [] : others) {
    if (meets(shareOf(sum), goal)) break;
    sum = totalOf([sum, part ?? 0]);
    steps.push({ supplier, shareAfter: shareOf(sum) });
  }
  return {
    suppliers: lapsing.map(({ supplier }) => supplier),
    /** The share of these targets. */
    share: ratio(lost, total) ?? 0,
    without: shareOf(without),
    /** The share after each step of the plan. */
    after,
    steps,
  };
}

/* Finds suppliers whose target nobody can know or ask for before their record has a match. */
function unmatchedOf(parts: readonly Part[]): ReadonlySet<Supplier> {
  const unmatched = parts.filter((each) => !isSet(each) && areUnmatched(each.entries));
  return new Set(unmatched.map(({ supplier }) => supplier));
}

/*
 * Counts every commitment as a validated target, even without a match, and leaves out the other
 * suppliers without a match.
 */
function askableIfCommitted(parts: readonly Part[], unmatched: ReadonlySet<Supplier>) {
  return parts.flatMap((each) => {
    if (each.status === 'committed') return { ...each, status: 'set' as const };
    return unmatched.has(each.supplier) ? [] : each;
  });
}

/* Plans whom to ask if every commitment is validated; null unless they are fewer. */
function ifCommitted(
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
