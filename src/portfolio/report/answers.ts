/* What a report answers, in sentences: its statements, and what a reader can do first. */
import { type Answering, asAnswers } from '../../display/terminal/answers.ts';
import { amountInWords, changeText, numberFormats } from '../../display/terminal/figure.ts';
import { andMore, count, cut, listing, naming, plural } from '../../display/terminal/format.ts';
import { capital } from '../../display/terminal/text.ts';
import {
  askNamed,
  companies,
  companiesOf,
  isHalf,
  namedLargest,
  organizationName,
  unitStep,
  withUnit,
} from '../organizations/statements.ts';
import { askedText, groupText, reasonOf, riseOf } from './ask-words.ts';
import type { Ask, AskReason } from './asks.ts';
import type { ReportDocument } from './document.ts';
import { breadthOf, headlineOf, type ReportStatement, reportQuestions } from './statements.ts';
import { modeledNote, reportCertainty, scaleNotes } from './tables.ts';

/** A sentence of a report; that of a statement has its rule. */
export interface ReportAnswer extends Answering {
  readonly rule: string;
  readonly text: string;
}

/** Returns the sentences of a report with the questions that they answer. */
export function reportAnswers(
  document: ReportDocument,
  lists: ReportedLists = {},
): readonly ReportAnswer[] {
  const { says, of } = headlineOf(document);
  const [, ...others] = asAnswers(document.statements, reportQuestions);
  const title = document.statements[0]?.rule ?? 'count';
  return [
    { rule: title, text: of === undefined ? says : `${says}${ofWhom(document)}` },
    ...amount(document),
    ...(of === undefined
      ? []
      : [
          {
            rule: 'population',
            question: 'way',
            text: `${capital(of)}${ofRise(document)}${ofTwoYears(document)}`,
          } as const,
        ]),
    ...reportCertainty(document).map(
      (text) =>
        ({
          rule: 'certainty',
          question: 'sure',
          text,
          isDetail: text === modeledNote && document.synthetic > 0,
        }) as const,
    ),
    ...others.map((each) => ({ ...each, text: `${each.text}${largestNames(each, document)}` })),
    ...steps(document, lists).map((text) => ({ rule: 'step', question: 'steps', text }) as const),
  ];
}

/** What a report knows of the lists that its records are of, if they are of lists. */
export interface ReportedLists {
  /** The name of the only one. */
  readonly list?: string | undefined;
  /** The command that lists what `carbon check` finds. */
  readonly check?: string | undefined;
  /** How many rows have no record, so that no number of the report counts them. */
  readonly missingRows?: number | undefined;
}

/** Says how many companies a report is on, and how many rows are none of them. */
export function companiesOfReport(
  { organizations }: Pick<ReportDocument, 'organizations'>,
  { missingRows: rows = 0 }: ReportedLists,
): string {
  const besides = rows === 0 ? '' : `, besides ${plural(rows, 'row')} without a record`;
  return `${companies(organizations)}${besides}`;
}

/**
 * Answers what is missing besides figures: rows without a record. A terminal warns of them instead.
 */
export function missingAnswers(
  { organizations }: Pick<ReportDocument, 'organizations'>,
  texts: readonly string[] = [],
) {
  const which = organizations === 1 ? 'the company' : `the ${companies(organizations)}`;
  return texts.map((text) => {
    const said = `Besides ${which}, ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
    return { question: 'missing', text: said } as const;
  });
}

/*
 * A title may stand alone, so that it says of how many companies the total is, and how many moved
 * the other way.
 */
function ofWhom({ emissions: { both_scopes: both }, organizations: all }: ReportDocument): string {
  const { organizations: some = 0, rose = 0, fell = 0 } = both?.like_for_like ?? {};
  // There is nothing to add if each of them did what all did together.
  if (some === 0 || (some === all && (rose === all || fell === all))) return '';
  return ` (total of ${companiesOf(some, all)}${breadthOf(some, rose, fell)})`;
}

/* The names of those who made most of the rise, which the words before say. */
function ofRise({ ask, statements: [title] }: ReportDocument): string {
  const number = Number(title?.['made_most'] ?? 0);
  if (number === 0) return '';
  const all = ask.filter(({ why }) => why === 'rose' || why === 'grew');
  const names = all
    .flatMap(({ first }) => first)
    .slice(0, namedLargest)
    .map(organizationName);
  return names.length === 0 ? '' : ` (${naming(names, namedLargest, number)})`;
}

/*
 * The change of all that disclose both scopes in its two years, where the earlier one of three
 * leaves some out: their sums stand in the table of years.
 */
function ofTwoYears({ emissions: { both_scopes: both, changes } }: ReportDocument): string {
  const { years = [], organizations = 0 } = both?.like_for_like ?? {};
  if (years.length < 3) return '';
  const [from, to] = years.slice(-2).map(({ year }) => year);
  const all = changes.find((each) => each.from === from && each.to === to);
  const { like_for_like: change = null, organizations: number = 0 } = all ?? {};
  if (change === null || number <= organizations) return '';
  const more = number - organizations;
  const who = more === 1 ? 'one more that discloses' : `${count.format(more)} more that disclose`;
  return `; with the ${who} both in ${from} and ${to} only, ${changeText(change)}`;
}

/* The sum, of whom it is, and that it is not of what the reader buys. */
function amount({ emissions, organizations }: ReportDocument): readonly ReportAnswer[] {
  const { both_scopes: population, unit } = emissions;
  if (population === null || population.sum === null) return [];
  const { year, sum, organizations: number } = population;
  // As with every statement: a sum of few says little.
  if (!isHalf(number, organizations)) return [];
  const whom = organizations === 1 ? 'of the company' : `of ${companiesOf(number, organizations)}`;
  const text = `${withUnit(amountInWords(sum), unit)} in ${year}: scope 1 and 2 ${whom}, as a whole, not of what you buy from them`;
  return [{ rule: 'amount', question: 'amount', text }];
}

const namedGroups = 3;

/* Who makes up most of the emissions, with their shares. */
function largestNames(
  { rule, organizations }: ReportStatement,
  { largest_emitters: largest }: ReportDocument,
): string {
  if (rule !== 'concentration') return '';
  const all = largest.slice(0, Number(organizations));
  const names = all.slice(0, namedLargest).flatMap((each) => {
    const { share } = each;
    return share === null ? [] : `${cut(organizationName(each), 40)} ${numberFormats.share(share)}`;
  });
  const rest = Number(organizations) - names.length;
  if (names.length === 0) return '';
  return `: ${rest > 0 ? andMore(names.join(', '), rest) : listing(names)}`;
}

/* What a reader can do alone comes first: then there may be more to know, or others to ask. */
function steps(document: ReportDocument, lists: ReportedLists): readonly string[] {
  return [...unitSteps(document), ...askSteps(document, lists)];
}

function unitSteps(document: ReportDocument): readonly string[] {
  if (scaleNotes(document).length === 0) return [];
  const { emissions, largest_emitters: largest } = document;
  const [first] = largest;
  const example = first && { name: organizationName(first), id: first.id };
  return [unitStep(emissions.unit, example)];
}

function askSteps(
  { ask, organizations: all }: ReportDocument,
  { list, missingRows = 0 }: ReportedLists,
): readonly string[] {
  if (ask.length === 0) return [];
  const toMatch = ask.find(({ why }) => why === 'unmatched');
  const rest = ask.filter((each) => each !== toMatch);
  // All that made the rise of the title, whatever there is to ask them.
  const rises = rest.filter(({ rise }) => rise !== null);
  const named = rises.length > 0 ? rises : rest.slice(0, 1);
  return [
    ...(toMatch === undefined ? [] : [matchStep(toMatch, all, missingRows)]),
    // Only of a list is there a whole command.
    ...(list === undefined
      ? []
      : [
          `Before you write to anyone, see what you buy from these companies: run carbon footprint <your purchases> --records ${list}`,
        ]),
    ...named.map(askStepOf),
    ...othersStep(rest.filter((each) => !named.includes(each))),
  ];
}

/* How many more there are to ask, so that nobody takes the first ones for all. */
function othersStep(asks: readonly Ask[]): readonly string[] {
  const groups = asks.toSorted((a, b) => b.organizations - a.organizations);
  const number = groups.reduce((sum, { organizations }) => sum + organizations, 0);
  if (number === 0) return [];
  const named = groups.slice(0, namedGroups);
  const rest = named.reduce((left, { organizations }) => left - organizations, number);
  const words = named.map((each) => `${count.format(each.organizations)} ${groupText(each)}`);
  const which = rest > 0 ? andMore(words.join(', '), rest) : listing(words);
  const others = plural(number, 'other');
  const [only] = groups.length === 1 ? groups : [];
  return [
    `Then ${others}${only === undefined ? ` (Whom to ask): ${which}` : ` ${groupText(only)}`}`,
  ];
}

/*
 * Rows without a record need the same correction: a reader could take these for them, so that one
 * step names both.
 */
function matchStep(
  { organizations, first, next_step: step }: Ask,
  all: number,
  missingRows: number,
): string {
  const names = first.map((each) => cut(organizationName(each), 40));
  const isAll = names.length === organizations;
  const who = isAll
    ? listing(names)
    : `${companies(organizations)} (${naming(names, namedLargest, organizations)})`;
  if (missingRows === 0) return `Match ${who}: ${step}`;
  const rows = missingRows === 1 ? 'the row' : `the ${plural(missingRows, 'row')}`;
  const among =
    all === 1 ? '' : `, ${organizations === 1 ? 'one of' : 'all among'} the ${companies(all)},`;
  return `Match ${who}${among} and ${rows} without a record: ${step}`;
}

/* Reasons that are verbs, and need to say whose. */
const verbs: readonly AskReason[] = ['rose', 'grew', 'no_emissions', 'old', 'incomplete'];

/* Names whom to ask before why. */
function askStepOf(ask: Ask): string {
  const { why, organizations, next_step: step, first } = ask;
  const names = first.map((each) => {
    const rise = riseOf(each).trimStart();
    return `${cut(organizationName(each), 40)}${rise === '' ? '' : ` (${rise})`}`;
  });
  const rest = organizations - names.length;
  const who = rest > 0 ? andMore(names.join(', '), rest) : listing(names);
  const request = askNamed(step, who);
  if (request === undefined) return `${capital(step)}: ${askedText(ask)}`;
  const subject = organizations === 1 ? 'it' : 'they';
  return `${request}: ${verbs.includes(why) ? `${subject} ` : ''}${reasonOf(ask)}`;
}
