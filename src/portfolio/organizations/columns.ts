import { isObject } from '../../client/api/ids.ts';
import type { Organization, Performance, SbtiTarget } from '../../client/api/schema.ts';
import { knownStatuses, scope3Categories } from '../../client/api/vocabulary.ts';
import type { KindName } from '../../display/query/kinds.ts';
import type { ColumnValue } from '../../display/query/query.ts';
import { figure, notReadable } from '../../display/terminal/figure.ts';
import { cut } from '../../display/terminal/format.ts';
import { spark } from '../../display/terminal/pictures.ts';
import {
  basisOf,
  bothScopes,
  fieldOf,
  figureName,
  hasReportedFigure,
  namedFigures,
  type ReportedEmissions,
  readEmissions,
  scopes,
  unreadableFigure,
} from './emissions.ts';
import { hasRealData, isSynthetic, yearsUntil } from './history.ts';
import { inWords, syntheticWords } from './in-words.ts';
import { isOfUnknown } from './matches.ts';
import {
  membersOf,
  type Path,
  type RecordColumn,
  type RecordRow,
  scoreOf,
} from './member-columns.ts';
import { targetWords } from './target-words.ts';
import { receivedTarget, targetStatuses } from './targets.ts';

export { type RecordColumn, type RecordRow, scoreOf };

const ofRecord = membersOf<Organization>(({ record }) => record);
export const ofYear = membersOf<Performance>(({ performance }) => performance);
export const ofSource = membersOf<NonNullable<RecordRow['source']>>(({ source }) => source ?? {});
const ofRegion = membersOf<Performance>(({ performance }) => performance, 'performance_');
const ofIndustry = membersOf(({ record }) => industryFactor(record), 'industry_');
const ofTarget = membersOf<SbtiTarget>(({ target }) => target, 'sbti_');

const joined = (items: readonly (string | null | undefined)[] | null | undefined) =>
  items?.filter(Boolean).join('; ');

function spaced(code: string): string {
  return code.replaceAll('_', ' ');
}

/* Marks what few readers of a workbook need. */
function detailed(...columns: readonly RecordColumn[]): readonly RecordColumn[] {
  return columns.map((column) => ({ ...column, isDetail: true }));
}

/* Without a match, an empty cell would look as if the organization disclosed nothing. */
const notMatched = 'not matched';

/* Says in a workbook that a record is of no known organization, as `isOf` tells. */
function orNotMatched(
  column: RecordColumn,
  isOf: (record: Organization) => boolean = isOfUnknown,
): RecordColumn {
  const { inWords: words } = column;
  if (words === undefined) return column;
  const value = (row: RecordRow) => (isOf(row.record) ? notMatched : words.value(row));
  return { ...column, inWords: { ...words, value } };
}

export const profileColumns: readonly RecordColumn[] = [
  ofRecord('id', 'Identifier of the organization', 'id', { title: 'ID' }),
  ofRecord('name', 'Name of the organization', 'name', { title: 'Name' }),
  orNotMatched(
    inWords(
      ofRecord('status', 'Status; research ends with `synced` or `errored` (failed)', 'status', {
        title: 'Status',
        alsoCalled: { errored: 'failed' },
      }),
      (code) => (code === 'errored' ? 'research failed' : spaced(code)),
      '`synced`, `research failed`, or `not matched` if the research found no organization; all others are in research',
      knownStatuses,
    ),
  ),
  ofRecord('hq_region', 'Country of the headquarters, ISO 3166-1 code', 'text', {
    title: 'Country',
    codesOf: 'countries',
  }),
  ...detailed(
    ofRecord('hq_subregion', 'Subdivision of the headquarters country, ISO 3166-2 code'),
    ofRecord('industry.id', 'Identifier of the industry'),
  ),
  { ...ofRecord('industry.name', 'Name of the industry'), heading: 'Industry' },
  ...detailed(
    ofRecord('industry.mean_score', 'Mean score of the industry, 0 (worst) to 100 (best)', 'score'),
  ),
  ofRecord('website', 'Website or email address'),
  ...detailed(ofRecord('external_id', 'Identifier assigned by a customer or a third party')),
  ofRecord('score', 'Score, 0 (worst) to 100 (best)', 'score', { title: 'Score' }),
  ...detailed(
    ofRecord(
      'industry_score_percentile',
      'Percentile of the score within the industry, 0 to 100',
      'percentile',
    ),
    ofRecord('industry_confidence', 'Confidence in the industry assignment'),
    ofRecord(
      'industry_rank',
      'Rank of the industry among all industries; undocumented whether high is good',
      'rank',
    ),
    ofRecord(
      'region_rank',
      'Rank of the region among all regions; undocumented whether high is good',
      'rank',
    ),
    inWords(
      ofRecord('related_environmental_report_status', 'Status of the environmental report'),
      spaced,
      'Status of the environmental report',
    ),
  ),
];

type Matching = NonNullable<Organization['matching_organization']>;
const namesOf = (named: Matching['names']) => joined(named?.map(({ value }) => value));
const tickersOf = (tickers: Matching['tickers']) =>
  joined(tickers?.map(({ exchange, symbol }) => [exchange, symbol].filter(Boolean).join(':')));

const matched = (
  path: Path<Matching>,
  what: string,
  convert?: (value: never) => ColumnValue,
): RecordColumn =>
  ofRecord(
    `matching_organization.${path}` as Path<Organization>,
    `${what} of the matched organization`,
    'text',
    convert && { convert },
  );

export const matchColumns: readonly RecordColumn[] = [
  ...detailed(matched('id', 'Identifier')),
  matched('name', 'Name'),
  ...detailed(
    matched('names', 'Other names, separated by semicolons,', namesOf),
    matched('websites', 'Websites, separated by semicolons,', namesOf),
    { ...matched('hq_region', 'Country'), codesOf: 'countries' },
    matched('hq_subregion', 'Subdivision of the country'),
    matched('industry.id', 'Identifier of the industry'),
    matched('industry.name', 'Industry'),
    matched('link', 'Page'),
    matched('tickers', 'Tickers, `exchange:symbol` separated by semicolons,', tickersOf),
  ),
  {
    name: 'sources_count',
    description: 'Number of sources',
    kind: 'count',
    value: ({ record }) => record.sources?.length,
  },
];

/* The figures that views show, by the names of their columns. */
const resolved = {
  scope_1: { key: 'scope1', title: 'Scope 1', kind: 'scope' },
  scope_2: { key: 'scope2', title: 'Scope 2', kind: 'scope' },
  scope_1_and_2: { key: undefined, title: undefined, kind: 'scope' },
  scope_3: { key: 'scope3', title: 'Scope 3', kind: 'scope_3' },
  total: { key: 'total', title: 'Total', kind: 'total' },
} as const satisfies Readonly<Record<string, Resolved>>;

interface Resolved {
  readonly key: keyof ReportedEmissions | undefined;
  readonly title: string | undefined;
  readonly kind: KindName;
}

type ResolvedName = keyof typeof resolved;

/* The figures of the last performance: the columns of a row ask for the same ones in turn. */
let last: { readonly performance: Performance; readonly figures: ReportedEmissions } | undefined;

const figureOf = ({ performance }: RecordRow, name: ResolvedName) => {
  if (last?.performance !== performance)
    last = { performance, figures: readEmissions(performance.emissions) };
  const { figures } = last;
  const { key } = resolved[name];
  return key === undefined ? bothScopes(figures) : figures[key];
};

/* What stands in the place of a figure that could not be read. */
const unreadableIn = ({ performance: { emissions } }: RecordRow, name: ResolvedName) => {
  const text = unreadableFigure(name === 'total' ? emissions : emissions?.[name]);
  return text === undefined ? undefined : notReadable(text);
};

function resolvedPair(name: ResolvedName, basis: string, what: string): RecordColumn[] {
  return [
    {
      name,
      description: `Emissions: ${what}`,
      kind: resolved[name].kind,
      value: (row) => figureOf(row, name)?.value ?? unreadableIn(row, name),
      title: resolved[name].title,
      text: (row, length) => {
        const found = figureOf(row, name);
        if (found === undefined) return unreadableIn(row, name) ?? '';
        return figure(found.value)[length] + found.mark;
      },
    },
    inWords(
      {
        name: `${name}_${basis}`,
        description: `The field that holds \`${name}\``,
        kind: 'text',
        isDetail: true,
        value: (row) => {
          const found = figureOf(row, name);
          return found && fieldOf(found);
        },
      },
      (field) => figureName(field) || 'disclosed total',
      `What \`${name}\` is: the disclosed total, a sum of parts, or by a method`,
      namedFigures,
    ),
  ];
}

/** The figures of the industry of an organization, which are of no year of its own. */
export const industryColumns = detailed(
  ofIndustry('emission_factor', 'Emission factor of the industry in its latest year', 'factor'),
  ofIndustry('emission_factor_year', 'Year of the emission factor of the industry', 'year'),
);

/** Returns whether values compare only in one currency: money, and what is divided by it. */
export function isInCurrency({ kind }: Pick<RecordColumn, 'kind'>): boolean {
  return kind === 'amount' || kind === 'factor';
}

const figures: readonly RecordColumn[] = [
  ofRegion('region', 'Region of these figures', 'text', { title: 'Region', figuresOf: 'region' }),
  {
    name: 'performance_regions',
    description:
      'Number of regions with emissions in this year; with several, another region has other figures',
    kind: 'distinct',
    isDetail: true,
    value: ({ record, performance: { year } }) =>
      record.performances?.filter(
        (each) => each.year === year && hasReportedFigure(readEmissions(each.emissions)),
      ).length,
  },
  ofYear('revenue_currency', 'Currency of revenue and factors, ISO 4217 code', 'text', {
    figuresOf: 'currency',
  }),
  ofYear('revenue', 'Revenue', 'amount'),
  ...detailed(ofYear('emission_factor', 'Emission factor', 'factor')),
  ...industryColumns,
  ...detailed(
    ofYear('scope_1_and_2_emission_factor', 'Emission factor of scopes 1 and 2', 'factor'),
    ofYear(
      'total_upstream_emission_factor',
      'Emission factor of all upstream activities',
      'factor',
    ),
  ),
  ...resolvedPair('scope_1', 'basis', 'scope 1, the total or the sum of its parts'),
  ...resolvedPair(
    'scope_2',
    'method',
    'scope 2, market-based, otherwise location-based, otherwise the total or the sum of its parts',
  ),
  ...resolvedPair(
    'scope_1_and_2',
    'method',
    'scopes 1 and 2 as one figure; if there is none, or scope 2 has a better method, their sum',
  ),
  ...resolvedPair('scope_3', 'basis', 'scope 3, the total or the sum of its categories'),
  ...resolvedPair('total', 'basis', 'all scopes, the total or the sum of the parts'),
  ...detailed(
    {
      name: 'scope_3_categories',
      description: 'Number of disclosed scope 3 categories, of 15',
      kind: 'distinct',
      value: ({ performance }) => {
        const { scope_3 } = performance.emissions ?? {};
        return scope_3
          ? scope3Categories.filter((category) => typeof scope_3[category] === 'number').length
          : undefined;
      },
    },
    ofYear('emissions.total', 'Emissions: the disclosed total', 'total'),
    ofYear('emissions.sum', 'Emissions: the sum of the disclosed parts', 'total'),
    ...(['scope_1', 'scope_2', 'scope_1_and_2', 'scope_3'] as const).flatMap((scope) =>
      scopes[scope].map((field) => {
        const subject = `${scope.replaceAll('_', ' ')}, ${figureName(field) || 'the disclosed total'}`;
        const path = `emissions.${scope}.${field}` as Path<Performance>;
        return ofYear(path, `Emissions: ${subject}`, resolved[scope].kind);
      }),
    ),
  ),
];

export const figureColumns = figures.map(
  (column): RecordColumn =>
    industryColumns.includes(column) ? column : { ...column, isOfYear: true },
);

/** The columns that draw scopes 1 and 2 on a terminal: three years, and the size of the latest. */
export const yearsColumn: RecordColumn = {
  name: 'years',
  description: '',
  kind: 'text',
  value: ({ record, performance }) => {
    const years = yearsUntil(record, performance, 3).map(
      (each) => each && bothScopes(readEmissions(each.emissions))?.value,
    );
    return years.filter((value) => value !== undefined).length > 1 ? spark(years) : undefined;
  },
  title: '3 years',
  picture: 'spark',
  leavesFirst: 6,
};
export const barColumn: RecordColumn = {
  name: 'bar',
  description: '',
  kind: 'scope',
  value: (row) => figureOf(row, 'scope_1_and_2')?.value,
  title: '',
  heading: 'bars of scope 1 + 2',
  picture: 'bar',
  leavesFirst: 7,
};

/** The columns that explain the figures in a pipe, where a terminal has marks and a note. */
export const noteColumns: readonly RecordColumn[] = [
  {
    name: 'basis',
    description:
      'Which scope figures are not disclosed totals, and what they are, such as `scope_2 market-based`',
    kind: 'text',
    value: (row) =>
      (['scope_1', 'scope_2', 'scope_3', 'total'] as const)
        .flatMap((name) => {
          const found = figureOf(row, name);
          return found?.mark ? `${name} ${basisOf(found)}` : [];
        })
        .join(', ') || undefined,
  },
];

/**
 * The mark of a list, which is known when all records are read: `ListErrors` of the report sets it.
 */
export const errorColumn: RecordColumn = {
  name: 'check',
  description: 'First error of `carbon check` in the record; empty if there is none',
  kind: 'error',
  value: () => undefined,
  title: 'Check',
};

/** The last column of every table; a pipe shows the word instead of the value. */
export const syntheticColumn: RecordColumn = {
  name: 'synthetic',
  description: 'Whether this is synthetic data of the sandbox; empty if not',
  kind: 'synthetic',
  value: ({ record }) => isSynthetic(record) || undefined,
  inWords: syntheticWords(
    ({ record }) => isSynthetic(record),
    ({ record }) => hasRealData(record),
  ),
};

/* A service may send any text. */
const maxStatusWidth = 60;

/* The specification does not show the form of these items. */
function industryFactor({ industry }: Organization) {
  let latest: number | undefined;
  let factor: number | undefined;
  for (const item of industry?.performances ?? []) {
    if (!isObject(item)) continue;
    const { emission_factor, year } = item;
    if (typeof emission_factor !== 'number' || typeof year !== 'number') continue;
    if (latest === undefined || year > latest) [latest, factor] = [year, emission_factor];
  }
  return { emission_factor: factor, emission_factor_year: latest };
}

type Initiatives = NonNullable<Organization['un']>['initiatives'];
const initiativesOf = (initiatives: Initiatives) =>
  joined(initiatives?.map(({ name, slug }) => name ?? slug));

/* No calculation uses these values, so that a text needs no mark. */
const asSent = { convert: (value: ColumnValue) => value };

/** When the service looked an organization up, which is no change of the organization. */
export const lookupColumns = {
  cdp: ofRecord('cdp.last_retrieved_at', 'Date when the service retrieved the CDP data', 'date'),
  sbti: ofRecord('sbti.last_retrieved_at', 'Date when the service retrieved the SBTi data', 'date'),
  un: ofRecord(
    'un.last_retrieved_at',
    'Date when the service retrieved the United Nations data',
    'date',
  ),
};

export const commitmentColumns: readonly RecordColumn[] = [
  {
    ...ofRecord('cdp.is_listed', 'Whether CDP lists the organization', 'flag'),
    heading: 'Listed by CDP',
  },
  ...detailed(
    ofRecord('cdp.url', 'CDP page of the organization'),
    lookupColumns.cdp,
    lookupColumns.sbti,
    ofTarget('created_at', 'Date of the SBTi target record, the latest of `sbti.data`', 'date'),
    ofTarget('retrieved_at', 'Date when the service retrieved that record', 'date'),
    ofTarget(
      'near_term.has_target',
      'Whether there is a near-term target; `false` if SBTi has no target record, empty without data',
      'flag',
    ),
  ),
  orNotMatched(
    inWords(
      {
        name: 'sbti_near_term_target_status',
        heading: 'Near-term target',
        description:
          'Near-term target: set, committed, removed, none, with_target (without a status), or the text as received; empty without data',
        kind: 'text',
        value: ({ record }) => receivedTarget(record),
        values: targetStatuses,
        alsoCalled: Object.fromEntries(
          targetStatuses.map((status) => [status, targetWords(status).short]),
        ),
        text({ record }) {
          const status = receivedTarget(record);
          if (status === undefined) return isOfUnknown(record) ? notMatched : '';
          return cut(targetWords(status).short, maxStatusWidth);
        },
      },
      (code) => targetWords(code).name,
      'Near-term target, or the text as received; empty without data. CSV has codes, such as `set` for a validated target; --where takes both',
    ),
    (record) => receivedTarget(record) === undefined && isOfUnknown(record),
  ),
  ...detailed(
    ofTarget(
      'long_term.has_target',
      'Whether there is a long-term target; `false` and empty as for the near-term target',
      'flag',
    ),
    ofTarget('long_term.target', 'Long-term target'),
    ofTarget('long_term.year', 'Year of the long-term target', 'year', asSent),
    ofTarget(
      'net_zero.has_target',
      'Whether there is a net-zero target; `false` and empty as for the near-term target',
      'flag',
    ),
    ofTarget('net_zero.target_year', 'Year of the net-zero target', 'year', asSent),
    ofTarget(
      'business_ambition_1_5.has_target',
      'Whether the organization joined the Business Ambition for 1.5 °C; `false` and empty as for the near-term target',
      'flag',
    ),
    ofTarget(
      'business_ambition_1_5.joined_at',
      'Date when the organization joined the Business Ambition for 1.5 °C',
      'date',
    ),
  ),
  ofTarget('target_detail', 'Description of the targets', 'note'),
  ...detailed(
    ofRecord('un.initiatives', 'United Nations initiatives, separated by semicolons', 'text', {
      convert: initiativesOf,
    }),
    ofRecord('un.url', 'United Nations page of the organization'),
    lookupColumns.un,
    ofRecord('climate_pledge.signed', 'Whether the organization signed the Climate Pledge', 'flag'),
    ofRecord(
      'climate_pledge.signed_at',
      'Date when the organization signed the Climate Pledge',
      'date',
    ),
    ofRecord('climate_pledge.link', 'Climate Pledge page of the organization'),
  ),
];
