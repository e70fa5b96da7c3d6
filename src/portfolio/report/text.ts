/* Renders the summary as text: the most important figures, or all of them. */

import { figure, numberFormats } from '../../display/terminal/figure.ts';
import { count, plural } from '../../display/terminal/format.ts';
import { openingSection } from '../../display/terminal/opening.ts';
import { bar, spark } from '../../display/terminal/pictures.ts';
import { notesSection, readingSection } from '../../display/terminal/reading.ts';
import {
  type Detail,
  type Fact,
  renderPlainSections,
  renderSections,
  type Screen,
  type Section,
  screenOf,
  tableSection,
} from '../../display/terminal/section.ts';
import type { View } from '../../display/terminal/style.ts';
import { companies, shortAmountsInWords, unitOrUnknown } from '../organizations/statements.ts';
import { targetWords } from '../organizations/target-words.ts';
import { datesByName, datesInWords } from '../records/dates.ts';
import { companiesOfReport, type ReportedLists, reportAnswers } from './answers.ts';
import { askSentence, askTable } from './ask-words.ts';
import type { ReportDocument } from './document.ts';
import type { Commitment, Summary } from './summary.ts';
import {
  changeTable,
  commitmentNames,
  emissionsNotes,
  emissionsReading,
  findingTable,
  gapNames,
  largestTable,
  lookupsText,
  notesOf,
  partialNote,
  partsOf,
  scaleNotes,
  scoreSpread,
  syntheticCompanies,
  targetTable,
  yearSumTable,
} from './tables.ts';

const shownYears = 3;
const shownEmitters = 5;

/**
 * Renders a summary as lines `label: value` for a pipe.
 * @param isFull whether to show every figure
 */
export function renderPlainSummary(
  summary: ReportDocument,
  isFull = false,
  lists: ReportedLists = {},
): string {
  const notes = notesOf(summary, lists.check);
  if (isFull)
    return renderPlainSections(everySection(summary, lists), [
      ...notes,
      ...emissionsNotes(summary.emissions),
    ]);
  const [first, ...others] = fewSections(summary, lists);
  return renderPlainSections([first, portfolio(summary, false), ...others], notes);
}

/**
 * Renders a summary for a terminal of 40 columns or more.
 * @param isFull whether to show every figure
 */
export async function renderSummary(
  summary: ReportDocument,
  view: View,
  isFull = false,
  lists: ReportedLists = {},
): Promise<Screen> {
  // The first lines mark synthetic figures, and say when SBTi was looked up.
  const synthetic = syntheticCompanies(summary);
  const said = [synthetic, lookupsBelow(summary), ...scaleNotes(summary)];
  const notes = notesOf(summary, lists.check).filter((note) => !said.includes(note));
  if (isFull) {
    const { emissions } = summary;
    const all = [...notes, ...[partialNote(emissions) ?? []].flat()];
    const sections = [...everySection(summary, lists), notesSection(all)];
    const how = readingSection(emissionsReading(emissions));
    return screenOf(await renderSections([...sections, how], [], view), undefined, view);
  }
  const more = 'For everyone to ask, scores, commitments, gaps and more years, add --full';
  const sections = fewSections(summary, lists, 'terminal');
  return screenOf(await renderSections(sections, notes, view), more, view);
}

function fewSections(
  summary: ReportDocument,
  lists: ReportedLists,
  on?: 'terminal',
): [Section, ...Section[]] {
  const [years, all] = [yearSumTable(summary), largestTable(summary)];
  // The note of the table says of which year it is.
  const columns = all.columns.filter(({ name }) => on === undefined || name !== 'year');
  const largest = { ...all, columns };
  return [
    opening(summary, lists),
    tableSection({ ...years, rows: years.rows.slice(0, shownYears) }),
    tableSection({ ...largest, rows: largest.rows.slice(0, shownEmitters) }),
    ...(on === 'terminal' ? [] : [asked(summary)]),
  ];
}

/* A pipe has everyone to ask; a terminal has room for the first ones. */
function asked({ ask }: ReportDocument): Section {
  const facts = ask.map((each): Fact => ({ label: 'ask', details: [['', askSentence(each)]] }));
  return { name: 'whom to ask', hasTitle: false, facts };
}

function everySection(summary: ReportDocument, lists: ReportedLists): Section[] {
  return [
    opening(summary, lists, true),
    portfolio(summary, true),
    commitments(summary),
    tableSection(yearSumTable(summary)),
    tableSection(changeTable(summary)),
    tableSection(askTable(summary)),
    tableSection(largestTable(summary)),
    tableSection(targetTable(summary)),
    tableSection(findingTable(summary)),
  ];
}

function opening(summary: ReportDocument, lists: ReportedLists, isFull = false): Section {
  const { unit } = summary.emissions;
  const [first = '', ...dates] = datesInWords(summary);
  return openingSection({
    about: [companiesOfReport(summary, lists), first, ...dates, shortAmountsInWords(unit)],
    mark: syntheticCompanies(summary),
    alert: scaleNotes(summary)[0],
    statements: reportAnswers(summary, lists).map((each) => ({
      ...each,
      parts: partsOfStatement(each.rule, summary),
    })),
    facts: [...datesByName(summary), ['unit', unitOrUnknown(unit)]],
    isFull,
  });
}

/* When SBTi was looked up, if a statement about targets has it below. */
function lookupsBelow({ statements, emissions: { both_scopes: both } }: ReportDocument) {
  const isSaid = statements.some(({ rule }) => rule === 'targets');
  return both !== null && isSaid ? lookupsText(both) : undefined;
}

const barColumns = 20;
/* The statement says how much these are. */
const saidTargets: readonly string[] = ['set', 'removed'];

/* Returns the figures behind a statement; the table of the largest follows. */
function partsOfStatement(rule: string, summary: ReportDocument) {
  const { emissions } = summary;
  const { like_for_like: compared, targets = [] } = emissions.both_scopes ?? {};
  const all: Record<string, (hasPictures: boolean) => readonly string[]> = {
    trend: (hasPictures) => {
      const sums = compared?.years.map(({ sum }) => sum) ?? [];
      const texts = (compared?.years ?? [])
        .map(({ year, sum }) => `${year} ${figure(sum).compact}`)
        .join(' → ');
      const unit = emissions.unit ?? '';
      const { organizations = 0 } = compared ?? {};
      const isPart = organizations < (emissions.both_scopes?.organizations ?? 0);
      const whose = isPart ? `the same ${companies(organizations)}: ` : '';
      const line = `${whose}${texts} ${unit} ${hasPictures ? spark(sums) : ''}`;
      return [line.replace(/ +/g, ' ').trim()];
    },
    targets: (hasPictures) => [
      ...(targets.every(({ status }) => saidTargets.includes(status))
        ? []
        : targets.map(({ status, share }) =>
            partText(targetWords(status).short, share, hasPictures),
          )),
      ...[lookupsBelow(summary) ?? []].flat(),
    ],
  };
  return all[rule];
}

function partText(name: string, share: number | null, hasPicture: boolean) {
  const picture = hasPicture ? bar(share ?? 0, barColumns) : '';
  return `${name} ${numberFormats.share(share ?? 0)} ${picture}`.trimEnd();
}

function portfolio(summary: Summary, isFull: boolean): Section {
  const { organizations, research, score, gaps, checks } = summary;
  const { finished, in_progress, errored } = research;
  const facts: Fact[] = [
    {
      label: 'companies',
      details: [
        ['', organizations],
        tallied('finished', finished),
        tallied('in progress', in_progress),
        tallied('failed', errored),
      ],
    },
    {
      label: 'score',
      details: [
        ...(score.organizations === 0 ? [] : scoreSpread(summary).slice(0, isFull ? undefined : 2)),
        companiesDetail(score.organizations),
        tallied('not from 0 to 100', score.out_of_range),
      ],
    },
    ...(isFull ? [] : [commitmentFact(summary, 'sbti_near_term')]),
    gapFact(gaps),
    {
      label: 'carbon check of figures',
      details: (['error', 'warning', 'notice'] as const).map((severity) =>
        tallied(`${severity}s`, checks[severity], plural(checks[severity], severity)),
      ),
    },
  ];
  return { name: 'portfolio', hasTitle: isFull, facts };
}

function gapFact(gaps: Summary['gaps']): Fact {
  const details = gapNames.map(([key, name]) =>
    tallied(name, gaps[key], `${count.format(gaps[key])} with ${name}`),
  );
  return { label: 'gaps', details };
}

/* A number of companies or findings: 93 finished, in a pipe finished 93. */
function tallied(
  name: string,
  number: number,
  rounded = `${count.format(number)} ${name}`,
): Detail {
  return number === 0 ? [name, undefined] : ['', { plain: `${name} ${number}`, rounded }];
}

function companiesDetail(number: number): Detail {
  return tallied('companies', number, companies(number));
}

function commitmentFact({ commitments: tallies }: Summary, key: Commitment): Fact {
  return {
    label: commitmentNames.find(([name]) => name === key)?.[1] ?? key,
    details: partsOf(key, tallies[key]).map(({ value, name, organizations: number }) =>
      tallied(value, number, `${count.format(number)} ${name}`),
    ),
  };
}

function commitments(summary: Summary): Section {
  return {
    name: 'commitments',
    note: `of ${companies(summary.organizations)}`,
    facts: commitmentNames.map(([key]) => commitmentFact(summary, key)),
  };
}
