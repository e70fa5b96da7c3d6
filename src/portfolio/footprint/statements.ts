/* What a footprint says, in at most five sentences. */
import { asAnswers, type Question } from '../../display/terminal/answers.ts';
import { amountInWords, changeSize } from '../../display/terminal/figure.ts';
import { count, cut, listing, percentText, plural } from '../../display/terminal/format.ts';
import { capital } from '../../display/terminal/text.ts';
import {
  choose,
  type Headline,
  isHalf,
  type Statement,
  withUnit,
  wrongRecords,
} from '../organizations/statements.ts';
import { basisWords } from './basis-words.ts';
import { causeWords } from './cause-words.ts';
import { dataWords } from './data-effects.ts';
import { type Basis, bases } from './line-item.ts';
import { signedCompact, signedShare } from './signed.ts';
import type { FootprintSummary } from './totals.ts';
import type { Trend } from './trend.ts';

/** What each rule answers. */
export const footprintQuestions: Readonly<Record<string, Question>> = {
  total: 'amount',
  count: 'amount',
  coverage: 'amount',
  direction: 'way',
  concentration: 'who',
  origin: 'sure',
  sensitivity: 'sure',
  errors: 'sure',
};

export type FootprintStatement = Statement & Readonly<Record<string, unknown>>;

/** States what a footprint means, the title first. */
export function statements(summary: FootprintSummary): readonly FootprintStatement[] {
  const { suppliers, covered_suppliers: covered } = summary;
  const isCovered = isHalf(covered, suppliers) && covered > 0 && hasMostSpend(summary);
  const first = isCovered
    ? [
        total(summary),
        origin(summary),
        concentration(summary),
        direction(summary),
        sensitivity(summary),
      ]
    : [];
  const some = covered === 0 ? 'none' : count.format(covered);
  const counted: FootprintStatement = {
    rule: 'count',
    text: `${plural(suppliers, 'supplier')}, ${some} of them with emissions`,
    base: suppliers,
    of: suppliers,
    covered,
  };
  return choose([...(isCovered ? first : [counted]), errors(summary)]);
}

/* Checks whether at least half of the spend in each currency has emissions. */
function hasMostSpend({ spend }: Pick<FootprintSummary, 'spend'>): boolean {
  return Object.values(spend).every(({ total: all, covered }) => isHalf(covered, all));
}

/**
 * Lists the sentences of the statements: the total, and of whom it is, are two lines of a view, but
 * one statement, so that nobody reads the one without the other.
 */
export function sentencesOf(summary: FootprintSummary): readonly FootprintStatement[] {
  return statements(summary).flatMap((each) => {
    if (each.rule !== 'total') return [each];
    const { says, of } = totalWords(summary);
    return [
      { ...each, text: says },
      { ...each, rule: 'coverage', text: of },
    ];
  });
}

/** Returns the sentences with the questions that they answer; the first one is a title. */
export function footprintAnswers(summary: FootprintSummary, hasTitle = true) {
  return asAnswers(sentencesOf(summary), footprintQuestions, hasTitle);
}

/**
 * Says in a title that its amount is implausible; otherwise empty.
 * @param more stands in the same brackets
 */
export function doubtOfUnit(
  { implausible_kg_per_spend: amounts }: Pick<FootprintSummary, 'implausible_kg_per_spend'>,
  more?: string,
): string {
  const doubt = Object.keys(amounts).length === 0 ? undefined : 'implausible: check the unit';
  const words = [more, doubt].filter(Boolean);
  return words.length === 0 ? '' : ` (${words.join('; ')})`;
}

/** Returns the title of a view: the first statement, and how much of the total is estimated. */
export function headlineOf(summary: FootprintSummary): Headline {
  const [first, second] = statements(summary);
  if (first?.rule === 'total') {
    const { says, of } = totalWords(summary, true);
    const averages = second?.rule === 'origin' ? Number(second['industry'] ?? 0) : 0;
    const from = averages === 1 ? 'all' : percentText(averages, 1);
    return {
      says: `${says}${averages > 0 ? `, ${from} estimated with ${basisWords.industry.all}` : ''}`,
      of,
    };
  }
  return { says: first?.text ?? 'Footprint of purchases' };
}

function total(summary: FootprintSummary): FootprintStatement {
  const { years, unit, spend, suppliers: of, covered_suppliers: base } = summary;
  const { says, of: whom } = totalWords(summary);
  const numbers = years.map(({ year, emissions }) => ({ year, emissions }));
  return { rule: 'total', text: `${says}. ${whom}`, base, of, unit, years: numbers, spend };
}

/*
 * Says how much, and of whom it is.
 * @param isTitle whether it stands without the second sentence, so that it names the suppliers
 */
function totalWords(summary: FootprintSummary, isTitle = false) {
  const { years, unit, spend, suppliers: of, covered_suppliers: base } = summary;
  const { line_items, covered_line_items } = summary;
  const hasWhom = isTitle && base < of;
  const shares = Object.entries(spend).map(
    ([code, { total: all, covered }]) =>
      `${percentText(covered, all)} of the ${code === 'unknown' ? '' : `${code} `}spend`,
  );
  const some = `${listing(shares)} ${shares.length === 1 ? 'has' : 'have'}`;
  const whole = covered_line_items === line_items ? 'all spend has' : some;
  return {
    says: causedEmissions(years, unit, {
      isKnown: covered_line_items < line_items && !hasWhom,
      doubt: isTitle ? doubtOfUnit(summary) : '',
      whom: hasWhom ? ` at ${count.format(base)} of ${plural(of, 'supplier')}` : '',
    }),
    of: `From ${count.format(base)} of ${plural(of, 'supplier')}; ${whole} emissions`,
  };
}

/* Years without emissions come last: purchases of which none are known caused some. */
function causedEmissions(
  years: FootprintSummary['years'],
  unit: FootprintSummary['unit'],
  { isKnown, doubt, whom }: Record<'doubt' | 'whom', string> & { readonly isKnown: boolean },
): string {
  const caused = isKnown ? 'caused known emissions' : 'caused emissions';
  const known = years.flatMap(({ year, emissions }) =>
    emissions === null ? [] : { year, amount: withUnit(amountInWords(emissions), unit) },
  );
  const [first] = known;
  if (first !== undefined && years.length === 1) {
    const when = first.year === null ? 'without a year' : `of ${first.year}`;
    return `Your purchases ${when} ${caused} of ${first.amount}${doubt}${whom}`;
  }
  const when = (word: string, year: number | null) =>
    year === null ? 'without a year' : `${word} ${year}`;
  const amounts = known.map(({ year, amount }) => `${amount} ${when('in', year)}`);
  const unknown = years.flatMap(({ year, emissions }) =>
    emissions === null ? when('of', year) : [],
  );
  const rest = unknown.length === 0 ? '' : `; those ${listing(unknown)} are unknown`;
  return `Your purchases ${caused} of ${listing(amounts)}${doubt}${whom}${rest}`;
}

function origin(summary: FootprintSummary): FootprintStatement | undefined {
  const { suppliers: of, covered_suppliers: base, emissions_by_basis: emissions } = summary;
  const all = emissions.own + emissions.service + emissions.industry;
  const parts = bases
    .map((basis) => ({ basis, share: emissions[basis] / all }))
    .filter(({ share }) => share !== 0)
    .sort((a, b) => b.share - a.share);
  // After credit notes, a part may be negative, so that the others are more than the whole.
  if (parts.length === 0 || parts.some(({ share }) => !(share > 0 && share <= 1))) return undefined;
  const industry = emissions.industry / all;
  const use = useOf(industry);
  const list = parts.map(({ basis, share }) => {
    const words = basisWords[basis].all;
    return basis === 'own' ? ownPart(summary, words) : `${percentText(share, 1)} from ${words}`;
  });
  const text = `${industry > 0 ? `${capital(use)}: ` : ''}${list.join(', ')}`;
  const shares = Object.fromEntries(parts.map(({ basis, share }) => [basis, share]));
  return { rule: 'origin', text, base, of, ...shares };
}

/**
 * Says whether emissions may be quoted: averages rank what was spent in an industry, not the
 * suppliers of it.
 * @param industry the share from industry averages
 */
export function useOf(industry: number): string {
  return industry >= 0.5
    ? 'good for choosing whom to ask first, not for quoting'
    : 'when quoting, say how much is estimated';
}

/* Scopes 1 and 2 are most likely the supplier's own: upstream emissions are usually modeled. */
function ownPart({ supplier_data_share: { from, to } }: FootprintSummary, words: string): string {
  const most = percentText(to ?? 0, 1);
  if (from === null || percentText(from, 1) === most) return `${most} from ${words}`;
  if (from === 0) return `${most} from figures in ${words}, usually modeled`;
  const others = percentText((to ?? 0) - from, 1);
  return `${percentText(from, 1)} from scopes 1 and 2 in ${words}, ${others} from other figures in them, usually modeled`;
}

function concentration(summary: FootprintSummary): FootprintStatement | undefined {
  const { suppliers: of, covered_suppliers: base, two_thirds: largest } = summary;
  if (largest === null || largest.suppliers >= base) return undefined;
  const { suppliers: number, share } = largest;
  const make = number === 1 ? 'makes' : 'make';
  const whole =
    base === of ? plural(of, 'supplier') : `the ${plural(base, 'supplier')} with emissions`;
  const text = `${count.format(number)} of ${whole} ${make} up ${percentText(share, 1)} of the emissions`;
  return { rule: 'concentration', text, base, of, suppliers: number, share };
}

/** Writes the command line with further words, for a reader who has none to add to. */
export type CommandWith = (words: readonly string[]) => string;

/** Says how to see more: with a whole command for a reader who has none to add to. */
export function byAdding(words: readonly string[], commandWith?: CommandWith): string {
  return commandWith === undefined ? `add ${words.join(' ')}` : `run ${commandWith(words)}`;
}

/* The totals of two years, each with most of its spend; why they differ is another question. */
function direction(summary: FootprintSummary): FootprintStatement | undefined {
  const { suppliers: of, covered_suppliers: base, trend } = summary;
  const moved = moveOf(summary);
  if (moved === undefined) return undefined;
  const text = directionText(summary, moved);
  const { from, to, change } = moved;
  const known = {
    change_without_data: trend?.change_without_data ?? null,
    main_cause: trend?.main_cause?.cause ?? null,
  };
  return { rule: 'direction', text, base, of, from, to, change, ...known };
}

/** The last two years with emissions, if both have them for most of their spend. */
export interface Move {
  readonly from: number;
  readonly to: number;
  /** The emissions of the years. */
  readonly totals: readonly [from: number, to: number];
  readonly change: number;
}

/** Returns how the totals changed; undefined if they cannot be compared. */
export function moveOf({
  years,
  previous,
}: Pick<FootprintSummary, 'years' | 'previous'>): Move | undefined {
  const all = previous === null ? years : [previous, ...years];
  const known = all.flatMap(({ year, emissions, spend }) =>
    year === null || emissions === null ? [] : { year, emissions, spend },
  );
  const [from, to] = known.slice(-2);
  if (from === undefined || to === undefined || !(from.emissions > 0)) return undefined;
  if (!hasMostSpend(from) || !hasMostSpend(to)) return undefined;
  const totals = [from.emissions, to.emissions] as const;
  const change = (totals[1] - totals[0]) / totals[0];
  if (!Number.isFinite(change)) return undefined;
  return { from: from.year, to: to.year, totals, change };
}

/* A comparison shows the same changes. Without that of the data, a total invites to be quoted. */
function directionText(
  { trend, previous, unit, implausible_kg_per_spend: doubts }: FootprintSummary,
  { from, to, change }: Move,
  commandWith?: CommandWith,
): string {
  const chosen = previous === null ? ['--year', String(to)] : [];
  const how = byAdding(['--compare', String(from), ...chosen], commandWith);
  const when = `from ${from} to ${to}`;
  if (trend === null) {
    const size = changeSize(change);
    const moved = size === undefined ? 'did not change' : `${change > 0 ? 'rose' : 'fell'} ${size}`;
    return `Not to be quoted: emissions ${moved} ${when}, including data changes (of method, data and coverage); to see the change without them, and why, ${how}`;
  }
  const [all, without] = [change, trend.change_without_data].map(signedShare);
  const why = `${trend.main_cause === null ? 'to see why' : 'for all causes'}, ${how}`;
  const words = dataWords(trend.effects.map((effect) => ({ effect })));
  const { main_cause: main } = trend;
  const isInDoubt = Object.keys(doubts).length > 0;
  const isData = main?.cause === 'data';
  const because =
    main === null ? '' : `, mainly because ${causeWords(main)}${withWhom(trend, unit, isInDoubt)}`;
  const ofReal = isData ? '' : because;
  if (words.length === 0)
    return `${all} ${when}, none of it from data changes (of method, data or coverage)${because}; ${why}`;
  const changes = `data changes (of ${listing(words)})`;
  return all === without
    ? `${all} ${when}, with or without ${changes}${ofReal}; ${why}`
    : `${without} ${when} without ${changes}${ofReal}; use it, not the change as calculated (${all}${isData ? because : ', because what is known changed, too'}); ${why}`;
}

const maxNamed = 3;

/* Those with whom most more was spent, and what that added, unless its unit is in doubt. */
function withWhom(
  { spent_more_with: suppliers }: Pick<Trend, 'spent_more_with'>,
  unit: string | null,
  isInDoubt: boolean,
): string {
  const names = suppliers.slice(0, maxNamed).map(({ supplier, id, emissions }) => {
    const name = cut(supplier ?? `ID ${id}`, 40);
    return emissions === null || isInDoubt
      ? name
      : `${name} ${withUnit(signedCompact(emissions), unit)}`;
  });
  return names.length === 0 ? '' : ` (above all with ${listing(names)})`;
}

/**
 * Says which way the emissions moved, otherwise how to see it where a footprint of one year has no
 * direction; undefined of several years whose totals cannot be compared.
 */
export function directionAnswer(
  summary: FootprintSummary,
  commandWith?: CommandWith,
): string | undefined {
  const { years, method } = summary;
  const [{ year = null } = {}, ...others] = years;
  const isSaid = statements(summary).some(({ rule }) => rule === 'direction');
  const moved = moveOf(summary);
  if (isSaid && moved !== undefined) return directionText(summary, moved, commandWith);
  if (others.length > 0) return undefined;
  if (year === null) return 'No direction without the year of the spend: add --spend-year <year>';
  const before = (method.file_years ?? []).filter((each) => each < year).at(-1);
  if (before !== undefined)
    return `To see what changed since ${before}, ${byAdding(['--compare', String(before)], commandWith)}`;
  const saved = `${year - 1}.ndjson`;
  return `No earlier spend, so no direction: save a footprint of ${year - 1} (carbon footprint <purchases of ${year - 1}> --json > ${saved}), then ${byAdding(['--compare', saved], commandWith)}`;
}

const sensitivityWords: Readonly<Record<string, readonly [what: string, where: string]>> = {
  'service factors': ["the service's factors", 'a record has them'],
  'industry averages': ['industry averages', 'a record has one'],
  'scope 2 location-based': ['location-based scope 2', 'a record has it'],
};
/* What would be so if the user's reading of the upstream factor were wrong. */
const readingWords: Readonly<Record<string, string>> = {
  'upstream factors additive': 'did not contain scopes 1 and 2 (--upstream-factor additive)',
  'upstream factors nested': 'contained scopes 1 and 2 (--upstream-factor nested)',
};
const minSensitivity = 0.05;
const otherMethod = 'another choice of method, not an error margin';

/* The other choice of the method that changes most. */
function sensitivity(summary: FootprintSummary): FootprintStatement | undefined {
  const { suppliers: of, covered_suppliers: base, emissions_by_basis: emissions } = summary;
  const all = emissions.own + emissions.service + emissions.industry;
  const [largest] = summary.alternatives
    .map((each) => ({ ...each, change: each.emissions / all - 1 }))
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  const size = Math.abs(largest?.change ?? 0);
  if (largest === undefined || !(all > 0 && size >= minSensitivity && Number.isFinite(size)))
    return undefined;
  const { choice, change, line_items: items, replaced_emissions: before } = largest;
  const [what = '', where = ''] = sensitivityWords[choice] ?? [];
  const way = change > 0 ? 'higher' : 'lower';
  const replacedChange = (change * all) / before;
  const isKnown = Number.isFinite(replacedChange);
  const ofReplaced = { line_items: items, replaced_change: isKnown ? replacedChange : null };
  const reading = readingWords[choice];
  if (reading !== undefined) {
    const text = `If the service's upstream factors ${reading}, the total would be ${changeSize(change)} ${way}: ${otherMethod}`;
    return { rule: 'sensitivity', text, base, of, choice, change, ...ofReplaced };
  }
  // Of all items, and of some whose sum credit notes made negative, the total says enough.
  const isPart = items < summary.covered_line_items && before > 0;
  if (!(isPart && isKnown)) {
    const text = `With ${what} wherever ${where}, the emissions would be ${changeSize(change)} ${way}: ${otherMethod}`;
    return { rule: 'sensitivity', text, base, of, choice, change, ...ofReplaced };
  }
  const from = largest.replaced_bases.map((basis) => figuresOf[basis]).join(' or ');
  const isMore = choice === 'industry averages' && emissions.industry !== 0;
  const whose = `${plural(items, 'line item')} on ${from}`;
  const text = `If ${whose} used ${what}${isMore ? ', too' : ''}, the total would be ${changeSize(change)} ${way}: ${otherMethod}`;
  return { rule: 'sensitivity', text, base, of, choice, change, ...ofReplaced };
}

const figuresOf: Readonly<Record<Basis, string>> = {
  own: 'own figures',
  service: basisWords.service.all,
  industry: basisWords.industry.all,
};

function errors(summary: FootprintSummary): FootprintStatement | undefined {
  const { suppliers: left, records } = summary.left_out;
  if (left === 0) return undefined;
  const { suppliers: of } = summary;
  const names = records.map(({ supplier, id }) => supplier ?? `ID ${id}`);
  const text = `Left out: ${wrongRecords(left, names)}`;
  return { rule: 'errors', text, base: of, of, left_out: left };
}
