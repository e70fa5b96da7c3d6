/* What the records of suppliers lack, in one name for each cause, and what to ask for. */
import { unmatchedStep } from '../organizations/matches.ts';
import { groupBy } from './entries.ts';
import {
  type Lack,
  type LackReason,
  lackWords,
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

/*
 * A factor is emissions by revenue, so that both must be of one year: that of the spend, if it is
 * known.
 */
const inYear = (what: string, year: number | null) =>
  `ask for ${what} and the revenue of ${year ?? 'the latest year'}`;
const forAll = (year: number | null) => inYear('scopes 1 to 3', year);
const byCurrency = 'retrieve the record in the currency of the spend';

type Step = string | ((year: number | null) => string);

const stepsByReason: Readonly<Record<Exclude<Lack['reason'], 'incomplete'>, Step>> = {
  in_progress: 'wait for the research',
  errored: 'ask the service',
  unmatched: unmatchedStep,
  no_performance: forAll,
  no_emissions: forAll,
  not_readable: 'ask the service',
  no_revenue: 'ask for the revenue',
  too_old: (year) => `ask for ${year === null ? 'newer figures' : `figures of ${year}`}`,
  other_currency: byCurrency,
  no_currency: byCurrency,
};

/* What a factor from cradle to gate requires of the record's own figures. */
const partSteps: Readonly<Record<MissingPart, string>> = {
  scopes_1_and_2: 'scopes 1 and 2',
  purchased_goods_and_services: 'scope 3 category 1',
};

/** Says in words what to do about a record whose factor is an industry average. */
function stepOf({ reason, missing }: Missing, year: number | null): string {
  if (reason !== 'incomplete') return stepIn(stepsByReason[reason], year);
  if (missing.length === 0) return forAll(year);
  return inYear(missing.map((part) => partSteps[part]).join(', '), year);
}

function stepIn(step: Step, year: number | null): string {
  return typeof step === 'string' ? step : step(year);
}

/**
 * Groups what lacks figures by what to do, with the reasons, in the order of the first items.
 * @param year that of the spend; null if it is unknown
 */
export function byStep<Item extends { readonly lack: Lack }>(
  items: readonly Item[],
  year: number | null,
) {
  return [...groupBy(items, ({ lack }) => stepOf(lack, year))].map(([next_step, all]) => ({
    next_step,
    /** Why, as in `industry_reasons`. */
    reasons: [...new Set(all.map(({ lack }) => lack.reason))].sort(),
    missing: all[0]?.lack.missing ?? [],
    items: all,
  }));
}

type OneAndSeveral = readonly [one: string, several: string];

const findings: Readonly<Record<Exclude<Lack['reason'], 'incomplete'>, OneAndSeveral>> = {
  in_progress: ['is in research', 'are in research'],
  errored: ['has failed research', 'have failed research'],
  unmatched: ['was not matched', 'were not matched'],
  no_performance: ['discloses no emissions', 'disclose no emissions'],
  no_emissions: ['discloses no emissions', 'disclose no emissions'],
  not_readable: ['has figures that are not readable', 'have figures that are not readable'],
  no_revenue: ['discloses no revenue', 'disclose no revenue'],
  too_old: ['has only old figures', 'have only old figures'],
  other_currency: ['has figures in another currency', 'have figures in another currency'],
  no_currency: ['has figures without a currency', 'have figures without a currency'],
};

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

const stepsWithoutEmissions: Readonly<Record<UncoveredReason, Step>> = {
  ...stepsByReason,
  errored: 'research failed: ask the service',
  unmatched: `not matched: ${unmatchedStep}`,
  not_registered: 'register it',
  no_record: 'register it',
  ambiguous_match: otherMatch,
  match_differs: otherMatch,
  match_shared: otherMatch,
  no_factor: forAll,
  other_unit: doubtful,
  sum_scope: doubtful,
  sum_total: doubtful,
  negative: doubtful,
  year: doubtful,
  zero: doubtful,
};

/**
 * Says in words what to do about a supplier without emissions.
 * @param year that of the spend; null if it is unknown
 */
export function stepWithoutEmissions(reason: UncoveredReason | null, year: number | null): string {
  return stepIn(reason === null ? forAll : stepsWithoutEmissions[reason], year);
}

/** Says why suppliers have no emissions and what to do, each once. */
export function whyAndStep(reason: UncoveredReason | null, step: string | null): string {
  // A step with a colon says why itself.
  const isSaid = step?.includes(': ') && step === stepWithoutEmissions(reason, null);
  const why = reason === null || isSaid ? '' : reasonWords[reason];
  return [why, step].filter(Boolean).join(': ');
}
