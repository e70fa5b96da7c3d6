/* The answers that every view of a footprint begins with: its statements, and what follows. */
import type { Question } from '../../../display/terminal/answers.ts';
import { amountInWords } from '../../../display/terminal/figure.ts';
import { andMore, count, listing, percentText, plural } from '../../../display/terminal/format.ts';
import { ifReal, quotingLimit, unitState } from '../../organizations/quoting.ts';
import { namedLargest, withUnit } from '../../organizations/statements.ts';
import { totalOf } from '../../organizations/sum.ts';
import { basisWords } from '../basis-words.ts';
import { groupBy, unknownCurrency } from '../entries.ts';
import { splitStep } from '../missing-figures.ts';
import {
  type CommandWith,
  directionAnswer,
  doubtOfUnit,
  footprintAnswers,
  headlineOf,
} from '../statements.ts';
import type { FootprintSummary, TargetStatus } from '../totals.ts';
import {
  askBuyers,
  asksOfAverages,
  averagesHints,
  industryNote,
  lookupDaysText,
  settingText,
  shareText,
  supplierName,
  unitNote,
  unitSteps,
} from './words.ts';

export interface FootprintAnswer {
  /** The rule of a statement. */
  readonly rule?: string;
  readonly question?: Question | undefined;
  readonly text: string;
  readonly isDetail?: boolean;
}

/**
 * Answers the questions of a reader, the title first.
 * @param commandWith by default, a text names the options to add
 * @param hasTitle whether the first statement is a title, which answers none
 */
export function answersOf(
  summary: FootprintSummary,
  commandWith?: CommandWith,
  hasTitle = true,
): readonly FootprintAnswer[] {
  const title = headlineOf(summary).says;
  const said = footprintAnswers(summary, hasTitle).map(
    ({ rule, question, text }): FootprintAnswer => {
      if (question === undefined) return { rule, question, text: title };
      if (rule === 'coverage')
        return { rule, question, text: `${withAmount(text, summary)}${restOf(summary)}` };
      if (rule === 'origin') return { rule, question, text: ifReal(summary.synthetic > 0, text) };
      if (rule === 'sensitivity') return { rule, question, text, isDetail: true };
      const isWho = rule === 'concentration';
      return { rule, question, text: isWho ? `${text}: ${largestInWords(summary)}` : text };
    },
  );
  const [first, others] = [said.slice(0, 1), said.slice(1)];
  const setting = hasAmount(summary) ? settingText(summary) : undefined;
  const unit = unitState(summary.unit, unitNote(summary) !== undefined);
  const limit = quotingLimit(summary.synthetic > 0, hasAmount(summary) ? unit : 'known');
  const direction = directionAnswer(summary, commandWith);
  // Shares of what is known of the smaller part say nothing about the whole.
  const isMost = said[0]?.rule === 'total' || others.some(({ rule }) => rule === 'coverage');
  const targets = isMost ? targetsText(summary) : undefined;
  return [
    ...first,
    ...(limit === undefined ? [] : [{ question: 'sure', text: limit } as const]),
    ...others.filter(({ rule }) => rule !== 'direction'),
    ...(setting === undefined ? [] : [{ question: 'sure', text: setting } as const]),
    ...(direction === undefined ? [] : [{ question: 'way', text: direction } as const]),
    ...(targets === undefined ? [] : [{ question: 'targets', text: targets } as const]),
    ...firstSteps(summary).map((text) => ({ question: 'steps', text }) as const),
  ];
}

function hasAmount({ years }: FootprintSummary): boolean {
  return years.some(({ emissions }) => emissions !== null);
}

/** Says that spend without emissions is unknown, not free of them; empty without any. */
export function restOf({
  line_items: all,
  covered_line_items: covered,
}: Pick<FootprintSummary, 'line_items' | 'covered_line_items'>): string {
  return covered < all ? '; the rest is left out, not 0' : '';
}

/* Puts the amount of one year before whom it is from; several are in the title. */
function withAmount(text: string, summary: FootprintSummary): string {
  const { years, unit } = summary;
  const [only, ...others] = years;
  if (only?.emissions == null || others.length > 0) return text;
  const amount = withUnit(amountInWords(only.emissions), unit);
  return `${amount}${doubtOfUnit(summary)}, ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function largestInWords({ largest, two_thirds: most }: FootprintSummary): string {
  const number = most?.suppliers ?? 0;
  const named = largest.slice(0, Math.min(namedLargest, number));
  // Why the largest one is not asked for figures, for example.
  const names = named.map(({ share, basis, ...each }) => {
    const known =
      basis === 'own' ? ['its own figures'] : basis === null ? [] : [basisWords[basis].one];
    const parts = [shareText(share), ...known];
    return `${supplierName(each)} (${parts.join(', ')})`;
  });
  return andMore(names.join(', '), number - named.length);
}

/** Says how much is from suppliers with a validated target, and of when that is. */
export function targetsText(summary: FootprintSummary): string | undefined {
  const { sbti_coverage: coverage } = summary;
  const days = lookupDaysText(coverage);
  const isKnown = coverage.targets.some(({ status }) => status !== 'unknown');
  if (coverage.by_emissions === null || !(isKnown || days !== undefined)) return undefined;
  const isAll = summary.covered_line_items === summary.line_items;
  const emissions = isAll ? 'the emissions you buy' : 'these emissions';
  const text = `${shareText(coverage.by_emissions)} of ${emissions} are from suppliers with a validated target`;
  return days === undefined ? text : `${text} (${days})`;
}

/** Number of asks among the first steps. */
export const firstAsks = 2;

/*
 * What to do first: what may make all figures wrong, then what most of the change is from, then
 * what stands for most of the emissions. A check of the industry comes before a letter to a
 * supplier that only its average makes large.
 */
function firstSteps(summary: FootprintSummary): readonly string[] {
  const industries = industryNote(summary);
  const steps = [
    ...unitSteps(summary),
    ...buyersStep(summary),
    ...(industries === undefined ? [] : [industries]),
    ...averagesHints(summary).slice(0, firstAsks),
    ...largestStep(summary),
  ];
  return [...steps, ...gapsStep(summary, steps.length === 0 ? 'The' : 'Then the')];
}

function buyersStep({ trend }: FootprintSummary): readonly string[] {
  if (trend?.main_cause?.spent !== 'more') return [];
  return [askBuyers(trend.spent_more_with, ` than in ${trend.from}`)];
}

const askedOfTarget: Readonly<Partial<Record<string, string>>> = {
  set: 'how it is meeting its validated target',
  committed: 'when SBTi validates its target',
  removed: 'why SBTi removed its target or commitment, and for a new target',
  none: 'for a near-term target',
} satisfies Partial<Record<TargetStatus, string>>;

/* The largest one needs no better figures if it has its own, so that no other step names it. */
function largestStep({ largest: [first] }: FootprintSummary): readonly string[] {
  const ask = askedOfTarget[first?.sbti_near_term ?? ''];
  if (first?.basis !== 'own' || ask === undefined) return [];
  const known = [shareText(first.share), 'the largest'].join(', ');
  return [`Ask ${supplierName(first)} (${known}) ${ask}`];
}

/* What to do about suppliers without emissions, who are no part of any share above. */
function gapsStep(summary: FootprintSummary, start: string): readonly string[] {
  const { suppliers, covered_suppliers: covered, uncovered_suppliers: all } = summary;
  if (covered >= suppliers) return [];
  const steps = groupBy(all, ({ next_step: step }) => step);
  const todo = [...steps].map(([step, some]) => {
    const number = totalOf(some.map((each) => each.suppliers.length));
    const { what } = splitStep(step);
    return steps.size === 1 ? what : `${what} (${count.format(number)})`;
  });
  const missing = suppliers - covered;
  const who = missing === 1 ? 'supplier' : plural(missing, 'supplier');
  const [unmatched] = asksOfAverages(summary).filter(({ isUnmatched }) => isUnmatched);
  const also =
    unmatched === undefined
      ? ''
      : `. Match ${plural(unmatched.suppliers, 'supplier')} on averages, too${unmatched.share === null ? '' : ` (${percentText(unmatched.share, 1)} of the emissions)`}`;
  return [
    `${start} ${who} with unknown emissions${missingShares(summary)}: ${todo.join('; ')}${also}`,
  ];
}

function missingShares({ spend }: FootprintSummary): string {
  const parts = Object.entries(spend).flatMap(([code, { total, covered }]) => {
    if (!(total > 0 && covered < total)) return [];
    const share = percentText(total - covered, total);
    return [`${share} of the ${code === unknownCurrency ? '' : `${code} `}spend`];
  });
  return parts.length === 0 ? '' : ` (${listing(parts)})`;
}

/** Lists what to ask after the first steps. */
export function laterAsks(summary: FootprintSummary): readonly string[] {
  return averagesHints(summary).slice(firstAsks);
}
