/*
 * Renders the summary as text. Each part is a section of facts, so that a pipe shows the same facts
 * as a terminal, which adds bars.
 */
import { type BarRow, renderBar, renderBars } from '../../terminal/bar.ts';
import { figure, scoreText } from '../../terminal/figure.ts';
import { percentText, plural } from '../../terminal/format.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { renderSections, type Section } from '../../terminal/section.ts';
import type { Style, Tone } from '../../terminal/style.ts';
import { scoreTone } from '../../terminal/style.ts';
import { capital, wrap } from '../../terminal/text.ts';
import type { View } from '../../terminal/view.ts';
import { gapNames, notesOf, valueLabel } from '../summary/labels.ts';
import type { Summary } from '../summary.ts';
import { commitments } from './commitments.ts';
import { emissions, largest, revenue } from './emissions.ts';

/** Renders a summary for a terminal of 40 columns or more, or as plain lines `label: value`. */
export function renderSummary(summary: Summary, view: View): string {
  const sections = [
    overview,
    scores,
    industryRanks,
    regionRanks,
    commitments,
    emissions,
    largest,
    revenue,
    gaps,
  ].map((section) => section(summary));
  return renderSections(sections, notesOf(summary), view);
}

/* Describes counts of organizations as facts, and as bars of their share. */
function countSection(
  section: Omit<Section, 'facts'>,
  rows: readonly (readonly [label: string, organizations: number, tone?: Tone])[],
  total: number,
): Section {
  const bars = (style: Style) =>
    rows.map(
      ([label, organizations, tone]): BarRow => ({
        label: capital(label),
        figures: [figure(organizations).exact, percentText(organizations, total)],
        bar: (columns) => renderBar(total > 0 ? organizations / total : 0, columns, style, tone),
      }),
    );
  return {
    ...section,
    facts: rows.map(([label, organizations]) => ({
      label: sanitize(label),
      details: [['', figure(organizations)]],
    })),
    renderTerminal: (columns, style) => renderBars(bars(style), columns, style),
  };
}

function overview({ organizations, research }: Summary): Section {
  const { finished, in_progress, errored } = research;
  const rows = [
    ['finished', finished, 'green'],
    ['in progress', in_progress, 'yellow'],
    ['errored', errored, 'red'],
  ] as const;
  const section = countSection(
    { name: 'portfolio', note: plural(organizations, 'organization') },
    rows,
    organizations,
  );
  const facts = section.facts.map((fact) => ({ ...fact, label: `research ${fact.label}` }));
  return {
    ...section,
    facts: [{ label: 'organizations', details: [['', figure(organizations)]] }, ...facts],
  };
}

function scores({ score, organizations }: Summary): Section {
  const max = Math.max(1, ...score.histogram.map((bin) => bin.organizations));
  const format = (value: number | null) => (value === null ? undefined : scoreText(value));
  const spread = [
    ['median', score.median],
    ['lower quartile', score.lower_quartile],
    ['upper quartile', score.upper_quartile],
    ['mean', score.mean],
    ['lowest', score.min],
    ['highest', score.max],
  ] as const;
  const bins = score.histogram.map((bin) => ({
    ...bin,
    label: `${bin.from * 100} to ${Math.round(bin.to * 100)}`,
  }));
  const bars = (style: Style) =>
    bins.map(
      ({ label, organizations: many, from, to }): BarRow => ({
        label,
        figures: [figure(many).exact],
        bar: (columns) => renderBar(many / max, columns, style, scoreTone((from + to) / 2)),
      }),
    );
  const spreadTexts = spread.flatMap(([label, value]) =>
    value === null ? [] : [`${label} ${format(value)}`],
  );
  return {
    name: 'score',
    note: `0 is worst, 100 is best · ${ofText(score.organizations, organizations)}`,
    prefix: 'score',
    facts:
      score.organizations === 0
        ? []
        : [
            ...spread.map(([label, value]) => ({ label, details: [['', format(value)] as const] })),
            ...bins.map((bin) => ({
              label: bin.label,
              details: [['', figure(bin.organizations)] as const],
            })),
            { label: 'organizations', details: [['', figure(score.organizations)]] },
            ...(score.out_of_range > 0
              ? [
                  {
                    label: 'not from 0 to 100',
                    details: [['', figure(score.out_of_range)] as const],
                  },
                ]
              : []),
          ],
    renderTerminal: (columns, style) => [
      ...wrap(spreadTexts.join(' · '), columns - 2).map((line) => `  ${line}`),
      ...renderBars(bars(style), columns, style),
    ],
  };
}

function ranked(
  name: string,
  { counts, missing }: Summary['industry_rank'],
  organizations: number,
): Section {
  const rows = Object.entries(counts).map(([rank, many]) => [valueLabel(rank), many] as const);
  const known = organizations - missing;
  const section = { name, prefix: name, note: ofText(known, organizations) };
  return countSection(
    section,
    known === 0 ? [] : [...rows, ['no data', missing, 'dim']],
    organizations,
  );
}

function industryRanks({ industry_rank, organizations }: Summary): Section {
  return ranked('industry rank', industry_rank, organizations);
}

function regionRanks({ region_rank, organizations }: Summary): Section {
  return ranked('region rank', region_rank, organizations);
}

function gaps({ gaps: counts, organizations }: Summary): Section {
  const rows = gapNames.map(([key, label]) => [label, counts[key], 'yellow'] as const);
  return countSection(
    { name: 'data gaps', note: `of ${plural(organizations, 'organization')}`, prefix: 'gap' },
    rows,
    organizations,
  );
}

function ofText(known: number, organizations: number): string {
  return `${figure(known).exact} of ${plural(organizations, 'organization')}`;
}
