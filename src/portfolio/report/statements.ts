/* What a portfolio says, in at most five sentences. */
import type { Question } from '../../display/terminal/answers.ts';
import { changeSize, changeText } from '../../display/terminal/figure.ts';
import { count, listing, percentText } from '../../display/terminal/format.ts';
import {
  choose,
  companies,
  type Headline,
  isHalf,
  organizationName,
  type Statement,
  shareInWords,
  wrongRecords,
} from '../organizations/statements.ts';
import { lacking, lackingText, riseShareText } from './ask-words.ts';
import type { Population } from './population.ts';
import type { Summary } from './summary.ts';

/** What each rule answers. */
export const reportQuestions: Readonly<Record<string, Question>> = {
  trend: 'way',
  count: 'amount',
  concentration: 'who',
  targets: 'targets',
  missing: 'missing',
  errors: 'sure',
};

export type ReportStatement = Statement & Readonly<Record<string, unknown>>;

/** States what a summary means, the title first. */
export function statements(summary: Summary): readonly ReportStatement[] {
  const { organizations } = summary;
  const { both_scopes: population } = summary.emissions;
  const concentrated = population && concentration(population, organizations);
  const first = choose([
    population ? trend(population, organizations) : undefined,
    concentrated ?? undefined,
    population ? targets(population, organizations, concentrated !== undefined) : undefined,
  ]);
  const title = first.length > 0 ? first : [counts(summary)];
  return choose([...title, missing(summary), errors(summary)]);
}

function counts({ organizations, emissions }: Summary): ReportStatement {
  // Those that a sum counts once disclose emissions as well.
  const disclosing = emissions.organizations + emissions.same_match;
  const all = companies(organizations);
  const known = disclosing === organizations ? 'all' : count.format(disclosing);
  const some = disclosing === 0 ? 'none' : known;
  const text =
    organizations === 1
      ? `${all}, which discloses ${disclosing === 1 ? 'emissions' : 'no emissions'}`
      : `${all}, ${some} of them ${disclosing > 1 ? 'disclose' : 'discloses'} emissions`;
  return { rule: 'count', text, base: organizations, of: organizations, disclosing };
}

/** Returns the first statement, which is the title of a page, and of whom it is. */
export function headlineOf(summary: Summary): Headline {
  const [first] = statements(summary);
  const { both_scopes: population } = summary.emissions;
  const words = first?.rule === 'trend' && population ? trendWords(population) : undefined;
  if (words === undefined) return { says: first?.text ?? companies(summary.organizations) };
  const { says, change, from, whom, most } = words;
  return { says, of: `${changeText(change)} since ${from}: ${whom}${most}` };
}

function trend(population: NonNullable<Population>, of: number): ReportStatement | undefined {
  const words = trendWords(population);
  if (words === undefined) return undefined;
  const { says, whom, breadth, most, ...numbers } = words;
  return { rule: 'trend', text: `${says} (${whom}${breadth}${most})`, of, ...numbers };
}

function trendWords(population: NonNullable<Population>) {
  const {
    organizations: base = 0,
    rose = 0,
    fell = 0,
    years = [],
  } = population.like_for_like ?? {};
  const [before, last] = years.slice(-2);
  if (before === undefined || last === undefined || !(before.sum > 0)) return undefined;
  const change = (last.sum - before.sum) / before.sum;
  if (!Number.isFinite(change)) return undefined;
  const size = changeSize(change);
  const verb = change > 0 ? 'rose' : 'fell';
  const moved = size === undefined ? 'did not change' : `${verb} ${size}`;
  const who = base === 1 ? '1 company that discloses' : `${companies(base)} that disclose`;
  const says = `Scope 1 and 2 ${moved} since ${before.year}`;
  const { largest_rises: rises } = population;
  const few = rises !== null && rises.organizations < rose ? rises : undefined;
  const most =
    few === undefined ? '' : `; ${count.format(few.organizations)} ${riseShareText(few.share)}`;
  const whom = `the ${who} both scopes in ${listing(years.map(({ year }) => year))}`;
  const moves = { change, from: before.year, to: last.year, rose, fell };
  return {
    says,
    whom,
    breadth: breadthOf(base, rose, fell),
    most,
    base,
    ...moves,
    ...(few === undefined ? {} : { made_most: few.organizations, of_rise: few.share }),
  };
}

/** Says how many rose and fell: a few large companies may move a sum against most of the others. */
export function breadthOf(base: number, rose: number, fell: number): string {
  if (base === 1) return '';
  const numbers = { rose, fell, unchanged: base - rose - fell };
  const parts = Object.entries(numbers).flatMap(([what, number]) =>
    number === 0 ? [] : [`${number === base ? 'all' : count.format(number)} ${what}`],
  );
  return `: ${parts.join(', ')}`;
}

function concentration(
  { year, organizations: base, two_thirds: largest }: NonNullable<Population>,
  of: number,
): ReportStatement | undefined {
  if (largest === null || largest.organizations >= base || !isHalf(base, of)) return undefined;
  const { organizations: number, share } = largest;
  const make = number === 1 ? 'makes' : 'make';
  const text = `${count.format(number)} of the ${companies(base)} that disclose scope 1 and 2 for ${year} ${make} up ${shareInWords(share)} of these emissions`;
  return { rule: 'concentration', text, base, of, organizations: number, share, year };
}

/** @param isNamed whether the statement before names the companies */
function targets(
  { year, organizations, targets: all }: NonNullable<Population>,
  of: number,
  isNamed: boolean,
): ReportStatement | undefined {
  const unknown = all.find(({ status }) => status === 'unknown')?.organizations ?? 0;
  const shareOf = (wanted: string) => all.find(({ status }) => status === wanted)?.share ?? 0;
  if (all.some(({ share }) => share === null)) return undefined;
  const [set, removed] = [shareOf('set'), shareOf('removed')];
  const whose = isNamed
    ? `these ${count.format(organizations)}`
    : organizations === 1
      ? `the 1 company that discloses scope 1 and 2 for ${year}`
      : `the ${companies(organizations)} that disclose scope 1 and 2 for ${year}`;
  const others =
    removed > 0
      ? `, ${percentText(removed, 1)} from companies whose target or commitment was removed at any time`
      : '';
  const text = `${percentText(set, 1)} of the emissions of ${whose} are from companies with a validated near-term target${others}`;
  return { rule: 'targets', text, base: organizations - unknown, of, set, removed, year };
}

function missing(summary: Summary): ReportStatement | undefined {
  const { organizations: of, ask, missing: numbers } = summary;
  const { since } = numbers;
  const asks = ask
    .filter(({ why }) => lacking.includes(why))
    .toSorted((a, b) => b.organizations - a.organizations);
  if (asks.length === 0) return undefined;
  const all = asks.reduce((sum, { organizations }) => sum + organizations, 0);
  const what = `scope 1 and 2${since === null ? '' : ` for ${since} or later`}`;
  const who = `${count.format(all)} of ${companies(of)} ${all === 1 ? 'has' : 'have'}`;
  // The section of whom to ask has names and next steps.
  const text = `${who} no ${what}: ${asks.map(lackingText).join(', ')}`;
  return { rule: 'missing', text, base: of, of, ...numbers };
}

function errors(summary: Summary): ReportStatement | undefined {
  const { organizations: left, records } = summary.left_out;
  if (left === 0) return undefined;
  const { organizations: of } = summary;
  const names = records.map(organizationName);
  const text = `Left out: ${wrongRecords(left, names)}`;
  return { rule: 'errors', text, base: of, of, left_out: left };
}
