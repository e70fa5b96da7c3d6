/* The words of all views for the values of line items and of the summary. */
import { headingOf, type KindName } from '../../../display/query/kinds.ts';
import { amountInWords, figure, numberFormats } from '../../../display/terminal/figure.ts';
import {
  andMore,
  count,
  cut,
  linesText,
  listing,
  naming,
  percentText,
  plural,
} from '../../../display/terminal/format.ts';
import { capital } from '../../../display/terminal/text.ts';
import { rules, ruleWords } from '../../checks/check-records.ts';
import { syntheticText, unitSetting } from '../../organizations/quoting.ts';
import {
  askNamed,
  markedUnit,
  unitAlert,
  unitStep,
  withUnit,
} from '../../organizations/statements.ts';
import { lookupsInWords } from '../../records/dates.ts';
import { basisWords } from '../basis-words.ts';
import { groupBy, shareOf, unknownCurrency } from '../entries.ts';
import type { LineItem } from '../footprint.ts';
import { bases, currencyToRetrieve, exclusionWords, lackWords, reasonWords } from '../line-item.ts';
import { findingsOf, whyAndStep } from '../missing-figures.ts';
import { lacksMatch } from '../named-suppliers.ts';
import { maxKilogramsPerSpend } from '../plausible-unit.ts';
import type { CommandWith } from '../statements.ts';
import type { FootprintSummary, Totals } from '../totals.ts';

/**
 * Formats a share from 0 to 1 in percent with one decimal; only all of it is 100.0%, and only
 * nothing of it is 0.0%.
 */
export function shareText(share: number | null | undefined): string {
  return share === null || share === undefined ? '–' : numberFormats.share(share);
}

export function rangeText({ from, to }: Totals['supplier_data_share']): string {
  return from === to ? shareText(to) : `${shareText(from)} to ${shareText(to)}`;
}

export function spendText(amount: number, currency: string): string {
  return `${figure(amount).compact} ${currency === 'unknown' ? 'of unknown currency' : currency}`;
}

/** Names the supplier by the user's name, otherwise by the record's name or its ID. */
export function supplierName({
  supplier,
  name,
  id,
}: Pick<LineItem, 'supplier' | 'id'> & Partial<Pick<LineItem, 'name'>>): string {
  return supplier ?? name ?? (id === null ? 'no name' : `ID ${id}`);
}

/** Explains why a line item has no emissions or counts in no total; `covered` otherwise. */
export function coverageText(item: LineItem): string {
  const { excluded, uncovered, uncovered_detail: detail } = item;
  if (excluded !== null) return `excluded: ${exclusionWords[excluded]}`;
  if (uncovered === null) return 'covered';
  const currency = currencyToRetrieve(uncovered, item.currency);
  const step = currency === null ? '' : `; retrieve it in ${currency}`;
  return `${[reasonWords[uncovered], detail].filter(Boolean).join(': ')}${step}`;
}

/** Says why a factor is an industry average; empty for other factors. */
export function lackText({
  reason,
  reason_detail: detail,
}: Pick<LineItem, 'reason' | 'reason_detail'>): string {
  if (reason === null) return '';
  // The missing parts say all of it.
  if (reason === 'incomplete' && detail !== null) return detail;
  return [lackWords[reason], detail].filter(Boolean).join(': ');
}

/** Returns the share of a currency's spend that is covered; null if its total allows none. */
export function coveredShare(spend: FootprintSummary['spend'][string]): number | null {
  return spend.total > 0 ? shareOf(spend.covered, spend.total) : null;
}

/** Writes the covered shares of the spend: "91.0% of EUR · 100.0% of USD"; a dash without spend. */
export function coveredText({ spend }: Pick<Totals, 'spend'>): string {
  const shares = Object.entries(spend).map(([code, each]) => {
    const share = shareText(coveredShare(each));
    // A line breaks only between currencies.
    return code === unknownCurrency ? share : `${share}\u00a0of\u00a0${code}`;
  });
  return shares.join(' · ') || '–';
}

/**
 * Names the boundary of what has one, and says that industry averages have another one, which is
 * unknown.
 */
export function boundaryText({
  boundary,
  emissions_by_basis: { own, service, industry },
}: Pick<FootprintSummary, 'boundary' | 'emissions_by_basis'>): string {
  if (industry === 0) return boundary;
  const known = [...(own === 0 ? [] : ['own figures']), ...(service === 0 ? [] : [ofService])];
  if (known.length === 0) return 'industry averages: boundary unknown';
  return `${listing(known)}: ${boundary}; industry averages: boundary unknown`;
}

const ofService = basisWords.service.all;

/** Says when SBTi was looked up, for the suppliers with emissions; undefined without a day. */
export function lookupDaysText({ lookups }: FootprintSummary['sbti_coverage']): string | undefined {
  const { from, to, old, old_share: share } = lookups;
  const days = lookupsInWords(from, to);
  if (days === undefined || old === 0) return days;
  const ofAll =
    share === null ? plural(old, 'supplier') : `${percentText(share, 1)} of the emissions`;
  return `${days}, more than six months ago for ${ofAll}`;
}

/** Returns the emissions by basis, without those that no item has. */
export function originOf({ emissions_by_basis: emissions }: Pick<Totals, 'emissions_by_basis'>) {
  const total = emissions.own + emissions.service + emissions.industry;
  return bases.flatMap((basis) => {
    const amount = emissions[basis];
    return amount === 0 ? [] : [{ basis, emissions: amount, share: shareOf(amount, total) }];
  });
}

/** Says that the suppliers with data are synthetic, or how many; undefined if none is. */
export function syntheticSuppliers(
  summary: Pick<FootprintSummary, 'synthetic' | 'not_synthetic'>,
): string | undefined {
  return syntheticText(summary, (number) => plural(number, 'supplier'));
}

const limits = new Map(rules.map(({ name, limit }) => [name, limit]));

/** Warns of the tables that do not distinguish years. */
export const yearsNote =
  'Each year of spend has its own total. Categories, suppliers and targets are those of all years together';

/**
 * Lists what a reader must know before quoting the figures.
 * @param leftOut what the total leaves out
 */
export function notesOf(summary: FootprintSummary, leftOut = leftOutNote(summary)): string[] {
  const { boundary, suppliers, years, largest } = summary;
  const { off_benchmark: far } = summary;
  // The note on suppliers far from their industry says more.
  const checks = summary.checks.filter(
    (each) => each.effect === null && (each.rule !== 'benchmark' || each.suppliers > far.length),
  );
  const [first] = largest;
  const { other: others } = summary.sbti_coverage;
  const excluded = summary.excluded.negative_net_spend ?? 0;
  const found = (severity: string) =>
    checks
      .filter((each) => each.severity === severity)
      .map(({ rule, share, example }, index) => {
        const of = index === 0 ? ' of the emissions' : '';
        return `${ruleWords(rule)} (${limits.get(rule)}) ${share === null ? '–' : percentText(share, 1)}${of}${severity === 'error' ? ` (${example})` : ''}`;
      })
      .join(', ');
  const [errors, doubts] = [found('error'), found('warning')];
  const { market_based: market, location_based: location } = summary.scope_2_methods;
  const [marketPart, locationPart] = methodParts(summary.scope_2_shares);
  const notes: readonly (string | false)[] = [
    syntheticSuppliers(summary) ?? false,
    unitNote(summary) ?? false,
    first !== undefined &&
      suppliers > 1 &&
      (first.share ?? 0) > 0.5 &&
      `One supplier (${supplierName(first)}) makes up ${shareText(first.share)} of the emissions`,
    far.length > 0 &&
      `Factor more than 10 times, or less than 1/10 of, the industry average: ${andMore(far.slice(0, 3).map(benchmarkText).join('; '), far.length - 3)}`,
    industryNote(summary) ?? false,
    leftOut !== '' && (leftOut ?? false),
    excluded > 0 &&
      `No total includes ${plural(excluded, 'line item')} of suppliers with negative net spend`,
    others.length > 0 &&
      `SBTi statuses that count as other: ${naming(others.map(({ status }) => `"${status}"`))}`,
    boundary === 'total' &&
      'The boundary total contains downstream emissions of the suppliers, so the result is not a scope 3 category 1 figure',
    years.length > 1 && yearsNote,
    market > 0 &&
      location > 0 &&
      `Own figures${yearsTogether(years)} mix market-based scope 2 (${plural(market, 'supplier')}${marketPart}) and location-based scope 2 (${plural(location, 'supplier')}${locationPart})`,
    regionsNote(summary) ?? false,
    errors !== '' && `Errors of carbon check: ${errors}`,
    doubts !== '' && `Warnings of carbon check: ${doubts}`,
  ];
  return [
    ...notes.filter((note) => note !== false),
    ...summary.warnings,
    ...summary.checks.flatMap((each) => otherFiguresNote(each, summary)),
  ];
}

/** Says which region stands for a record of several. */
export function regionsNote({
  several_regions: regions,
}: Pick<FootprintSummary, 'several_regions'>): string | undefined {
  if (regions === 0) return undefined;
  return `Records of ${plural(regions, 'line item')} have several regions: the global one is used, otherwise that of the headquarters, otherwise the first`;
}

const maxBuyers = 4;

/**
 * Asks the buyers, not suppliers, why more was spent: names only, because a name has its amount
 * where the largest changes are.
 * @param rest what more there is to say of these suppliers
 */
export function askBuyers(
  suppliers: readonly Parameters<typeof supplierName>[0][],
  rest: string,
): string {
  const names = suppliers.map((each) => cut(supplierName(each), 60));
  const who = names.length > maxBuyers ? naming(names, namedSuppliers) : listing(names);
  const whom = who === '' ? '' : ` with ${who}`;
  return `Ask your own buyers why you spent more${whom}${rest}: more goods or higher prices?`;
}

/* The part in the emissions from which the industry of an average is worth a check. */
const minIndustryShare = 0.03;
const maxIndustries = 8;

/** A supplier with emissions by the average of an industry. */
export interface Average {
  readonly supplier: string;
  readonly industry: string | null;
  /** Their part in the known emissions of all suppliers. */
  readonly share: number | null;
}

/** Whether an average is large enough to check its industry. */
export function hasLargeAverage({ industry, share }: Average): boolean {
  return industry !== null && (share ?? 0) >= minIndustryShare;
}

/**
 * Asks to check the industries of the largest averages, in the same words for a footprint, a
 * comparison and a goal: an average of a wrong one makes a supplier look large that is not.
 * Undefined without any.
 * @param averages those with a match, because a match decides the industry
 * @param which what they are called, if another step has some
 */
export function industryCheck(
  averages: readonly Average[],
  which: 'largest' | 'other large' = 'largest',
): string | undefined {
  const large = averages.filter(hasLargeAverage).sort((a, b) => (b.share ?? 0) - (a.share ?? 0));
  if (large.length === 0) return undefined;
  const named = groupBy(large.slice(0, maxIndustries), ({ industry }) => industry ?? '');
  const lines = [...named].map(([industry, all]) => {
    return `${listing(all.map(({ supplier }) => cut(supplier, 40)))} (${cut(industry, 40)})`;
  });
  const [whose, one] =
    large.length === 1
      ? [`industry behind the ${which} average`, 'it']
      : [`industries behind the ${which} averages`, 'one'];
  const others = large.length > maxIndustries ? '; and others' : '';
  return `Check the ${whose} (at least ${percentText(minIndustryShare, 1)} of the emissions), and tell the service if ${one} is wrong: ${lines.join('; ')}${others}`;
}

/** A record names its industry, which neither the category nor the name of the supplier decides. */
export function industryNote({
  on_averages: { largest, ask },
}: Pick<FootprintSummary, 'on_averages'>): string | undefined {
  const unmatched = ask.filter(lacksMatch).flatMap((each) => each.largest.map(supplierName));
  const averages = largest.map((each) => ({ ...each, supplier: supplierName(each) }));
  return industryCheck(averages.filter(({ supplier }) => !unmatched.includes(supplier)));
}

/* Of two figures that differ, a report uses the other one; how much that matters comes with it. */
function otherFiguresNote(
  { suppliers, example, effect }: FootprintSummary['checks'][number],
  { unit, years }: Pick<FootprintSummary, 'unit' | 'years'>,
): readonly string[] {
  if (effect === null) return [];
  // A name may contain a colon, the evidence does not.
  const name = example.slice(0, example.lastIndexOf(': '));
  const who =
    suppliers === 1 ? `${name} has` : `${name} and ${count.format(suppliers - 1)} more have`;
  const amount = withUnit(figure(Math.abs(effect)).rounded, unit);
  const sign = effect < 0 ? '−' : '+';
  return [
    `${who} two figures for scopes 1 and 2: with the other (carbon report may use it), the total${yearsTogether(years)} would change by ${effect === 0 ? '' : sign}${amount}`,
  ];
}

/** What tells whether the unit of the totals can be right. */
export type UnitTotals = Pick<
  FootprintSummary,
  'implausible_kg_per_spend' | 'unit' | 'years' | 'largest'
> &
  Partial<Pick<FootprintSummary, 'kg_per_spend'>>;

/** Says on a goal, which is of shares, that the amounts of its suppliers may be wrong. */
export function unitNoteOfShares(summary: UnitTotals): string | undefined {
  return unitNote(summary) === undefined
    ? undefined
    : `The unit of the suppliers' emissions is in doubt (--unit ${summary.unit}); shares hold if all amounts are wrong by the same factor`;
}

function perSpendText(amounts: Readonly<Record<string, number>>, scale = 1): string {
  return listing(
    Object.entries(amounts).map(
      ([code, amount]) => `${figure(amount / scale).rounded} kg per ${code}`,
    ),
  );
}

/**
 * Says that a unit is what the user declared, and how much that makes of the spend: a reader takes
 * it for the source's. Undefined without one, and if the alert of `unitNote` says more.
 */
export function settingText(summary: UnitTotals): string | undefined {
  const { unit, years, kg_per_spend: amounts = {} } = summary;
  if (unit === null || unitNote(summary) !== undefined) return undefined;
  const made =
    Object.keys(amounts).length === 0
      ? ''
      : `: it makes ${perSpendText(amounts)} of spend${inBrackets(togetherText(years), `plausible: at most ${maxKilogramsPerSpend}; cement has about 4 kg per USD`)}`;
  return unitSetting(unit, made);
}

/** Says that the declared unit may be wrong, which no scale of the spend changes. */
export function unitNote({
  implausible_kg_per_spend: amounts,
  unit,
  years,
}: UnitTotals): string | undefined {
  const textOf = (scale: number) => perSpendText(amounts, scale);
  if (Object.keys(amounts).length === 0) return undefined;
  const isOther =
    unit === 't' && Object.values(amounts).every((each) => each / 1_000 <= maxKilogramsPerSpend);
  const other = isOther
    ? `; with --unit kg it would be ${[...totalsIn('kg', years), textOf(1_000)].join(', ')}`
    : '';
  const finding = `${textOf(1)}${yearsTogether(years)}; even cement has about 4 kg per USD (US EPA)${other}`;
  return unitAlert(finding, unit);
}

/* The totals as they would be in another unit: the same numbers. */
function totalsIn(unit: string, years: FootprintSummary['years']): readonly string[] {
  const known = years.filter(({ emissions }) => emissions !== null);
  const totals = known.map(({ year, emissions }) => {
    const when = known.length < 2 ? '' : year === null ? ' without a year' : ` in ${year}`;
    return `${withUnit(amountInWords(emissions ?? 0), unit)}${when}`;
  });
  return totals.length === 0 ? [] : [listing(totals)];
}

/** Returns the unit to show on a page, where each amount in an implausible one has a mark. */
export function shownUnit(summary: Pick<UnitTotals, 'unit' | 'implausible_kg_per_spend'>) {
  const { unit, implausible_kg_per_spend: amounts } = summary;
  return markedUnit(unit, Object.keys(amounts).length > 0);
}

/** Returns the heading of a column of a page; a factor is in doubt as its amounts are. */
export function headingOnPage(
  title: string,
  kind: KindName,
  summary: Pick<UnitTotals, 'unit' | 'implausible_kg_per_spend'>,
): string {
  const unit = shownUnit(summary);
  return kind === 'factor' && unit !== summary.unit ? `${title} ?` : headingOf(title, kind, unit);
}

/** Says after the commands of a page that they have an implausible unit. */
export function toCheckUnit(
  summary: Pick<UnitTotals, 'unit' | 'implausible_kg_per_spend'>,
  commandWith: CommandWith | undefined,
): CommandWith | undefined {
  if (commandWith === undefined || shownUnit(summary) === summary.unit) return commandWith;
  return (words) => `${commandWith(words)} (first check --unit ${summary.unit})`;
}

/** Says how to check the unit, if the totals are implausible. */
export function unitSteps(summary: UnitTotals): readonly string[] {
  if (unitNote(summary) === undefined) return [];
  // Only of a supplier with own figures does its report have them.
  const found = summary.largest.find(({ basis }) => basis === 'own');
  const example = found && { name: supplierName(found), id: found.id };
  return [unitStep(summary.unit, example)];
}

/* Figures of several years are of all of them together. */
function togetherText(years: FootprintSummary['years']): string {
  const named = years.map(({ year }) => (year === null ? 'no year' : String(year)));
  return named.length < 2 ? '' : `${listing(named)} together`;
}

function yearsTogether(years: FootprintSummary['years']): string {
  return inBrackets(togetherText(years));
}

function inBrackets(...parts: readonly string[]): string {
  const known = parts.filter(Boolean);
  return known.length === 0 ? '' : ` (${known.join('; ')})`;
}

const namedSuppliers = 3;

/** Suppliers on averages about whom there is one thing to do. */
interface AskOfAverages {
  /** What their records have and lack, after their number. */
  readonly finding: string;
  /** What to do. */
  readonly step: string;
  readonly suppliers: number;
  /** Their part in the emissions; null if there is none. */
  readonly share: number | null;
  /** The largest of them. */
  readonly names: readonly string[];
  /** Whether there is nobody to ask, but a row to correct. */
  readonly isUnmatched: boolean;
}

/** Says what to ask the suppliers on averages for, or to correct, the most emissions first. */
export function asksOfAverages({
  on_averages: { ask },
  unit,
}: Pick<FootprintSummary, 'on_averages' | 'unit'>): readonly AskOfAverages[] {
  return ask.map((each) => {
    const { reasons, missing, next_step: step, suppliers, share, largest } = each;
    const isCorrected = lacksMatch(each);
    return {
      finding: findingsOf(reasons, missing, suppliers),
      step,
      suppliers,
      share,
      names: largest.map((one) => askedText(one, unit, isCorrected)),
      isUnmatched: isCorrected,
    };
  });
}

/* More names hide what to ask them for; a table has them. A row to correct has its lines here. */
const namedAsked = 2;

/**
 * Says whom to ask instead of using industry averages, and for what, the most emissions first;
 * empty without any.
 */
export function averagesHints(
  summary: Pick<FootprintSummary, 'on_averages' | 'unit'>,
): readonly string[] {
  return asksOfAverages(summary).map((each) => {
    const { finding, step, suppliers, share, names: all, isUnmatched } = each;
    const names = all.slice(0, isUnmatched ? namedSuppliers : namedAsked);
    const named = andMore(names.join(', '), suppliers - names.length);
    const who = plural(suppliers, 'supplier');
    // One supplier has its own share.
    const part =
      share === null || suppliers === 1 ? '' : `${percentText(share, 1)} of the emissions: `;
    if (isUnmatched) return `Match ${who}, ${named}: ${step}`;
    const request = askNamed(step, named);
    const asked = `${request ?? capital(step)} (${part}${who} on averages ${finding})`;
    return request === undefined ? `${asked}: ${named}` : asked;
  });
}

/* Names a supplier to ask, with its part in the emissions, and how to reach it. */
function askedText(
  {
    emissions,
    share,
    website,
    lines,
    ...supplier
  }: FootprintSummary['on_averages']['largest'][number],
  unit: string | null,
  hasLines = false,
): string {
  const part = share === null ? withUnit(figure(emissions).compact, unit) : shareText(share);
  const where = hasLines ? linesText(lines) : website && cut(siteOf(website), 60);
  const known = [part, where].filter(Boolean).join(', ');
  return `${cut(supplierName(supplier), 40)} (${known})`;
}

/* Without what a browser adds. Some hosts answer only with www, which therefore stays. */
function siteOf(website: string): string {
  return website.replace(/^https?:\/\//i, '').replace(/\/$/, '');
}

/* Negative emissions after credit notes allow no shares. */
function methodParts({
  market_based: market,
  location_based: location,
}: FootprintSummary['scope_2_shares']): readonly [market: string, location: string] {
  if (market === null || location === null || market < 0 || location < 0) return ['', ''];
  const [first, second] = [percentText(market, 1), percentText(location, 1)];
  return [`, ${first} of the emissions from own figures`, `, ${second}`];
}

/**
 * Says what the total leaves out, and why; undefined if it leaves out nothing.
 * @param next what else to say of the suppliers: the next step, or only where their names are
 */
export function leftOutNote(
  summary: FootprintSummary,
  next: 'step' | 'no step' | 'below' = 'step',
): string | undefined {
  const left = leftOutCount(summary);
  if (left === undefined) return undefined;
  const why = next === 'below' ? 'Whom to ask lists their suppliers' : leftOutText(summary, next);
  return `${left}: ${why}`;
}

/** Counts what the total leaves out; undefined if it leaves out nothing. */
export function leftOutCount({
  line_items: all,
  covered_line_items: covered,
}: FootprintSummary): string | undefined {
  if (covered >= all) return undefined;
  return `The total leaves out ${count.format(all - covered)} of ${plural(all, 'line item')} with spend`;
}

/* Counts suppliers, not their items of several years, and names the largest. */
function leftOutText(
  { uncovered_suppliers: reasons }: FootprintSummary,
  next: 'step' | 'no step',
): string {
  return reasons
    .map(({ reason, next_step, suppliers }) => {
      const named = suppliers.filter(({ supplier, id }) => supplier !== null || id !== null);
      const others = suppliers.length - named.length;
      // Another note lists the lines of spend without a supplier.
      const nameless = `${named.length === 0 ? '' : `${count.format(others)} `}without a name`;
      const names = [
        ...(named.length === 0 ? [] : [naming(named.map(supplierName), 3)]),
        ...(others === 0 ? [] : [nameless]),
      ];
      const why = next === 'step' ? whyAndStep(reason, next_step) : reasonWords[reason];
      return `${plural(suppliers.length, 'supplier')}, ${why} (${names.join('; ')})`;
    })
    .join('; ');
}

function benchmarkText({
  factor,
  industry_average: average,
  currency,
  share,
  ...supplier
}: FootprintSummary['off_benchmark'][number]): string {
  const [own, usual] = [factor, average].map((value) => figure(value ?? 0).compact);
  return `${cut(supplierName(supplier), 40)} has ${own} per ${currency}, the average is ${usual} (${shareText(share)} of the emissions)`;
}
