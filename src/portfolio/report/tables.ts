/* What a report shows of a summary: words, facts and tables, for a terminal and for the page. */

import type { Column } from '../../display/query/query.ts';
import {
  amountInWords,
  changeText,
  figure,
  numberFormats,
  scoreInColumn,
} from '../../display/terminal/figure.ts';
import { count, cut, naming, percentText, plural } from '../../display/terminal/format.ts';
import {
  countOf,
  emissionsColumn,
  type FactTable,
  inUnit,
  plain,
  text,
} from '../../display/terminal/section.ts';
import { capital } from '../../display/terminal/text.ts';
import { figureRuleWords } from '../checks/figure-rules.ts';
import { countsText } from '../checks/findings.ts';
import {
  quotingLimit,
  syntheticText,
  unitSetting,
  unitState,
  whenQuoting,
} from '../organizations/quoting.ts';
import {
  companies,
  companiesOf,
  isHalf,
  markedUnit,
  organizationName,
  unitAlert,
  withUnit,
} from '../organizations/statements.ts';
import { targetWords } from '../organizations/target-words.ts';
import { lookupsInWords } from '../records/dates.ts';
import type { EmissionsSummary, YearChange, YearSummary } from './emissions.ts';
import type { Tallied } from './spread.ts';
import type { Commitment, Emitter, Gap, Summary } from './summary.ts';

/* Formats a value of the service for people: `not_listed` becomes "not listed". */
function valueLabel(value: string): string {
  return value.replaceAll('_', ' ');
}

/** The commitments with their names, in the order of the report. */
export const commitmentNames: readonly (readonly [key: Commitment, name: string])[] = [
  ['cdp', 'CDP'],
  ['sbti_near_term', 'SBTi near term'],
  ['sbti_long_term', 'SBTi long term'],
  ['sbti_net_zero', 'SBTi net zero'],
  ['un_initiatives', 'UN initiatives'],
  ['climate_pledge', 'Climate Pledge'],
  ['environmental_report', 'Environmental report'],
];

const fulfilled = ['listed', 'set', 'with_target', 'taking_part', 'signed', 'found'];
const underway = ['committed', 'processing'];
const stages = ['yes', 'partly', 'no', 'missing'] as const;

/* What people read in place of the values that a pipe has. */
function commitmentWord(key: Commitment, value: string | null): string {
  if (key === 'sbti_near_term') return targetWords(value).short;
  const isTarget = key === 'sbti_long_term' || key === 'sbti_net_zero';
  if (isTarget && value !== 'with_target')
    return targetWords(value === 'none' ? value : null).short;
  return valueLabel(value ?? 'no data');
}

/** Lists the values of at least one organization, from fulfilled to missing. */
export function partsOf(key: Commitment, { counts, missing }: Tallied) {
  const parts = Object.entries(counts).map(([value, organizations]) => {
    const stage = fulfilled.includes(value) ? 'yes' : underway.includes(value) ? 'partly' : 'no';
    const name = commitmentWord(key, value);
    return { value: valueLabel(value), name, stage, organizations } as const;
  });
  const none = { value: 'no data', name: commitmentWord(key, null), stage: 'missing' } as const;
  return [...parts, { ...none, organizations: missing }]
    .filter(({ organizations }) => organizations > 0)
    .sort((a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage));
}

/** The gaps in the order of the report. */
export const gapNames: readonly (readonly [key: Gap, name: string])[] = [
  ['no_performances', 'no yearly figures'],
  ['no_emissions', 'no emissions'],
  ['unreadable_emissions', 'emissions not readable'],
  ['no_score', 'no score'],
  ['no_industry', 'no industry'],
  ['no_country', 'no country'],
];

/** Says that the organizations with data are synthetic, or how many; undefined if none is. */
export function syntheticCompanies(summary: Summary): string | undefined {
  return syntheticText(summary, companies);
}

/**
 * Lists notes about input that the report leaves out or that needs caution.
 * @param check the command that lists what it finds in the figures
 */
export function notesOf(summary: Summary, check = 'carbon check'): string[] {
  const { input, emissions } = summary;
  const same = emissions.same_match;
  const synthetic = syntheticCompanies(summary);
  const numbers = [
    [input.superseded, 'earlier record', 'replaced by a later one'],
    [input.failed, 'failed item', 'without a record'],
    [input.without_record, 'line', 'without a record'],
    [input.without_id, 'record', 'without an ID, treated as a separate company'],
  ] as const;
  return [
    ...scaleNotes(summary),
    ...certaintyNotes(summary, check),
    ...numbers.flatMap(([number, noun, what]) =>
      number > 0 ? [`${plural(number, noun)} ${what}`] : [],
    ),
    ...(same > 0
      ? [
          `${plural(same, 'company has', 'companies have')} the same matched organization as a newer record: sums count it once`,
        ]
      : []),
    ...(synthetic === undefined ? [] : [synthetic]),
  ];
}

/** Says how sure the sums are: what they are good for, how many there are, what weakens them. */
export function reportCertainty(summary: Summary): readonly string[] {
  const { emissions, organizations } = summary;
  const { both_scopes: population } = emissions;
  // As with every statement: what few companies disclose says little.
  if (population === null || !isHalf(population.organizations, organizations)) return [];
  const { year, organizations: all, warnings } = population;
  const weak = [
    ...(mixedText(population) === undefined
      ? []
      : [`two methods of scope 2 are mixed${partText(population)}`]),
    ...(warnings.some(isWeighty) ? [`carbon check warns of figures of ${year}`] : []),
  ];
  const disclose = all === 1 ? 'discloses' : 'disclose';
  const some = `${companiesOf(all, organizations)} ${disclose} scope 1 and 2`;
  const isPart = all < organizations;
  const say = [...(isPart ? [`only ${some}`] : []), ...weak].join(', and that ');
  const when = whenQuoting(summary.synthetic > 0);
  const { unit } = emissions;
  const isInDoubt = scaleNotes(summary).length > 0;
  const limit = quotingLimit(summary.synthetic > 0, unitState(unit, isInDoubt));
  return [
    ...(limit === undefined ? [] : [limit]),
    isPart
      ? `${capital(when)}, say that ${say}`
      : `${capital(some)}${say === '' ? '' : `; ${when}, say that ${say}`}`,
    modeledNote,
    ...(unit === null || isInDoubt ? [] : [unitSetting(unit, toCompare(summary, unit))]),
  ];
}

/** Readers take a figure in a record for one that the company disclosed. */
export const modeledNote =
  "The records don't tell which of these figures the companies reported and which are modeled";

/* Nothing in the records tells a wrong unit below the emissions of the world: one figure does. */
function toCompare({ emissions, largest_emitters: [first] }: Summary, unit: string): string {
  const year = emissions.both_scopes?.year;
  if (first === undefined || year === undefined) return '';
  const amount = withUnit(amountInWords(first.scope_1_and_2), unit);
  return `: compare one figure with the company's own report, such as ${amount} of ${cut(organizationName(first), 40)} in ${year}`;
}

/* Warnings of less of the emissions change no sum that a reader sees. */
const minWarned = 0.01;

function isWeighty({ share }: Both['warnings'][number]): boolean {
  return share === null || share >= minWarned;
}

/* What the answer about certainty rests on. */
function certaintyNotes({ emissions, checks }: Summary, check: string): readonly string[] {
  const { both_scopes: population } = emissions;
  const doubts = doubtText(checks.not_left_out);
  if (population === null) return doubts === undefined ? [] : [`${doubts}: run ${check}`];
  const { year, warnings } = population;
  const mixed = mixedText(population);
  const old = lookupsText(population);
  const unused = `; the total of ${year} uses none of these figures`;
  return [
    ...(mixed === undefined ? [] : [capital(mixed)]),
    ...(doubts === undefined
      ? []
      : [`${doubts}${warnings.length > 0 ? '' : unused}: run ${check}`]),
    ...(warnings.length > 0
      ? [`Of these figures, those of ${year}: ${warningsText(warnings)}`]
      : []),
    ...(population.sbti_lookups.old > 0 && old !== undefined ? [old] : []),
  ];
}

/** Says that no figure is in doubt. */
export function cleanNotes({ checks, left_out: left }: Summary): readonly string[] {
  return checks.organizations + left.organizations > 0
    ? []
    : ['carbon check finds nothing in these figures that may be wrong.'];
}

/* Says whose figures may be wrong, and why; a statement names the companies that are left out. */
function doubtText({
  organizations,
  first,
}: Summary['checks']['not_left_out']): string | undefined {
  if (organizations === 0) return undefined;
  const names = naming(first.map(organizationName), first.length, organizations);
  const why = [...new Set(first.flatMap(({ rule }) => rule ?? []))].map(figureRuleWords);
  return `Figures of ${companies(organizations)} may be wrong (${[names, why.join(', ')].join(': ')})`;
}

type Both = NonNullable<Summary['emissions']['both_scopes']>;

/* A sum of both methods is neither. */
function mixedText({
  year,
  organizations,
  scope_2_methods: methods,
  scope_2_shares: shares,
}: Both): string | undefined {
  const { market_based: market, location_based: location } = methods;
  if (market === 0 || location === 0) return undefined;
  const others = organizations - market - location;
  const unknown = others > 0 ? `, and ${count.format(others)} of unknown method` : '';
  const [marketShare, locationShare] = [shares.market_based, shares.location_based];
  const isKnown = marketShare !== null && locationShare !== null;
  const shown = isKnown
    ? [`, ${percentText(marketShare, 1)} of the emissions`, `, ${percentText(locationShare, 1)}`]
    : ['', ''];
  return `scope 1 + 2 of ${year} mixes market-based scope 2 (${companies(market)}${shown[0]}) and location-based scope 2 (${companies(location)}${shown[1]})${unknown}`;
}

/* How much is from the method that ignores the electricity a company has contracted. */
function partText({ scope_2_shares: { location_based: share } }: Both): string {
  return share === null ? '' : ` (${percentText(share, 1)} of the emissions location-based)`;
}

/* A footprint adds up scopes 1 and 2 where a record has both. */
const usedInstead: Readonly<Record<string, string>> = {
  joint: 'carbon report uses the latter, carbon footprint the former',
};

const shownRules = 2;

function warningsText(warnings: Both['warnings']): string {
  const shown = warnings.slice(0, shownRules).map(warningText);
  const others = warnings.length - shown.length;
  return others > 0
    ? `${shown.join('; ')}; and of ${plural(others, 'other rule')}`
    : shown.join('; ');
}

function warningText({ rule, organizations, share, first }: Both['warnings'][number]): string {
  const [largest] = first;
  const part = share === null ? undefined : `${numberFormats.share(share)} of the emissions`;
  const others = organizations > 1 ? `${companies(organizations)} in all` : undefined;
  const other = largest?.is_used ? usedInstead[rule] : undefined;
  const example = largest && `${organizationName(largest)}: ${largest.evidence} `;
  const named = example === undefined ? figureRuleWords(rule) : undefined;
  const words = [named, others, part, other].filter((each) => each !== undefined);
  return `${example ?? ''}${words.length === 0 ? '' : `(${words.join('; ')})`}`.trimEnd();
}

/** Says when SBTi was looked up, and how often long ago; undefined if no day is known. */
export function lookupsText({ sbti_lookups: lookups }: Both): string | undefined {
  const { from, to, organizations: all, old, old_share: share } = lookups;
  const days = lookupsInWords(from, to);
  if (days === undefined) return undefined;
  const part =
    share === null || old === all ? '' : `, with ${percentText(share, 1)} of the emissions`;
  const rest = old === 0 ? '' : `, more than six months ago for ${companiesOf(old, all)}${part}`;
  return `${capital(days)}${rest}`;
}

/* Of 2023, with land use: United Nations Environment Programme, Emissions Gap Report 2024. */
const worldTonnes = 57.1e9;

/* A tenth of what the world emits is a wrong unit, or companies that count the same emissions. */
const maxWorldShare = 0.1;

/** Warns of a unit or figures that may make all amounts wrong. */
export function scaleNotes({
  emissions: { both_scopes: population, unit },
}: Summary): readonly string[] {
  const sum = population?.sum ?? null;
  const tonnes = unit === null || sum === null ? 0 : unit === 'kg' ? sum / 1_000 : sum;
  const share = tonnes / worldTonnes;
  const isOther = unit === 't' && share / 1_000 < maxWorldShare;
  const other = isOther ? `; with --unit kg it would be ${amountInWords(sum ?? 0)} kg` : '';
  if (!(share >= maxWorldShare)) return [];
  const part =
    share < 10
      ? `${count.format(Math.round(100 * share))}% of`
      : `${count.format(Math.round(share))} times`;
  return [
    unitAlert(
      `${withUnit(amountInWords(sum ?? 0), unit)} would be ${part} the world's 57.1 billion t CO2e in 2023 (UNEP, Emissions Gap Report 2024)${other}`,
      unit,
    ),
  ];
}

/** Returns the unit to show on a page, where each amount in an implausible one has a mark. */
export function unitOnPage(summary: Summary): string | null {
  return markedUnit(summary.emissions.unit, scaleNotes(summary).length > 0);
}

export const scope3Note =
  'Scope 3 is not added up, because scope 3 of one company is scope 1 of another.';

/* Lists how many companies the partial years lack: 2025 lacks 12, 2023 lacks 9. */
function missingText(years: readonly YearSummary[]): string {
  return years
    .filter(({ partial }) => partial)
    .map(({ year, missing }) => `${year} lacks ${count.format(missing)}`)
    .join(', ');
}

/** Says that the sums of partial years are not comparable; undefined without such a year. */
export function partialNote({ organizations, years }: EmissionsSummary): string | undefined {
  return years.some(({ partial }) => partial)
    ? `A partial year lacks a tenth or more of the ${companies(organizations)} that disclose emissions, or of their emissions, so don't compare its sums (${missingText(years)}).`
    : undefined;
}

/** Says how to read the sums of the years. */
export function emissionsReading({ several_regions }: EmissionsSummary): string[] {
  const regions = regionsOfYears(several_regions);
  const notes = [
    regions && `${regions}.`,
    scope3Note,
    'Emissions are those of whole companies. For what you buy from them, run carbon footprint <your purchases>.',
  ];
  return notes.flatMap((note) => note ?? []);
}

/** Says which of several regions a sum has, without a period; undefined without any. */
export function regionsOfYears(number: number): string | undefined {
  if (number === 0) return undefined;
  return `${plural(number, 'company has', 'companies have')} a year with several regions. One region stands for it: the global one, that of the headquarters, or the first. Another would change the figures`;
}

export function emissionsNotes(emissions: EmissionsSummary): string[] {
  return [...[partialNote(emissions) ?? []].flat(), ...emissionsReading(emissions)];
}

/** Lists the distribution of the scores by name. */
export function scoreSpread({
  score,
}: Summary): readonly (readonly [name: string, value: string])[] {
  const shown = (value: number | null) => (value === null ? '–' : scoreInColumn(value));
  return [
    ['median', shown(score.median)],
    ['quartiles', `${shown(score.lower_quartile)} to ${shown(score.upper_quartile)}`],
    ['mean', shown(score.mean)],
    ['lowest', shown(score.min)],
    ['highest', shown(score.max)],
  ];
}

/** The names of the scopes that are added up, by their field in `YearSummary`. */
const scopeNames = [
  ['scope_1', 'Scope 1'],
  ['scope_2', 'Scope 2'],
  ['scope_1_and_2', 'Scope 1 + 2'],
] as const;

/** The sums of the years, each with the number of organizations behind it. */
export function yearSumTable({ emissions }: Summary): FactTable<YearSummary> {
  const { unit } = emissions;
  return {
    title: 'Emissions as disclosed',
    prefix: 'emissions',
    everyColumn: '-o report.html',
    unit,
    note: '(number of companies)',
    head: 'Year',
    label: ({ year, partial }) => `${year}${partial ? ' partial' : ''}`,
    // The word would leave no room for a column.
    onScreen: {
      label: ({ year, partial }) => `${year}${partial ? '*' : ''}`,
      note: emissions.years.some(({ partial }) => partial) ? '* partial year' : undefined,
    },
    columns: [
      ...scopeNames.map(([field, title]): Column<YearSummary> => {
        const sum = (year: YearSummary, show: (value: number) => string | null) => {
          const { sum: value, organizations } = year[field];
          return value === null ? null : `${show(value)} (${plain(organizations)})`;
        };
        return {
          name: title.toLowerCase(),
          title,
          description: '',
          kind: 'emissions',
          value: (year) => sum(year, (value) => inUnit(value, unit)),
          text: (year, length) => sum(year, (value) => figure(value)[length]) ?? '',
        };
      }),
      emissionsColumn(
        'scope 3 median',
        'Scope 3 median',
        ({ scope_3 }) => scope_3.median,
        'compact',
      ),
      {
        name: 'scope 3 quartiles',
        title: 'Scope 3 quartiles',
        description: '',
        kind: 'text',
        value: (year) => inUnit(quartiles(year, plain), unit),
        text: (year, length) => quartiles(year, (value) => figure(value)[length]) ?? '',
      },
    ],
    rows: emissions.years,
  };
}

function quartiles({ scope_3: spread }: YearSummary, show: (value: number) => string | null) {
  const { lower_quartile: low, upper_quartile: high } = spread;
  return low === null || high === null ? null : `${show(low)} to ${show(high)}`;
}

function changeColumn(
  name: string,
  title: string,
  share: (change: YearChange) => number | null,
): Column<YearChange> {
  const text = (change: YearChange) => changeText(share(change));
  const value = (change: YearChange) =>
    share(change) === null ? null : text(change).replace('−', '-').replaceAll(',', '');
  return { name, title, description: '', kind: 'share', value, text };
}

/** Scopes 1 and 2 of the same organizations in every year. */
export function comparedTable({ emissions: { both_scopes: population } }: Summary) {
  const table: FactTable<{ readonly year: number; readonly sum: number }> = {
    title: 'Scope 1 + 2 by year, like for like',
    head: 'Year',
    label: ({ year }) => String(year),
    columns: [emissionsColumn('scope 1 + 2', 'Scope 1 + 2', ({ sum }) => sum)],
    rows: population?.like_for_like?.years ?? [],
  };
  return table;
}

export function changeTable({ emissions }: Summary): FactTable<YearChange> {
  return {
    title: 'Change of scope 1 + 2',
    note: 'like for like: companies that disclose both scopes in both years, in one region and with one method',
    prefix: 'change',
    head: 'Years',
    label: ({ from, to }) => `${from} to ${to}`,
    columns: [
      changeColumn('like for like', 'Like for like', (change) => change.like_for_like),
      countOf('companies', 'Companies', (change) => change.organizations || null),
    ],
    // The first year may have no company of the last one.
    rows: emissions.changes.filter((change) => change.like_for_like !== null),
  };
}

export function largestTable(summary: Summary): FactTable<Emitter> {
  const { largest_emitters: rows } = summary;
  const max = Math.max(1, ...rows.map((row) => row.scope_1_and_2));
  return {
    title: 'Largest emitters',
    note: largestNote(summary),
    unit: summary.emissions.unit,
    prefix: 'largest emitter',
    barAfter: 'scope 1 + 2',
    everyColumn: '--json',
    head: 'Company',
    label: organizationName,
    isNumbered: true,
    columns: [
      emissionsColumn('scope 1 + 2', 'Scope 1 + 2', (row) => row.scope_1_and_2, 'compact'),
      {
        name: 'share',
        title: 'Share',
        description: '',
        kind: 'share',
        value: ({ share }) => share,
        text: ({ share }) => (share === null ? '–' : numberFormats.share(share)),
      },
      text('year', 'Year', ({ year }) => String(year)),
      { ...text('id', 'ID', ({ id }) => (id === null ? null : String(id))), kind: 'id' },
    ],
    rows,
    bar: (row) => row.scope_1_and_2 / max,
  };
}

function largestNote({ emissions }: Summary): string | undefined {
  const { both_scopes: population } = emissions;
  if (population === null) return undefined;
  const { year, organizations } = population;
  return `scope 1 + 2 of ${year}, of ${plural(organizations, 'company that discloses both', 'companies that disclose both')}`;
}

export function targetTable({ largest_emitters: emitters }: Summary): FactTable<Emitter> {
  return {
    title: 'Targets of the largest emitters',
    prefix: 'target',
    head: 'Company',
    label: organizationName,
    isNumbered: true,
    isProse: true,
    columns: [text('', '', ({ target }) => `“${target}”`)],
    rows: emitters.filter(({ target }) => target !== null),
  };
}

export function findingTable({ checks }: Summary): FactTable<Summary['checks']['worst'][number]> {
  return {
    title: 'Checks',
    note: `${countsText(checks)} about figures that may be wrong; carbon check lists them`,
    prefix: 'check',
    head: 'Rule',
    label: ({ rule }) => figureRuleWords(rule),
    isProse: true,
    columns: [
      text('', '', organizationName),
      text('', '', ({ year, evidence }) =>
        [year, evidence].filter((part) => part !== null).join(': '),
      ),
    ],
    rows: checks.worst,
  };
}
