/*
 * One record for people: sections with bars and tables on a terminal, otherwise at most 60 lines
 * `label: value` for grep. One line names all missing data.
 */
import type { Organization } from '../../api/schema.ts';
import { nearTermTarget, targetsByDate } from '../../organizations/targets.ts';
import { percentile, scoreInColumn, scoreText } from '../../terminal/figure.ts';
import { dateText, regionName } from '../../terminal/format.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import {
  type Detail,
  type Fact,
  factLines,
  isKnown,
  joinBlocks,
  missing,
  plainLines,
  type Section,
  sectionLines,
} from '../../terminal/section.ts';
import {
  describeStatus,
  layoutColumns,
  type RecordView,
  scoreTone,
  syntheticNote,
  type Tone,
} from '../../terminal/style.ts';
import { wrap, wrapList } from '../../terminal/text.ts';
import { emissions, performance } from './organization-figures.ts';

/** The fields of section 2 of the specification that only `--json` shows, with the reason. */
export const notShown: readonly { readonly field: string; readonly reason: string }[] = [
  {
    field: 'industry.performances',
    reason: 'the specification does not show the shape of its items',
  },
  {
    field: 'performances.production_emission_factors',
    reason: 'the specification does not show its shape',
  },
  { field: 'performances.documents', reason: 'the specification does not show its shape' },
];

/* Longer lines are hard to read on any terminal. */
const maxColumns = 100;

/**
 * Renders a record. The text ends with a line break.
 * @param record as `readRecord` returns it; its text may be unsafe
 */
export function renderOrganization(record: Organization, view: RecordView): string {
  const head = identity(record, view.synthetic);
  const sections = [score, emissions, performance, commitments, matchedOrganization, sources].map(
    (describe) => describe(record),
  );
  const lines = view.terminal
    ? terminalLines(head, sections, view)
    : pipeLines([head, ...sections], view.style);
  return `${lines.join('\n')}\n`;
}

function pipeLines(sections: readonly Section[], { dim }: RecordView['style']): string[] {
  const gaps = sections.flatMap(missing);
  const lines = [
    ...sections.flatMap(plainLines),
    ...(gaps.length > 0 ? [`no data: ${gaps.join(', ')}`] : []),
  ];
  return lines.map((line) => line.replace(/^[^:]*:/, (label) => dim(label)));
}

function terminalLines(head: Section, sections: readonly Section[], view: RecordView): string[] {
  const columns = layoutColumns(view, maxColumns);
  const withHiddenGaps = [head, ...sections].filter(
    (section) => !(section.showsGaps && isKnown(section)),
  );
  const gaps = withHiddenGaps.flatMap(missing).map((gap) => ['', gap] as const);
  return joinBlocks([
    head.renderTerminal?.(columns, view.style) ?? [],
    ...sections.map((section) => sectionLines(section, columns, view.style)),
    factLines([{ label: 'no data', details: gaps, tone: 'dim' }], columns, view.style),
  ]);
}

function fact(
  label: string,
  first: Detail[1],
  others: Readonly<Record<string, Detail[1]>> = {},
  look: Omit<Fact, 'label' | 'details'> = {},
): Fact {
  return { label, details: [['', first], ...Object.entries(others)], ...look };
}

type Flag = boolean | null | undefined;

function flagFact(
  label: string,
  flag: Flag,
  [yes, no]: readonly [string, string],
  others: Readonly<Record<string, Detail[1]>>,
): Fact {
  const text = typeof flag === 'boolean' ? (flag ? yes : no) : undefined;
  return fact(label, text, others, { tick: flag });
}

function identity(record: Organization, synthetic: boolean): Section {
  const { name, industry } = record;
  const status = describeStatus(record.status);
  const titleFacts = [
    fact('name', name),
    fact('status', status.word),
    fact('research', status.research),
    fact('figures', synthetic ? syntheticNote() : undefined, {}, { minor: true }),
  ];
  const otherFacts = [
    fact('id', record.id),
    fact('headquarters', regionName(record.hq_region), { subregion: record.hq_subregion }),
    fact('industry', industry?.name, { id: industry?.id, confidence: record.industry_confidence }),
    fact('website', record.website),
    fact('external ID', record.external_id),
  ];
  return {
    name: 'organization',
    facts: [...titleFacts, ...otherFacts],
    renderTerminal: (columns, style) => {
      const title = sanitize(name ?? '').trim();
      const rows = factLines(otherFacts, columns, style);
      const state = [`${status.glyph} ${sanitize(status.word)}`, `research ${status.research}`];
      return [
        ...wrap(title || 'no name', columns).map(title ? style.bold : style.dim),
        ...wrapList(state, columns).map(style[status.tone]),
        ...(synthetic ? wrap(syntheticNote(), columns).map(style.yellow) : []),
        ...(rows.length > 0 ? ['', ...rows] : []),
      ];
    },
  };
}

/* The score and the mean score of the industry, from 0 to 100, and the ranks. */
function score(record: Organization): Section {
  const share = record.industry_score_percentile;
  const industryRank = words(record.industry_rank);
  return {
    name: 'score',
    note: '0 is worst, 100 is best',
    facts: [
      scored('score', record.score, scoreTone(record.score)),
      scored('industry mean', record.industry?.mean_score, 'dim'),
      fact('percentile', typeof share === 'number' ? percentile(share) : undefined),
      // The rank is that of the industry, not that of the organization in it.
      fact(
        'industry rank',
        industryRank && {
          plain: industryRank,
          rounded: `${industryRank} (rank of the industry among all industries)`,
        },
      ),
      fact('region rank', words(record.region_rank)),
    ],
  };
}

function scored(label: string, value: number | null | undefined, tone: Tone): Fact {
  if (typeof value !== 'number') return fact(label, undefined);
  const bar = value >= 0 && value <= 1 ? { share: value, tone } : undefined;
  const plain = scoreText(value);
  return fact(label, { plain, rounded: bar ? scoreInColumn(value) : plain }, {}, { bar });
}

function words(text: string | null | undefined): string | undefined {
  return text?.replaceAll('_', ' ');
}

function commitments(record: Organization): Section {
  const { cdp, un, climate_pledge: pledge } = record;
  const initiatives = un?.initiatives
    ?.map(({ name, slug }) => (name && slug ? `${name} (${slug})` : (name ?? slug ?? '')))
    .join(', ');
  return {
    name: 'reporting and commitments',
    facts: [
      {
        label: 'environment',
        details: [['report', words(record.related_environmental_report_status)]],
      },
      flagFact('CDP', cdp?.is_listed, ['listed', 'not listed'], {
        'as of': dateText(cdp?.last_retrieved_at),
        page: cdp?.url,
      }),
      ...scienceBasedTargets(record),
      fact('UN initiatives', un?.initiatives?.length === 0 ? 'none' : initiatives, {
        'as of': dateText(un?.last_retrieved_at),
        page: un?.url,
      }),
      flagFact('Climate Pledge', pledge?.signed, ['signed', 'not signed'], {
        since: dateText(pledge?.signed_at),
        page: pledge?.link,
      }),
    ],
  };
}

const hasTarget = ['has a target', 'has no target'] as const;
const ambitionText = 'Business Ambition for 1.5 °C';

/* Describes the latest target record and counts the older ones. */
function scienceBasedTargets(record: Organization): Fact[] {
  const asOf = { 'as of': dateText(record.sbti?.last_retrieved_at) };
  const [target, ...older] = targetsByDate(record);
  if (target === undefined)
    return [fact('SBTi', record.sbti?.data ? 'no target records' : undefined, asOf)];
  const { near_term, long_term, net_zero, business_ambition_1_5: ambition } = target;
  return [
    flagFact('SBTi near term', near_term?.has_target, hasTarget, {
      status: nearTermTarget(record),
    }),
    flagFact('SBTi long term', long_term?.has_target, hasTarget, {
      target: long_term?.target,
      year: long_term?.year,
    }),
    flagFact('SBTi net zero', net_zero?.has_target, hasTarget, { year: net_zero?.target_year }),
    flagFact('SBTi 1.5 °C', ambition?.has_target, [ambitionText, `not in ${ambitionText}`], {
      joined: dateText(ambition?.joined_at),
    }),
    fact('SBTi detail', target.target_detail, {}, { minor: true }),
    {
      label: 'SBTi record',
      details: Object.entries({
        created: dateText(target.created_at),
        retrieved: dateText(target.retrieved_at),
        ...asOf,
        'older records': older.length || undefined,
      }),
      minor: true,
    },
  ];
}

/* The organization of the reference data that the service matched the record with. */
function matchedOrganization(record: Organization): Section {
  const matched = record.matching_organization ?? {};
  const values = (list: typeof matched.names) =>
    list?.flatMap(({ value }) => value || []).join(' · ');
  const tickers = matched.tickers
    ?.map(({ exchange, symbol }) => [exchange, symbol].filter(Boolean).join(': '))
    .join(' · ');
  const { id, industry } = matched;
  const minor = { minor: true };
  return {
    name: 'matched organization',
    prefix: 'matched',
    facts: [
      fact('name', matched.name, { id }),
      fact('other names', values(matched.names), {}, minor),
      fact('websites', values(matched.websites), {}, minor),
      fact(
        'headquarters',
        regionName(matched.hq_region),
        { subregion: matched.hq_subregion },
        minor,
      ),
      fact('industry', industry?.name, { id: industry?.id }, minor),
      fact('tickers', tickers, {}, minor),
      fact('link', matched.link, {}, minor),
    ],
  };
}

const maxSources = 6;

function sources(record: Organization): Section {
  const all = (record.sources ?? []).map(({ url, mirror_url: mirror }, index) =>
    fact(String(index + 1), url, { mirror }),
  );
  const others = all.length - maxSources;
  const rest = others > 0 ? [fact('more', `${others}, only with --json`)] : [];
  const facts = [...all.slice(0, maxSources), ...rest];
  return {
    name: 'sources',
    prefix: 'source',
    facts,
    renderTerminal: (columns, style) => factLines(facts, columns, style, 4),
  };
}
