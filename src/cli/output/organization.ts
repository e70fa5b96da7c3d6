/*
 * One record for people: sections with bars and tables on a terminal, otherwise at most 60 lines
 * `label: value` for grep. The view adds nothing up.
 */
import type { Organization, Performance, SbtiTarget, Shown } from '../../client/api/schema.ts';
import { type KindName, kindOf } from '../../display/query/kinds.ts';
import type { Column } from '../../display/query/query.ts';
import { renderFrame } from '../../display/terminal/columns.ts';
import {
  type Figure,
  figure,
  money,
  notReadable,
  percentile,
  scoreText,
} from '../../display/terminal/figure.ts';
import { dateText } from '../../display/terminal/format.ts';
import { regionName } from '../../display/terminal/region-name.ts';
import { sanitize } from '../../display/terminal/sanitize.ts';
import {
  type Detail,
  type Fact,
  factLines,
  indent,
  joinBlocks,
  numberWidth,
  plainLines,
  type Section,
  sectionLines,
  text,
  titleLines,
} from '../../display/terminal/section.ts';
import { layoutColumns, type RecordView, type Style } from '../../display/terminal/style.ts';
import { capital, truncate } from '../../display/terminal/text.ts';
import {
  basisOf,
  figureName,
  isUnreadable,
  readEmissions,
  scopes,
  unreadableFigure,
} from '../../portfolio/organizations/emissions.ts';
import { latestPerformance, performancesByYear } from '../../portfolio/organizations/history.ts';
import {
  type RecordColumn,
  type RecordRow,
  shownColumns,
} from '../../portfolio/organizations/member-columns.ts';
import { withUnit } from '../../portfolio/organizations/statements.ts';
import { targetWords } from '../../portfolio/organizations/target-words.ts';
import {
  nearTermTarget,
  targetStatuses,
  targetsByDate,
} from '../../portfolio/organizations/targets.ts';
import { type OpeningView, openingFacts, openingLines } from './record-opening.ts';
import { tableLines } from './table.ts';

const maxColumns = 100;

/** Renders a record for a terminal. */
export function renderOrganization(record: Organization, view: RecordView): string {
  const { style } = view;
  const [head, ...sections] = sectionsOf(record, view);
  const columns = layoutColumns(view, maxColumns);
  const blocks = [
    head.renderTerminal?.(columns, style, renderFrame) ?? [],
    ...sections.map((section) => sectionLines(section, { columns, style, frame: renderFrame })),
  ];
  return `${joinBlocks(blocks).join('\n')}\n`;
}

/** Renders a record as lines `label: value` for a pipe. */
export function renderPlainOrganization(record: Organization, view: OpeningView): string {
  const lines = sectionsOf(record, view).flatMap(plainLines);
  return lines.map((line) => `${line}\n`).join('');
}

function sectionsOf(record: Organization, facts: OpeningView): [Section, ...Section[]] {
  const { unit = null } = facts;
  const describe = [performance, commitments, matchedOrganization, sources];
  return [
    identity(record, facts),
    score(record),
    emissions(record, unit),
    ...describe.map((section) => section(record)),
  ];
}

function fact(
  label: string,
  first: Detail[1],
  others: Readonly<Record<string, Detail[1]>> = {},
): Fact {
  return { label, details: [['', first], ...Object.entries(others)] };
}

function flagFact(
  label: string,
  flag: boolean | string | null | undefined,
  [yes, no]: readonly [yes: Detail[1], no: Detail[1]],
  others: Readonly<Record<string, Detail[1]>>,
): Fact {
  if (typeof flag === 'string') return fact(label, flag, others);
  const text = typeof flag === 'boolean' ? (flag ? yes : no) : undefined;
  return { ...fact(label, text, others), tick: flag };
}

/* The facts of the fields that the schema declares for a section. */
function shownFacts(section: Shown['section'], record: Organization): Fact[] {
  const row = { record, performance: {}, target: {} };
  return shownColumns
    .filter((each) => each.section === section)
    .map(({ label, column }) => shownFact(label, column, row));
}

/* A number of years or an ID has no separators. */
function numberOf(kind: KindName, value: number) {
  return kindOf(kind).written === 'plain' ? value : figure(value);
}

function shownFact(label: string, column: RecordColumn, row: RecordRow): Fact {
  const value = column.value(row) ?? undefined;
  if (typeof value === 'number') return fact(label, numberOf(column.kind, value));
  if (typeof value === 'boolean') return flagFact(label, value, ['yes', 'no'], {});
  const { type } = kindOf(column.kind);
  return fact(
    label,
    type === 'date'
      ? dateText(value)
      : type === 'rank' && value !== undefined
        ? rankOf(value)
        : value,
  );
}

function rankOf(value: string): Detail[1] {
  return { plain: words(value) ?? '', rounded: rankText(value) };
}

/* Section 2.1 does not say what a rank is of. */
function rankText(rank: string | null | undefined, among = ''): string {
  const doubt = rank === 'unknown' ? '' : ' (undocumented whether high is good)';
  return `${words(rank) ?? ''}${among}${doubt}`;
}

function identity(record: Organization, view: OpeningView): Section {
  const { industry } = record;
  const otherFacts = [
    fact('id', record.id),
    fact('headquarters', regionName(record.hq_region), { subregion: record.hq_subregion }),
    fact('industry', industry?.name, { id: industry?.id, confidence: record.industry_confidence }),
    ...shownFacts('organization', record),
  ];
  return {
    name: 'organization',
    facts: [...openingFacts(record, view).map(([label, text]) => fact(label, text)), ...otherFacts],
    renderTerminal: (columns, style) => {
      const rows = factLines(otherFacts, columns, style);
      return [
        ...openingLines(record, { ...view, columns, style }),
        ...(rows.length > 0 ? ['', ...rows] : []),
      ];
    },
  };
}

function score(record: Organization): Section {
  const share = record.industry_score_percentile;
  const industryRank = words(record.industry_rank);
  return {
    name: 'score',
    note: '0 is worst, 100 is best',
    facts: [
      fact('score', scoreOf(record.score)),
      fact('industry mean', scoreOf(record.industry?.mean_score)),
      fact('percentile', typeof share === 'number' ? percentile(share) : undefined),
      // The rank is that of the industry, not that of the organization in it (section 2.1).
      fact(
        'industry rank',
        industryRank && {
          plain: industryRank,
          rounded: rankText(record.industry_rank, ' among all industries'),
        },
      ),
      ...shownFacts('score', record),
    ],
  };
}

function scoreOf(value: number | null | undefined): string | undefined {
  return typeof value === 'number' ? scoreText(value) : undefined;
}

function words(text: string | null | undefined): string | undefined {
  return text?.replaceAll('_', ' ');
}

interface Year {
  readonly label: string;
  readonly performance: Performance;
}

function labelYears(record: Organization): { years: Year[]; region: string | undefined } {
  const all = performancesByYear(record);
  const regionOf = ({ region }: Performance) =>
    truncate(sanitize(regionName(region) ?? '').trim(), 24);
  const [region, other] = new Set(all.map(regionOf));
  const years = all.map((each) => {
    const own = other === undefined ? '' : regionOf(each);
    return { performance: each, label: [each.year ?? 'no year', own].filter(Boolean).join(' ') };
  });
  return { years, region: other === undefined ? region : undefined };
}

/* Columns of years have the text of a terminal, and the value of a pipe. */
function yearTable(
  years: readonly Year[],
  columns: readonly Column<Year>[],
  available: number,
  style: Style,
): string[] {
  const layout = { available: available - 2, style, isUsual: true };
  return tableLines([yearColumn, ...columns], years, layout).map(indent);
}

const yearColumn = text<Year>('years', 'Year', ({ label }) => label);

const maxYears = 6;

function yearFacts(years: readonly Year[], columns: readonly Column<Year>[]): Fact[] {
  const facts = years.slice(0, maxYears).map((year): Fact => {
    const details = columns.map(({ name, value }): Detail => [name, value(year) as string]);
    return { label: year.label, details };
  });
  const others = years.length - maxYears;
  const rest = fact('earlier years', `${others} more (see carbon get --full)`);
  return others > 0 ? [...facts, rest] : facts;
}

const scopeTitles = [
  ['scope1', 'Scope 1', 'scope_1', 'scope'],
  ['scope2', 'Scope 2', 'scope_2', 'scope'],
  ['scope1And2', 'Scope 1+2', 'scope_1_and_2', 'scope'],
  ['scope3', 'Scope 3', 'scope_3', 'scope_3'],
  ['total', 'Total', undefined, 'total'],
] as const;

function scopeColumns(unit: string | null): Column<Year>[] {
  return scopeTitles.map(([key, title, scope, kind]): Column<Year> => {
    const read = ({ performance: year }: Year) => readEmissions(year.emissions)[key];
    const unreadable = ({ performance: { emissions: all } }: Year) => {
      const value = unreadableFigure(scope === undefined ? all : all?.[scope]);
      return value === undefined ? undefined : notReadable(value);
    };
    return {
      name: title.toLowerCase(),
      title,
      description: '',
      kind,
      value(year) {
        const found = read(year);
        if (!found) return unreadable(year);
        return `${emissionsOf(found.value, unit).plain} ${basisOf(found)}`;
      },
      text(year) {
        const found = read(year);
        return found ? figure(found.value).rounded + found.mark : (unreadable(year) ?? '');
      },
    };
  });
}

/* A pipe has the unit after each amount, a terminal once in the title. */
function emissionsOf(value: number, unit: string | null): Pick<Figure, 'plain' | 'rounded'> {
  const { plain, rounded } = figure(value);
  return { plain: withUnit(plain, unit), rounded };
}

/* Every year; a terminal has a table and the latest year in full, a pipe only the latter. */
function emissions(record: Organization, unit: string | null): Section {
  const { years, region } = labelYears(record);
  const reported = years.filter(({ performance: year }) =>
    emissionFacts(year, unit).some(({ details }) =>
      details.some(([, value]) => value !== undefined),
    ),
  );
  const shown = latestPerformance(record);
  const latest = reported.filter((year) => year.performance === shown);
  const inFull = latest.flatMap(({ label, performance: year }) =>
    [fact('region', regionName(year.region)), ...emissionFacts(year, unit)].map((each) => ({
      ...each,
      label: `${label} ${each.label}`,
    })),
  );
  const isCombined = reported.some(({ performance: year }) => {
    const { scope1, scope2, scope1And2 } = readEmissions(year.emissions);
    return scope1And2 && !(scope1 && scope2);
  });
  const others = reported.filter((year) => !latest.includes(year));
  const all = scopeColumns(unit);
  const columns = all.filter(({ title }) => title !== 'Scope 1+2' || isCombined);
  return {
    name: 'emissions',
    // The answers under the name say what is known of the unit.
    note: [region, unit === null ? '' : `in ${unit}`].filter(Boolean).join(' · '),
    prefix: 'emissions',
    facts: [...inFull, ...yearFacts(others, all)],
    renderTerminal: (available, style) => [
      ...yearTable(reported, columns, available, style),
      ...latest.flatMap(({ label, performance: year }) => [
        '',
        ...titleLines(`${label} in detail`, undefined, available - 2, style).map(indent),
        ...factLines(emissionFacts(year, unit), available, style),
      ]),
    ],
  };
}

function emissionFacts({ emissions: all }: Performance, unit: string | null): Fact[] {
  const { total, sum, ...byScope } = all ?? {};
  const factOf = (label: string, keys: readonly string[], found: object = {}): Fact => ({
    label,
    details: keys.map((key) => {
      const amount: unknown = found[key as never];
      if (isUnreadable(amount)) return [figureName(key), notReadable(amount)];
      return [figureName(key), typeof amount === 'number' ? emissionsOf(amount, unit) : undefined];
    }),
  });
  return [
    ...(['scope_1', 'scope_2', 'scope_1_and_2', 'scope_3'] as const).map((scope) =>
      factOf(scope.replaceAll('_', ' '), scopes[scope], byScope[scope] ?? undefined),
    ),
    factOf('total', ['total', 'sum'], { total, sum }),
  ];
}

const factorColumns = shownColumns
  .filter(({ section }) => section === 'years')
  .map(({ label, title = capital(label), column }): Column<Year> => {
    const { kind } = column;
    const read = ({ performance }: Year) => {
      const value = column.value({ record: {}, performance, target: {} });
      if (typeof value !== 'number') return value ?? undefined;
      return kind === 'amount' ? money(value, currencyOf(performance)) : numberOf(kind, value);
    };
    const as = (length: 'plain' | 'rounded') => (year: Year) => {
      const found = read(year);
      return typeof found === 'object' ? found?.[length] : found;
    };
    const text = (year: Year) => String(as('rounded')(year) ?? '');
    return { name: label, title, description: '', kind, value: as('plain'), text };
  });

/* Revenue and emission factors of every year, in the currency that the record names. */
function performance(record: Organization): Section {
  const years = labelYears(record).years.filter((year) =>
    factorColumns.some(({ value }) => value(year) !== undefined),
  );
  const [currency, other] = new Set(years.flatMap((each) => currencyOf(each.performance) ?? []));
  const one =
    currency === undefined
      ? 'the record names no currency'
      : `in ${currency}, factors per ${currency}`;
  const note = other === undefined ? one : 'factors per unit of the currency of the revenue';
  return {
    name: 'revenue and emission factors',
    note: years.length > 0 ? note : undefined,
    prefix: 'performance',
    facts: yearFacts(years, [
      ...factorColumns,
      text('currency', '', (year) => year.performance.revenue_currency),
      text('region', '', (year) => regionName(year.performance.region)),
    ]),
    renderTerminal: (columns, style) => yearTable(years, factorColumns, columns, style),
  };
}

function currencyOf(year: Performance): string | undefined {
  return truncate(sanitize(year.revenue_currency ?? '').trim(), 8) || undefined;
}

function commitments(record: Organization): Section {
  const { cdp, un, climate_pledge: pledge } = record;
  const initiatives = un?.initiatives?.map(({ name, slug }) => name ?? slug ?? '').join(', ');
  return {
    name: 'reporting and commitments',
    facts: [
      {
        label: 'report',
        details: [['environmental report', words(record.related_environmental_report_status)]],
      },
      flagFact('CDP', cdp?.is_listed, ['listed', 'not listed'], {
        'as of': dateText(cdp?.last_retrieved_at),
      }),
      ...scienceBasedTargets(record),
      fact('UN initiatives', un?.initiatives?.length === 0 ? 'none' : initiatives, {
        'as of': dateText(un?.last_retrieved_at),
      }),
      flagFact('Climate Pledge', pledge?.signed, ['signed', 'not signed'], {
        since: dateText(pledge?.signed_at),
      }),
      ...shownFacts('commitments', record),
    ],
  };
}

type Details = Readonly<Record<string, Detail[1]>>;

/* A service that says something else of a target, such as its year, has data. */
function targetFact(
  label: string,
  flag: boolean | string | null | undefined,
  own: Details,
  asOf: Details = {},
): Fact {
  const details = { ...own, ...asOf };
  const says = (value: Detail[1]) => value !== undefined && value !== null && value !== '';
  if ((flag ?? null) === null && Object.values(own).some(says))
    return { label, details: Object.entries(details) };
  return flagFact(label, flag, ['has a target', 'no target'], details);
}

function scienceBasedTargets(record: Organization): Fact[] {
  const asOf = { 'as of': dateText(record.sbti?.last_retrieved_at) };
  const [target] = targetsByDate(record);
  if (target === undefined)
    return [fact('SBTi', record.sbti?.data ? 'no target records' : undefined, asOf)];
  const { near_term, long_term, net_zero, business_ambition_1_5: ambition } = target;
  const { target: aim, year } = long_term ?? {};
  return [
    nearTermFact(record, near_term, asOf),
    targetFact('SBTi long term', long_term?.has_target, { target: degrees(aim), year }),
    targetFact('SBTi net zero', net_zero?.has_target, { year: net_zero?.target_year }),
    targetFact('SBTi 1.5 °C', ambition?.has_target, {
      joined: dateText(ambition?.joined_at),
    }),
    fact('SBTi detail', target.target_detail),
  ];
}

/*
 * A terminal says it once and as every view does: "✗ target removed". A pipe has what was received,
 * and both have a flag and a status that contradict each other.
 */
function nearTermFact(record: Organization, target: SbtiTarget['near_term'], asOf: Details): Fact {
  const { has_target: flag, target_status: received } = target ?? {};
  const known = nearTermTarget(record);
  const plain = received || known;
  const label = 'SBTi near term';
  if (typeof flag !== 'boolean' || !plain || !targetStatuses.some((each) => each === known))
    return targetFact(label, flag, { status: plain }, asOf);
  const { name, short } = targetWords(known);
  // A mark would say that it has not committed.
  if (known === 'committed' && !flag)
    return fact(
      label,
      { plain: 'no target', rounded: `${name}, not validated` },
      { status: { plain, rounded: '' }, ...asOf },
    );
  const isOne = flag === (known === 'set');
  const said = (text: string) => (isOne ? { plain: text, rounded: name } : text);
  // The words before it say that there is a target.
  const status = { plain, rounded: isOne || known === 'with_target' ? '' : short };
  return flagFact(label, flag, [said('has a target'), said('no target')], { status, ...asOf });
}

/* A number is the warming that the target is aligned with; a service may send a text. */
function degrees(aim: string | number | null | undefined) {
  const plain = String(aim ?? '').trim();
  return /^\d+(?:\.\d+)?$/.test(plain) ? { plain, rounded: `${plain} °C` } : aim;
}

function matchedOrganization({ matching_organization: matched }: Organization): Section {
  const { id, name, names, websites, hq_region, industry } = matched ?? {};
  const values = (list: typeof names) =>
    list?.flatMap(({ value }) => (value === name ? [] : value || [])).join(' · ');
  const details = [
    fact('other names', values(names)),
    fact('websites', values(websites)),
    fact('headquarters', regionName(hq_region)),
    fact('industry', industry?.name),
  ];
  return {
    name: 'matched organization',
    prefix: 'matched',
    facts: [fact('name', name, { id }), ...details],
  };
}

const maxSources = 6;

function sources(record: Organization): Section {
  const all = (record.sources ?? []).map(({ url }, index) => fact(String(index + 1), url));
  const facts = all.slice(0, maxSources);
  const others = all.length - maxSources;
  if (others > 0) facts.push(fact('more', `${others} (see carbon get --full)`));
  return {
    name: 'sources',
    prefix: 'source',
    facts,
    renderTerminal: (columns, style) => factLines(facts, columns, style, numberWidth),
  };
}
