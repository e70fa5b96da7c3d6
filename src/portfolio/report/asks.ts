/* Whom a report leads to: organizations about which there is one thing to do. */
import { correctionOf, type ListToCorrect, unmatchedStep } from '../organizations/correction.ts';
import { ExactSum } from '../organizations/sum.ts';
import type { Entry } from './entry.ts';
import { type LargestRises, risesInSummary, rosePerRevenue } from './rises.ts';

/** Why to ask; the first six are about figures that are missing. */
export type AskReason =
  | 'no_emissions'
  | 'old'
  | 'incomplete'
  | 'unmatched'
  | 'in_progress'
  | 'failed'
  | 'rose'
  | 'grew'
  | 'removed'
  | 'committed';

/** An ask of a summary. */
export type Ask = ReturnType<typeof reportAsks>[number];

/* The organizations with one thing to do, which may be most of 100,000: only what an ask says. */
class Group {
  organizations = 0;
  readonly #sum = new ExactSum();
  #summed = 0;
  /** The newest year with scope 1 or 2; 0 without one. */
  newest = 0;
  readonly #largest: { readonly entry: Entry; readonly value: number }[] = [];

  /** @param value scopes 1 and 2 of its latest year with both, if a sum counts them */
  add(entry: Entry, newest: number | undefined, value: number | undefined): void {
    this.organizations += 1;
    if (value !== undefined) {
      this.#sum.add(value);
      this.#summed += 1;
    }
    if (newest !== undefined && newest > this.newest) this.newest = newest;
    this.#rank(entry, value ?? Number.NEGATIVE_INFINITY);
  }

  /* Of equal ones, the first stays before the others. */
  #rank(entry: Entry, value: number): void {
    const all = this.#largest;
    const last = all[maxNamed - 1];
    if (last !== undefined && value <= last.value) return;
    const at = all.findIndex((each) => each.value < value);
    all.splice(at < 0 ? all.length : at, 0, { entry, value });
    if (all.length > maxNamed) all.pop();
  }

  /** The largest emitters, otherwise in the order of the records. */
  get first(): readonly Entry[] {
    return this.#largest.map(({ entry }) => entry);
  }

  /** Scopes 1 and 2 of the latest year of those that have both; null without any. */
  get sum(): number | null {
    const sum = this.#sum.written;
    return this.#summed > 0 && Number.isFinite(sum) ? sum : null;
  }
}

/**
 * Groups organizations by what to do about them, each of which is looked at once: filtering and
 * sorting all of them for each group took 3% of a report of 100,000. Each is in one group: what is
 * missing comes before its target, which without a match may be another organization's.
 * @param since the first year that is compared: those whose newest scope 1 or 2 is of an earlier
 * year are `old`, and those without both scopes since are `incomplete`, unless research may still
 * find them; undefined if no year has both scopes
 * @param rises who made the sum rise, whatever their targets are
 */
function groupsOf({ entries, isCounted }: Asked, since = 0, rises?: LargestRises) {
  const groups = {
    no_emissions: new Group(),
    old: new Group(),
    incomplete: new Group(),
    unmatched: new Group(),
    in_progress: new Group(),
    failed: new Group(),
    rose: new Group(),
    grew: new Group(),
    removed: new Group(),
    committed: new Group(),
  } satisfies Record<AskReason, Group>;
  for (const entry of entries) {
    const { status, years, nearTerm, isUnmatched } = entry;
    const newest = years.newestOfScopes1And2;
    const isOpen = status !== 'synced' && status !== 'errored';
    const value = isCounted(entry) ? years.latestBoth : undefined;
    const isSilent = years.length === 0 && !entry.isUnreadable;
    const lacksBoth = years.length > 0 && (years.newestOfBoth ?? -1) < since;
    if (isOpen && (isSilent || lacksBoth)) groups.in_progress.add(entry, newest, value);
    else if (isSilent) {
      const ended = isUnmatched ? 'unmatched' : 'no_emissions';
      groups[status === 'errored' ? 'failed' : ended].add(entry, newest, value);
    } else if (newest !== undefined && newest < since) groups.old.add(entry, newest, value);
    else if (lacksBoth) groups.incomplete.add(entry, newest, value);
    else if (rises?.entries.has(entry))
      groups[rosePerRevenue(rises, entry) ? 'rose' : 'grew'].add(entry, newest, value);
    else if (nearTerm === 'removed' || nearTerm === 'committed')
      groups[nearTerm].add(entry, newest, value);
  }
  return groups;
}

const maxNamed = 3;

/** The organizations of a report. */
interface Asked {
  readonly entries: readonly Entry[];
  /** Whether sums count the figures of an organization: no error, and not those of another one. */
  isCounted(entry: Entry): boolean;
  /** The year of most figures; undefined if no year has both scopes. */
  readonly year: number | undefined;
}

/**
 * Lists whom to ask: first who made the rise, as the first steps do, then the group with the
 * largest known emissions, then those without any, the largest number first.
 */
export function reportAsks(
  asked: Asked,
  since: number | undefined,
  list: ListToCorrect | undefined,
  rises: LargestRises | undefined,
) {
  const asks = Object.entries(groupsOf(asked, since, rises)).flatMap(([key, group]) => {
    const { organizations, newest, sum, first } = group;
    if (organizations === 0) return [];
    const why = key as AskReason;
    return {
      why,
      organizations,
      /** Scopes 1 and 2 of the latest year of each that sums count; null without any. */
      emissions: sum,
      next_step: stepOf(why, asked.year, list),
      /** The newest year with scope 1 or 2 that any of them has; null without one. */
      newest: newest > 0 ? newest : null,
      /** What those that rose made of the rise; null of the others. */
      rise: rises && isRise(why) ? risesInSummary(rises, why) : null,
      /** The largest emitters, otherwise in the order of the records. */
      first: first.map((entry) => {
        const { id = null, name = null, lines = [] } = entry;
        const rise = isRise(why) ? rises?.entries.get(entry) : undefined;
        const { change = null, revenue_change = null } = rise ?? {};
        /** The lines of the list to correct; the changes of one that rose. */
        return { id, name, lines, ...(rise && { change, revenue_change }) };
      }),
    };
  });
  return asks.sort(
    (a, b) =>
      Number(a.rise === null) - Number(b.rise === null) ||
      Number(a.emissions === null) - Number(b.emissions === null) ||
      (b.emissions ?? 0) - (a.emissions ?? 0) ||
      b.organizations - a.organizations,
  );
}

/* What to ask for, before the year that most companies have figures of. */
const ofYear = {
  no_emissions: 'ask for scopes 1 to 3',
  old: 'ask for scopes 1 to 3',
  incomplete: 'ask for scopes 1 and 2',
} as const;

const steps: Readonly<Record<Exclude<AskReason, 'unmatched' | keyof typeof ofYear>, string>> = {
  in_progress: 'wait',
  failed: 'ask the service, with the ID',
  rose: 'ask why',
  grew: 'ask for a plan to cut emissions while growing',
  removed: 'ask why',
  committed: 'ask when SBTi validates it',
};

function isRise(why: AskReason): why is 'rose' | 'grew' {
  return why === 'rose' || why === 'grew';
}

function isOfYear(why: AskReason): why is keyof typeof ofYear {
  return why in ofYear;
}

function stepOf(why: AskReason, year: number | undefined, list: ListToCorrect | undefined): string {
  if (why === 'unmatched') return list ? correctionOf(list) : unmatchedStep;
  if (!isOfYear(why)) return steps[why];
  return `${ofYear[why]}${year === undefined ? '' : ` of ${year}`}`;
}

/**
 * Sorts organizations, the largest emitters first. Sorting is stable, so those with equal emissions
 * keep their order.
 */
export function rankEmitters(entries: Iterable<Entry>): Entry[] {
  const emitters = [...entries].map((entry) => {
    return { entry, value: entry.years.latestBoth ?? Number.NEGATIVE_INFINITY };
  });
  emitters.sort((a, b) => (a.value === b.value ? 0 : b.value - a.value));
  return emitters.map(({ entry }) => entry);
}
