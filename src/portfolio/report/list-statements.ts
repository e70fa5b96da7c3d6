/* What a list says of its organizations. */
import { asAnswers } from '../../display/terminal/answers.ts';
import { count, naming, plural } from '../../display/terminal/format.ts';
import {
  companies,
  type FigureYearCounts,
  isHalf,
  organizationName,
  otherYears,
  type Statement,
  shareInWords,
  wrongRecords,
} from '../organizations/statements.ts';
import type { Identified } from './doubts.ts';

/** Why an organization has no emissions. */
export type Silence = keyof typeof silences;

const silences = {
  none: 'none in the record',
  failed: 'failed research',
  unmatched: 'not matched',
  in_progress: 'in research',
} as const;

/** The numbers behind the statements of a list. */
export interface ListCounts {
  /** With conditions, the organizations that meet them; so are the following numbers. */
  readonly organizations: number;
  /** Organizations with emissions. */
  readonly disclosing: number;
  /** Why the others have none. */
  readonly silent: Readonly<Record<Silence, number>>;
  /** Organizations with a validated near-term target, and those of which none is known. */
  readonly validated: number;
  readonly unknownTargets: number;
  /**
   * Those that emit two thirds of scopes 1 and 2, of the `base` whose rows have both for the year
   * of most rows, with the names of all; undefined if it is not known which figures are wrong.
   */
  readonly largest: LargestEmitters | undefined;
  /** The rows that meet the conditions by what a column has; undefined if that says nothing. */
  readonly split:
    | { readonly of: string; readonly parts: readonly (readonly [value: string, rows: number])[] }
    | undefined;
  /** Rows of the table, which `met` of them meet the conditions; null without conditions. */
  readonly rows: number;
  readonly met: number | null;
  readonly noun: 'organization' | 'row';
  /** How many rows are shown if they are not all. */
  readonly shown: number | null;
  /** The conditions in words. */
  readonly conditions: readonly string[];
  /** Whether a condition is about targets, so that their number says nothing new. */
  readonly isOfTargets: boolean;
  /** By what the user sorted them, and which come first; undefined in the order of the list. */
  readonly order: { readonly by: string; readonly first: string | undefined } | undefined;
  /** Rows of other regions of a year, of which one counts. */
  readonly regions: number;
  /** Rows whose matched organization has a newer record. */
  readonly repeated: number;
  /** The organizations with an error, and whether groups leave out their figures. */
  readonly wrong: readonly Pick<Identified, 'id' | 'name'>[];
  readonly isGrouped: boolean;
  /** The years of the emissions in the rows that are shown, if they are of several. */
  readonly figureYears: FigureYearCounts | undefined;
  /** The first and the last of the years that sums add up, if they differ. */
  readonly years: readonly number[];
}

interface LargestEmitters {
  readonly count: number;
  readonly share: number;
  readonly base: number;
  readonly year: number;
  /** The largest first. */
  readonly names: readonly string[];
}

/** A statement with the number that it is about. */
export type ListStatement = Statement & Readonly<Record<string, string | number>>;

/** States what a list has, and what its sums leave out. */
export function listStatements(counts: ListCounts): readonly ListStatement[] {
  const { organizations, rows, met, noun, shown, regions, repeated, wrong } = counts;
  const all = { base: organizations, of: organizations };
  const ofRows = { base: rows, of: rows };
  const said: ListStatement[] =
    met === null
      ? [largestEmitters(counts) ?? [], countAll(counts)].flat()
      : [countMatching(met, counts), ofMatching(met, counts)].flat();
  said.push(...missingOf(counts));
  if (shown !== null) {
    const all = met ?? rows;
    const of = met === null && noun === 'row' ? counted(all, noun) : count.format(all);
    const text = shownText(count.format(shown), of, counts.order);
    said.push({ rule: 'shown', text, ...ofRows, shown });
  }
  if (counts.figureYears !== undefined) {
    const { year, others, from, to } = counts.figureYears;
    const text = `Figures are of ${year}, those of ${companies(others)} of ${otherYears(counts.figureYears)}`;
    said.push({ rule: 'figure_years', text, ...ofRows, year, others, from, to });
  }
  if (regions > 0) {
    const text = `One region counts for each company and year: ${plural(regions, 'row')} of other regions left out`;
    said.push({ rule: 'regions', text, ...ofRows, left_out: regions });
  }
  if (repeated > 0) {
    const text = `The sums leave out ${counted(repeated, noun)} whose matched organization has a newer record here`;
    said.push({ rule: 'same_match', text, ...ofRows, left_out: repeated });
  }
  const [first, last] = [counts.years[0] ?? 0, counts.years.at(-1) ?? 0];
  if (first !== last) {
    const text = `The sums add up figures of ${first} to ${last}: for one year, use --years --where year=${last}`;
    said.push({ rule: 'years', text, ...all, from: first, to: last });
  }
  if (wrong.length > 0) {
    const names = wrong.map(organizationName);
    const named = wrongRecords(wrong.length, names);
    const text = counts.isGrouped ? `Left out: ${named}` : named;
    const key = counts.isGrouped ? 'left_out' : 'wrong';
    said.push({ rule: 'errors', text, ...all, [key]: wrong.length });
  }
  return said;
}

function shownText(shown: string, of: string, order: ListCounts['order']): string {
  if (order === undefined) return `First ${shown} of ${of}, in the order of the list`;
  const { by, first } = order;
  return first === undefined
    ? `First ${shown} of ${of}, by ${by}`
    : `The ${shown} ${first} of ${of} by ${by}`;
}

function counted(number: number, noun: ListCounts['noun']): string {
  return noun === 'row' ? plural(number, noun) : companies(number);
}

/*
 * As in every statement, a base of less than half of the whole says nothing.
 * @param whole of how many: those that a reader looks for among emitters
 * @param whose " their" for those that meet conditions
 */
function largestEmitters(
  { largest, organizations }: ListCounts,
  whole = organizations,
  whose = '',
): ListStatement | undefined {
  if (largest === undefined || largest.count >= largest.base) return undefined;
  const { count: number, share, base, year, names } = largest;
  if (!isHalf(base, whole)) return undefined;
  const who = naming(names.slice(0, number), number > 3 ? 2 : 3);
  const makes = number === 1 ? 'makes' : 'make';
  const text = `${who} ${makes} up ${shareInWords(share)} of${whose} scope 1 + 2 of ${year} (of ${companies(base)} that disclose both)`;
  const numbers = { base, of: whole, organizations: number, share, year };
  return { rule: 'concentration', text, ...numbers };
}

function countAll(counts: ListCounts): ListStatement {
  const { organizations, disclosing, validated, unknownTargets, noun, isGrouped } = counts;
  const numbers = { base: organizations, of: organizations, disclosing };
  const known = disclosing === 0 ? 'none' : count.format(disclosing);
  const some = disclosing === organizations ? 'all' : known;
  if (organizations === 1) {
    const text = `1 company ${disclosing === 1 ? 'with' : 'without'} emissions`;
    return { rule: 'count', text, ...numbers };
  }
  const all = companies(organizations);
  if (noun === 'row' || isGrouped || unknownTargets === organizations)
    return { rule: 'count', text: `${all}, ${some} of them with emissions`, ...numbers };
  const who = validated === organizations ? `All ${all}` : `${someOf(validated)} of ${all}`;
  const text = `${who} ${targetText(counts)}`;
  return { rule: 'count', text, ...numbers, validated, unknown: unknownTargets };
}

function someOf(number: number): string {
  return number === 0 ? 'None' : count.format(number);
}

function targetText({ validated, unknownTargets }: ListCounts): string {
  const unknown = unknownTargets > 0 ? ` (${count.format(unknownTargets)} unknown)` : '';
  return `${validated > 1 ? 'have' : 'has'} a validated near-term target${unknown}`;
}

/* Who has no emissions, and why; rows and groups have numbers of their own. */
function missingOf({
  organizations,
  disclosing,
  silent,
  noun,
  isGrouped,
}: ListCounts): readonly ListStatement[] {
  const without = organizations - disclosing;
  if (without === 0 || organizations < 2 || noun === 'row' || isGrouped) return [];
  const why = (Object.entries(silences) as [Silence, string][])
    .filter(([key]) => silent[key] > 0)
    .map(([key, words]) => [silent[key], words] as const)
    .sort(([a], [b]) => b - a);
  const [[, only = ''] = [], other] = why;
  const reasons =
    other === undefined
      ? only === silences.none
        ? ' in the record'
        : ` (${only})`
      : `: ${why.map(([number, words]) => `${count.format(number)} ${words}`).join(', ')}`;
  const who =
    without === organizations
      ? `All ${companies(organizations)}`
      : `${count.format(without)} of ${companies(organizations)}`;
  const text = `${who} ${without === 1 ? 'has' : 'have'} no emissions${reasons}`;
  return [{ rule: 'missing', text, base: organizations, of: organizations, without }];
}

/* What those that meet conditions have in common: of one company, its row says it. */
function ofMatching(met: number, counts: ListCounts): readonly ListStatement[] {
  const { organizations, disclosing, validated, unknownTargets, noun, isGrouped } = counts;
  if (met < 2 || noun === 'row' || isGrouped) return [];
  const isSaid = !counts.isOfTargets && unknownTargets < organizations;
  const who =
    validated === organizations
      ? 'All'
      : `${someOf(validated)} of these ${count.format(organizations)}`;
  const text = `${who} ${targetText(counts)}`;
  const numbers = { base: organizations, of: organizations, disclosing, validated };
  const largest = largestEmitters(counts, disclosing, ' their');
  return [
    ...(largest ? [largest] : []),
    ...(isSaid ? [{ rule: 'matching', text, ...numbers }] : []),
  ];
}

function countMatching(met: number, { rows, noun, split, conditions }: ListCounts): ListStatement {
  const some = someOf(met);
  // A tool may search for names.
  const what = conditions.length === 0 ? 'the search' : conditions.join(' and ');
  const parts = split?.parts.map(([value, number]) => `${count.format(number)} ${value}`);
  const by = parts && parts.length <= maxParts ? ` (${split?.of}: ${parts.join(', ')})` : '';
  const text = `${some} of ${counted(rows, noun)} ${met <= 1 ? 'meets' : 'meet'} ${what}${by}`;
  return { rule: 'count', text, base: rows, of: rows, matching: met };
}

const maxParts = 8;

/* What each statement answers; the others, such as which rows are shown, are of the title. */
const questions = {
  concentration: 'who',
  count: 'targets',
  matching: 'targets',
  missing: 'missing',
  figure_years: 'sure',
  regions: 'sure',
  same_match: 'sure',
  years: 'sure',
  errors: 'sure',
} as const;

/** Gives the statements of a list their questions; the first one is the title. */
export function listAnswers(said: readonly ListStatement[]) {
  return asAnswers(said, questions);
}
