/* Whom a report leads to: organizations about which there is one thing to do. */
import { andMore } from '../../display/terminal/format.ts';
import { bothScopes } from '../organizations/emissions.ts';
import { unmatchedStep } from '../organizations/matches.ts';
import type { Entry } from './entry.ts';

/** Why to ask; the first five are about figures that are missing. */
export type AskReason =
  | 'no_emissions'
  | 'old'
  | 'unmatched'
  | 'in_progress'
  | 'failed'
  | 'removed'
  | 'committed';

/** An ask of a summary. */
export type Ask = ReturnType<typeof reportAsks>[number];

/** The list that the records are of, to be corrected. */
export interface ListToCorrect {
  readonly name: string;
  /** What registers and retrieves its corrected rows, to be pasted. */
  readonly command: string;
}

const isOpen = ({ status }: Entry) => status !== 'synced' && status !== 'errored';

/**
 * Groups organizations by what to do about them.
 * @param since the first year that is compared: those whose newest scope 1 or 2 is of an earlier
 * year are `old`; undefined if no year has both scopes
 */
function groupsOf(entries: readonly Entry[], since: number | undefined) {
  const silent = entries.filter(({ years, isUnreadable }) => years.length === 0 && !isUnreadable);
  const ended = silent.filter(({ status }) => status === 'synced');
  const isOld = (entry: Entry) => (newestYear(entry) ?? since ?? 0) < (since ?? 0);
  return {
    no_emissions: ended.filter(({ isUnmatched }) => !isUnmatched),
    old: entries.filter((entry) => !isOpen(entry) && isOld(entry)),
    unmatched: ended.filter(({ isUnmatched }) => isUnmatched),
    in_progress: silent.filter(isOpen),
    failed: silent.filter(({ status }) => status === 'errored'),
    removed: entries.filter(({ nearTerm }) => nearTerm === 'removed'),
    committed: entries.filter(({ nearTerm }) => nearTerm === 'committed'),
  } satisfies Record<AskReason, readonly Entry[]>;
}

/* The newest year with scope 1 or 2, even one that cannot be right, which is named elsewhere. */
function newestYear({ years }: Entry): number | undefined {
  for (const { year, figures } of years)
    if (figures.scope1 ?? figures.scope2 ?? figures.scope1And2) return year;
  return undefined;
}

function newestOf(all: readonly Entry[]): number | null {
  const newest = all.reduce((max, entry) => Math.max(max, newestYear(entry) ?? max), 0);
  return newest > 0 ? newest : null;
}

const maxNamed = 3;

/**
 * Lists whom to ask: the group with the largest known emissions first, then those without any, the
 * largest number first.
 */
export function reportAsks(
  entries: readonly Entry[],
  since: number | undefined,
  list: ListToCorrect | undefined,
) {
  const asks = Object.entries(groupsOf(entries, since)).flatMap(([key, all]) => {
    if (all.length === 0) return [];
    const why = key as AskReason;
    const ranked = rankEmitters(all);
    const known = ranked.flatMap((entry) => latestBoth(entry) ?? []);
    const sum = known.reduce((total, value) => total + value, 0);
    return {
      why,
      organizations: all.length,
      /** Scopes 1 and 2 of the latest year of each; null without any. */
      emissions: known.length > 0 && Number.isFinite(sum) ? sum : null,
      next_step: why === 'unmatched' ? correctionOf(ranked, list) : steps[why],
      /** The newest year with scope 1 or 2 that any of them has; null without one. */
      newest: newestOf(all),
      /** The largest emitters, otherwise in the order of the records. */
      first: ranked.slice(0, maxNamed).map(({ id = null, name = null }) => ({ id, name })),
    };
  });
  return asks.sort(
    (a, b) =>
      Number(a.emissions === null) - Number(b.emissions === null) ||
      (b.emissions ?? 0) - (a.emissions ?? 0) ||
      b.organizations - a.organizations,
  );
}

const steps: Readonly<Record<Exclude<AskReason, 'unmatched'>, string>> = {
  no_emissions: 'ask for scopes 1 to 3',
  old: 'ask for newer figures',
  in_progress: 'wait',
  failed: 'ask the service',
  removed: 'ask why',
  committed: 'ask when SBTi validates it',
};

/* Says what to add to the list, for the first line of each. */
function correctionOf(all: readonly Entry[], list: ListToCorrect | undefined): string {
  if (list === undefined) return unmatchedStep;
  const lines = all.flatMap(({ line }) => line ?? []).slice(0, maxNamed);
  const named = andMore(lines.join(', '), all.length - lines.length);
  const which = lines.length === 0 ? '' : ` (${all.length === 1 ? 'line' : 'lines'} ${named})`;
  return `add a website or LEI to ${list.name}${which}, then run ${list.command}`;
}

/* The latest year with scopes 1 and 2 determines the rank. */
function latestBoth({ years }: Entry): number | undefined {
  for (const { figures, isWrong } of years) {
    const both = bothScopes(figures);
    if (both !== undefined && !isWrong) return both.value;
  }
  return undefined;
}

/**
 * Sorts organizations, the largest emitters first. Sorting is stable, so those with equal emissions
 * keep their order.
 */
export function rankEmitters(entries: Iterable<Entry>): Entry[] {
  const emitters = [...entries].map((entry) => {
    return { entry, value: latestBoth(entry) ?? Number.NEGATIVE_INFINITY };
  });
  emitters.sort((a, b) => (a.value === b.value ? 0 : b.value - a.value));
  return emitters.map(({ entry }) => entry);
}
