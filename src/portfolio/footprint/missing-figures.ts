/* What the records of suppliers lack, in one name for each cause, and what to ask for. */
import { listing } from '../../display/terminal/format.ts';
import { unmatchedStep } from '../organizations/correction.ts';
import { groupBy } from './entries.ts';
import {
  type Lack,
  type LackReason,
  lackWords,
  type MissingFigures,
  type MissingPart,
  missingWords,
  reasonWords,
  type UncoveredReason,
} from './line-item.ts';

type Missing = Pick<Lack, 'reason' | 'missing'>;

/** Names what a record lacks, without the year of its figures. */
export function lackName({ reason, missing }: Missing): string {
  return reason === 'incomplete' && missing.length > 0
    ? `no ${missing.map((part) => missingWords[part]).join(' and no ')}`
    : lackWords[reason];
}

const allUpstream = '1 2 3 4 5 6 7 8';

const everything: MissingFigures = {
  year: null,
  scopes1And2: true,
  upstream: allUpstream,
  revenue: true,
};

/* Those that the figures of the supplier would give a factor of its own. */
type AskedReason = 'no_performance' | 'no_emissions' | 'incomplete' | 'no_revenue' | 'too_old';

const askedReasons: Readonly<Record<AskedReason | 'no_factor', true>> = {
  no_performance: true,
  no_emissions: true,
  incomplete: true,
  no_revenue: true,
  too_old: true,
  no_factor: true,
};

interface Cause {
  readonly reason: UncoveredReason | LackReason | null;
  readonly figures?: MissingFigures | undefined;
}

/* Returns what to ask a supplier for; undefined if its figures would not help. */
function askedFigures({ reason, figures = everything }: Cause): MissingFigures | undefined {
  return reason === null || reason in askedReasons ? figures : undefined;
}

/*
 * Says what to ask for: a factor is emissions by revenue, so that all is of one year. A category
 * that does not apply is not missing, but only the supplier knows that; the first applies to all.
 */
function askFor({ year, scopes1And2, upstream, revenue }: MissingFigures): string {
  const isAll = scopes1And2 && upstream === allUpstream;
  const several = upstream.includes(' ');
  const categories = several
    ? `the missing scope 3 categories ${rangesText(upstream)}`
    : `scope 3 category ${upstream}`;
  const parts = [
    scopes1And2 && (isAll ? 'scopes 1 to 3' : 'scopes 1 and 2'),
    !isAll && upstream !== '' && categories,
    revenue && 'the revenue',
  ].filter((part) => part !== false);
  const what = parts.length === 0 ? ['scopes 1 to 3'] : parts;
  const others =
    isAll || !several ? '' : " (category 1 matters most), or which categories don't apply";
  return `ask for ${listing(what)} of ${year ?? 'the latest year'}${others}`;
}

/* Writes numbers as ranges: `1 2 3 4 5 8` is `1 to 5 and 8`. */
function rangesText(numbers: string): string {
  const ranges: number[][] = [];
  for (const number of numbers.split(' ').map(Number)) {
    const last = ranges.at(-1);
    if (last?.at(-1) === number - 1) last.push(number);
    else ranges.push([number]);
  }
  const words = ranges.flatMap((range): readonly (number | string)[] =>
    range.length < 3 ? range : [`${range[0]} to ${range.at(-1)}`],
  );
  return listing(words);
}

const nothing: MissingFigures = { year: null, scopes1And2: false, upstream: '', revenue: false };

/* All categories that one of these lacks. */
function together(all: readonly MissingFigures[]): MissingFigures {
  const [first = nothing] = all;
  const numbers = new Set(all.flatMap(({ upstream }) => upstream.split(' ').filter(Boolean)));
  return { ...first, upstream: [...numbers].sort().join(' ') };
}

const byCurrency = 'retrieve the record in the currency of the spend';

const stepsByReason: Readonly<Record<Exclude<LackReason, AskedReason>, string>> = {
  in_progress: 'wait for the research',
  errored: 'ask the service',
  unmatched: unmatchedStep,
  not_readable: 'ask the service',
  other_currency: byCurrency,
  no_currency: byCurrency,
};

/*
 * Groups causes by what to do, in the order of the first items.
 * @param otherStep says what to do if the supplier's figures would not help
 */
function groupedByStep<Item, Of extends Cause>(
  items: readonly Item[],
  causeOf: (item: Item) => Of,
  otherStep: (cause: Of) => string,
) {
  const keyOf = (item: Item) => {
    const cause = causeOf(item);
    const asked = askedFigures(cause);
    if (asked === undefined) return otherStep(cause);
    const { year, scopes1And2, upstream, revenue } = asked;
    const isAll = scopes1And2 && upstream === allUpstream;
    return JSON.stringify([year, scopes1And2, isAll, upstream !== '', revenue]);
  };
  return [...groupBy(items, keyOf)].map(([key, all]) => {
    const asked = all.flatMap((item) => askedFigures(causeOf(item)) ?? []);
    const figures = together(asked);
    return {
      next_step: asked.length === 0 ? key : askFor(figures),
      /** Numbers of the upstream categories that some of these lack; empty if none is asked for. */
      missing_categories: figures.upstream,
      items: all,
    };
  });
}

/** Returns the numbers of the upstream categories to ask a supplier for; null if there are none. */
export function askedCategories(cause: Cause | null | undefined): string | null {
  return (cause && askedFigures(cause)?.upstream) || null;
}

/** Groups what lacks figures by what to do, with the reasons, in the order of the first items. */
export function byStep<Item extends { readonly lack: Lack }>(items: readonly Item[]) {
  const otherStep = ({ reason }: Lack) => stepsByReason[reason as keyof typeof stepsByReason];
  return groupedByStep(items, ({ lack }) => lack, otherStep).map(({ items: all, ...step }) => ({
    ...step,
    /** Why, as in `industry_reasons`. */
    reasons: [...new Set(all.map(({ lack }) => lack.reason))].sort(),
    missing: all.find(({ lack }) => lack.missing.length > 0)?.lack.missing ?? [],
    items: all,
  }));
}

type OneAndSeveral = readonly [one: string, several: string];

const findings: Readonly<Record<Exclude<Lack['reason'], 'incomplete'>, OneAndSeveral>> = {
  in_progress: ['is in research', 'are in research'],
  errored: ['has failed research', 'have failed research'],
  unmatched: ['was not matched', 'were not matched'],
  no_performance: ['has no figures in the record', 'have no figures in the record'],
  no_emissions: ['discloses no emissions', 'disclose no emissions'],
  not_readable: ['has figures that are not readable', 'have figures that are not readable'],
  no_revenue: ['discloses no revenue', 'disclose no revenue'],
  too_old: ['has only old figures', 'have only old figures'],
  other_currency: ['has figures in another currency', 'have figures in another currency'],
  no_currency: ['has figures without a currency', 'have figures without a currency'],
};

/** Keeps the reasons for which a factor may be an average as well. */
export function lackReasons(
  reasons: readonly (UncoveredReason | LackReason | null)[],
): readonly LackReason[] {
  const known = Object.keys(lackWords) as LackReason[];
  return known.filter((reason) => reasons.includes(reason)).sort();
}

/** Says what the records of suppliers to ask for one thing have and lack. */
export function findingsOf(
  reasons: readonly LackReason[],
  missing: Lack['missing'],
  suppliers: number,
): string {
  return [...new Set(reasons.map((reason) => findingOf({ reason, missing }, suppliers)))].join(
    ' or ',
  );
}

function findingOf({ reason, missing }: Missing, suppliers: number): string {
  if (reason !== 'incomplete') return findings[reason][suppliers === 1 ? 0 : 1];
  const disclose = suppliers === 1 ? 'discloses' : 'disclose';
  const parts = Object.keys(missingWords) as MissingPart[];
  const known = parts.filter((part) => !missing.includes(part));
  if (known.length === parts.length) return `${disclose} incomplete emissions`;
  const [has = 'some emissions', lacks] = [known, missing].map((some) =>
    some.length === 0 ? undefined : some.map((part) => missingWords[part]).join(' and no '),
  );
  return `${disclose} ${has} but no ${lacks}`;
}

const doubtful = 'ask the service';
const otherMatch = 'correct the match first';

type KnownStep = Exclude<UncoveredReason, AskedReason | 'no_factor'>;

const stepsWithoutEmissions: Readonly<Record<KnownStep, string>> = {
  ...stepsByReason,
  errored: 'research failed: ask the service',
  unmatched: `not matched: ${unmatchedStep}`,
  not_registered: 'register it',
  rejected: 'correct the name or country, or add a website or LEI',
  no_record: 'register it',
  ambiguous_match: otherMatch,
  match_differs: otherMatch,
  match_shared: otherMatch,
  other_unit: doubtful,
  sum_scope: doubtful,
  sum_total: doubtful,
  negative: doubtful,
  year: doubtful,
  zero: doubtful,
};

/** Says in words what to do about a supplier without emissions. */
export function stepWithoutEmissions(
  reason: UncoveredReason | null,
  figures?: MissingFigures,
): string {
  const asked = askedFigures({ reason, figures });
  return asked === undefined ? stepsWithoutEmissions[reason as KnownStep] : askFor(asked);
}

interface CauseWithoutEmissions extends Cause {
  readonly reason: UncoveredReason | null;
  /** What to do instead, such as to retrieve the record. */
  readonly step?: string | undefined;
}

/** Groups suppliers without emissions by what to do, in the order of the first items. */
export function byStepWithoutEmissions<Item extends CauseWithoutEmissions>(items: readonly Item[]) {
  return groupedByStep(
    items,
    (item) => item,
    ({ step, reason }) => step ?? stepWithoutEmissions(reason),
  );
}

/** Splits a step that may begin with why, such as "research failed: ask the service". */
export function splitStep(step: string): { readonly reason: string; readonly what: string } {
  const [, reason = '', what = step] = /^([^:]*): (.*)$/s.exec(step) ?? [];
  return { reason, what };
}

/** Says why suppliers have no emissions and what to do, each once. */
export function whyAndStep(reason: UncoveredReason | null, step: string | null): string {
  // A step with a colon says why itself.
  const isSaid = step?.includes(': ') && step === stepWithoutEmissions(reason);
  const why = reason === null || isSaid ? '' : reasonWords[reason];
  return [why, step].filter(Boolean).join(': ');
}
