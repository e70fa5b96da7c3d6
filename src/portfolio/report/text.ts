/* Renders the summary as text: the most important figures on one screen, or all of them. */
import { count, plural } from '../../display/terminal/format.ts';
import { openingSection } from '../../display/terminal/opening.ts';
import {
  type Detail,
  type Fact,
  renderSections,
  type Section,
  tableSection,
} from '../../display/terminal/section.ts';
import type { View } from '../../display/terminal/style.ts';
import { companies, unitInWords } from '../organizations/statements.ts';
import { datesByName, datesInWords } from '../records/dates.ts';
import type { ReportDocument } from './document.ts';
import type { Commitment, Summary } from './summary.ts';
import {
  changeTable,
  commitmentNames,
  emissionsNotes,
  findingTable,
  gapNames,
  largestTable,
  notesOf,
  partsOf,
  scoreSpread,
  targetTable,
  yearSumTable,
} from './tables.ts';

const shownYears = 3;
const shownEmitters = 5;

/**
 * Renders a summary for a terminal of 40 columns or more, or as plain lines `label: value`.
 * @param isFull whether to show every figure instead of one screen
 */
export function renderSummary(
  summary: ReportDocument,
  view: View,
  isFull = false,
): Promise<string> {
  const [years, largest] = [yearSumTable(summary), largestTable(summary)];
  if (!isFull)
    return renderSections(
      [
        opening(summary, ['more: --full']),
        portfolio(summary, isFull, !view.terminal),
        tableSection({ ...years, rows: years.rows.slice(0, shownYears) }),
        tableSection({ ...largest, rows: largest.rows.slice(0, shownEmitters) }),
      ],
      notesOf(summary),
      view,
    );
  return renderSections(
    [
      opening(summary),
      portfolio(summary, isFull),
      commitments(summary),
      tableSection(years),
      tableSection(changeTable(summary)),
      tableSection(largest),
      tableSection(targetTable(summary)),
      tableSection(findingTable(summary)),
    ],
    [...notesOf(summary), ...emissionsNotes(summary.emissions)],
    view,
  );
}

function opening(summary: ReportDocument, more: readonly string[] = []): Section {
  const { organizations, statements, emissions } = summary;
  const { unit } = emissions;
  const [first = '', ...dates] = datesInWords(summary);
  return openingSection({
    about: [companies(organizations), first, ...dates, unitInWords(unit), ...more],
    statements,
    facts: [...datesByName(summary), ['unit', unit ?? 'unknown (add --unit)']],
  });
}

function portfolio(summary: Summary, isFull: boolean, hasGaps = isFull): Section {
  const { organizations, research, score, gaps, checks } = summary;
  const { finished, in_progress, errored } = research;
  const facts: Fact[] = [
    {
      label: 'organizations',
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
        organizationsDetail(score.organizations),
        tallied('not from 0 to 100', score.out_of_range),
      ],
    },
    ...(isFull ? [] : [commitmentFact(summary, 'sbti_near_term')]),
    // On one screen, a statement counts those without emissions.
    ...(hasGaps ? [gapFact(gaps)] : []),
    {
      label: 'carbon check',
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

/* A number of organizations or findings: 93 finished, in a pipe finished 93. */
function tallied(
  name: string,
  number: number,
  rounded = `${count.format(number)} ${name}`,
): Detail {
  return number === 0 ? [name, undefined] : ['', { plain: `${name} ${number}`, rounded }];
}

function organizationsDetail(number: number): Detail {
  return tallied('organizations', number, plural(number, 'organization'));
}

function commitmentFact({ commitments: tallies }: Summary, key: Commitment): Fact {
  return {
    label: commitmentNames.find(([name]) => name === key)?.[1] ?? key,
    details: partsOf(tallies[key]).map((part) => tallied(part.value, part.organizations)),
  };
}

function commitments(summary: Summary): Section {
  return {
    name: 'commitments',
    note: `of ${plural(summary.organizations, 'organization')}`,
    facts: commitmentNames.map(([key]) => commitmentFact(summary, key)),
  };
}
