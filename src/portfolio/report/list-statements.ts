/* What a list says of its organizations. */
import { count, plural } from '../../display/terminal/format.ts';
import {
  companies,
  type FigureYearCounts,
  otherYears,
  type Statement,
  wrongRecords,
} from '../organizations/statements.ts';
import type { Identified } from './doubts.ts';

/** The numbers behind the statements of a list. */
export interface ListCounts {
  readonly organizations: number;
  /** Organizations with emissions. */
  readonly disclosing: number;
  /** Rows of the table, which `met` of them meet the conditions; null without conditions. */
  readonly rows: number;
  readonly met: number | null;
  readonly noun: 'organization' | 'row';
  /** How many rows are shown if they are not all. */
  readonly shown: number | null;
  /** Whether the user chose the order. */
  readonly isSorted: boolean;
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

/** A statement with the number that it is about. */
export type ListStatement = Statement & Readonly<Record<string, string | number>>;

/** States what a list has, and what its sums leave out. */
export function listStatements(counts: ListCounts): readonly ListStatement[] {
  const { organizations, rows, met, noun, shown, regions, repeated, wrong } = counts;
  const all = { base: organizations, of: organizations };
  const ofRows = { base: rows, of: rows };
  const said: ListStatement[] = [met === null ? countAll(counts) : countMatching(met, rows, noun)];
  if (shown !== null) {
    const all = met ?? rows;
    const of = met === null && noun === 'row' ? counted(all, noun) : count.format(all);
    const order = counts.isSorted ? '' : ', in the order of the list';
    const text = `First ${count.format(shown)} of ${of}${order}`;
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
    const names = wrong.map(({ name, id }) => name ?? String(id ?? 'no name'));
    const named = wrongRecords(wrong.length, names);
    const text = counts.isGrouped ? `Left out: ${named}` : named;
    const key = counts.isGrouped ? 'left_out' : 'wrong';
    said.push({ rule: 'errors', text, ...all, [key]: wrong.length });
  }
  return said;
}

function counted(number: number, noun: ListCounts['noun']): string {
  return noun === 'row' ? plural(number, noun) : companies(number);
}

function countAll({ organizations, disclosing }: ListCounts): ListStatement {
  const known = disclosing === 0 ? 'none' : count.format(disclosing);
  const some = disclosing === organizations ? 'all' : known;
  const text =
    organizations === 1
      ? `1 company ${disclosing === 1 ? 'with' : 'without'} emissions`
      : `${companies(organizations)}, ${some} of them with emissions`;
  return { rule: 'count', text, base: organizations, of: organizations, disclosing };
}

function countMatching(met: number, rows: number, noun: ListCounts['noun']): ListStatement {
  const some = met === 0 ? 'None' : count.format(met);
  const text = `${some} of ${counted(rows, noun)} ${met <= 1 ? 'meets' : 'meet'} the conditions`;
  return { rule: 'count', text, base: rows, of: rows, matching: met };
}
