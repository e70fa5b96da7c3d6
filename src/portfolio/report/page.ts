/* The report as one self-contained HTML page. Everything from records is text. */

import { type RankedRow, rankedBars, sparkColumns, stackedBar } from '../../display/page/bars.ts';
import { type ChartColumn, columnChart, figureOf, valueTable } from '../../display/page/charts.ts';
import {
  type Content,
  html,
  type KeyFigure,
  scrollRegion,
  section,
  withCommands,
} from '../../display/page/html.ts';
import { renderSkeleton } from '../../display/page/skeleton.ts';
import { changeText, figure, numberFormats } from '../../display/terminal/figure.ts';
import { count, naming, percentText, plural } from '../../display/terminal/format.ts';
import {
  amountsInWords,
  companies,
  companiesOf,
  organizationName,
  serviceInWords,
  shareInWords,
  withUnit,
} from '../organizations/statements.ts';
import { targetWords } from '../organizations/target-words.ts';
import { datesInWords, writtenInWords } from '../records/dates.ts';
import {
  companiesOfReport,
  missingAnswers,
  type ReportAnswer,
  type ReportedLists,
  reportAnswers,
} from './answers.ts';
import { askedPlaces, reasonOf } from './ask-words.ts';
import type { ReportDocument } from './document.ts';
import { type Entry, valuesOf } from './entry.ts';
import { organizationSection } from './page-table.ts';
import type { Member, Population } from './population.ts';
import { type ReportStatement, reportQuestions } from './statements.ts';
import {
  cleanNotes,
  comparedTable,
  emissionsNotes,
  lookupsText,
  notesOf,
  regionsOfYears,
  scaleNotes,
  scope3Note,
  syntheticCompanies,
  unitOnPage,
  yearSumTable,
} from './tables.ts';

const many = count.format;

/** What a page shows besides the report. */
export interface PageInput extends ReportedLists {
  /** All organizations, the largest emitters first. */
  readonly emitters: readonly Entry[];
  /** Those of `both_scopes`, the largest emissions first. */
  readonly members: readonly Member[];
  /** The names of the files with the records. */
  readonly from: readonly string[];
  /** Where the records are from, as lists name it; empty for files of records. */
  readonly services?: readonly string[];
  /** Which rows of the lists have no record. */
  readonly missing?: readonly string[];
  /** By default, the first statement. */
  readonly title?: string | undefined;
}

/** Renders the page. */
export function renderPage(document: ReportDocument, input: PageInput): string {
  const { emissions } = document;
  const { emitters, members, from, title } = input;
  const answers = reportAnswers(document, input);
  const synthetic = syntheticCompanies(document);
  const looked = emissions.both_scopes === null ? undefined : lookupsText(emissions.both_scopes);
  const [alert] = scaleNotes(document);
  const shownFigures = figures(document);
  const ofTargets = targets(document, members);
  return renderSkeleton({
    about: [
      `Report on ${naming([...from])}`,
      companiesOfReport(document, input),
      ...datesInWords(document),
    ],
    synthetic,
    title: title ?? answers[0]?.text ?? '',
    alert,
    dates: [...yearsInWords(document), ...datesInWords(document), ...lookupDays(document)],
    sources: [
      ...servicesOf(input.services).map((service) => `service: ${service}`),
      amountsInWords(emissions.unit),
      `page ${writtenInWords(document)} by carbon`,
    ],
    figures: shownFigures,
    // The figures have the amount, and a chart next to the answers has the targets.
    answers: [
      ...missingAnswers(document, input.missing),
      ...(title === undefined ? answers.slice(1) : withTitle(answers, document)).filter(
        ({ rule }) =>
          !(rule === 'amount' && shownFigures.length > 0) &&
          !(rule === 'targets' && ofTargets !== undefined),
      ),
    ],
    side: chartOfYears(document),
    charts: [ofTargets],
    // The statement and the section of targets say when SBTi was looked up.
    notes: [
      ...notesOf(document, input.check).filter(
        (note) => ![synthetic, looked, alert].includes(note),
      ),
      ...[regionsOfYears(emissions.several_regions) ?? []].flat(),
    ],
    skip: 'Skip to the table of companies',
    sections: [largest(document, members), whomToAsk(document)],
    table: organizationSection(document, from, emitters, members),
    details: disclosed(document),
    readingNotes: [...readingNotes(document), ...cleanNotes(document)],
  });
}

/* Under a title of the reader's own, the first statement is an answer as well. */
function withTitle(
  [first, ...others]: readonly ReportAnswer[],
  { statements: [said] }: ReportDocument,
): readonly ReportAnswer[] {
  if (first === undefined || said === undefined) return others;
  const question = reportQuestions[said.rule];
  return [{ ...first, question }, ...others];
}

function lookupDays({ emissions: { both_scopes: both } }: ReportDocument): readonly string[] {
  const text = both === null ? undefined : lookupsText(both);
  return text === undefined ? [] : [text.charAt(0).toLowerCase() + text.slice(1)];
}

function yearsInWords({ emissions: { both_scopes: population } }: ReportDocument) {
  if (population === null) return [];
  const first = population.like_for_like?.years[0]?.year ?? population.year;
  const last = population.year;
  return [`figures of ${first === last ? last : `${first} to ${last}`}`];
}

function servicesOf(services: PageInput['services'] = []): readonly string[] {
  return [...new Set(services)].map(serviceInWords);
}

const readingNotes = ({ ask, emissions, left_out: left, commitments, score }: ReportDocument) => [
  "carbon adds no estimates of its own: a sum contains only figures of the records, and shows how many companies it covers. Records don't tell which figures a company reported and which are modeled.",
  ...(emissions.both_scopes?.like_for_like
    ? [
        'Like for like compares the same companies, regions and methods of scope 2 in every year shown.',
      ]
    : []),
  `Scope 1 + 2 covers only companies that disclose both. ${scope3Note}`,
  ...(emissions.unit === null
    ? [
        'The service documents no unit of emissions. A unit is shown only if the author of the page declared it (--unit).',
      ]
    : []),
  'Scope 2 is the market-based figure; if that is missing, the location-based one; otherwise the disclosed total, whose method is unknown. Any other scope without a total is the sum of its disclosed parts.',
  ...(commitments.sbti_near_term.counts['set']
    ? [
        'A validated target is a near-term target that SBTi has validated: its list says “Targets set”. A target is a promise, not a cut.',
      ]
    : []),
  ...(ask.some(({ rise }) => rise !== null)
    ? [
        'The fewest companies that made half of the net rise are asked why. If their revenue rose more than their emissions, in one currency and region, they are asked for their reduction plan.',
      ]
    : []),
  ...(score.median === null
    ? []
    : ['Score is the rating by the service, from 0 (worst) to 100 (best). It documents no more.']),
  ...(left.organizations > 0
    ? ['A record with figures that cannot be right is in no sum. carbon check explains each.']
    : []),
];

function figures(document: ReportDocument): KeyFigure[] {
  const { organizations, emissions } = document;
  const { both_scopes: population } = emissions;
  const unit = unitOnPage(document);
  const sum = population?.sum ?? null;
  const validated = population?.targets.find(({ status }) => status === 'set');
  const isSaid = statementOf(document, 'targets') !== undefined;
  return [
    ...(population === null || sum === null
      ? []
      : [
          {
            name: `Scope 1 + 2 of ${population.year}`,
            value: withUnit(figure(sum).compact, unit),
            population: `of ${population.organizations === organizations ? companiesOf(organizations, organizations) : `the ${many(population.organizations)} of ${disclosingBoth(organizations)}`}, as a whole, not of what you buy from them`,
            exact: figure(sum).exact,
          },
        ]),
    ...(population === null || sum === null || validated?.share == null || !isSaid
      ? []
      : [
          {
            name: 'With a validated target',
            value: numberFormats.share(validated.share),
            population: `of these emissions, from ${companiesOf(validated.organizations, population.organizations)}`,
          },
        ]),
  ];
}

/* The same organizations in every year. */
function chartOfYears(document: ReportDocument): Content {
  const { both_scopes: population } = document.emissions;
  const unit = unitOnPage(document);
  const { organizations = 0, years = [] } = population?.like_for_like ?? {};
  if (years.length === 0) return undefined;
  const table = comparedTable(document);
  const same = organizations === 1 ? 'the same company' : `the same ${companies(organizations)}`;
  const inUnit = unit === null ? '' : ` ${unit}`;
  const columns = years.map(({ year, sum }): ChartColumn => {
    const { compact, exact } = figure(sum);
    const description = `Scope 1 + 2 of ${year}: ${exact}${inUnit} (${same})`;
    const text = withUnit(compact, unit);
    return { label: String(year), value: sum, text, tone: 'main', description };
  });
  const [last] = years.slice(-1);
  // The figure above is of more companies, which would look like an error.
  const others =
    population?.sum == null ||
    population.year !== last?.year ||
    population.organizations <= organizations
      ? ''
      : `. The total above, ${withUnit(figure(population.sum).compact, unit)}, is of all ${count.format(population.organizations)} that disclose both for ${population.year}`;
  const title = `${years[0]?.year} to ${last?.year}: ${organizations === 1 ? same : `the ${companies(organizations)}`} with comparable figures of every year`;
  const note = `Scope 1 + 2${unit === null ? '' : ` in ${unit}`} of ${same}${others}`;
  return section(
    'years',
    title,
    note,
    figureOf(columnChart(table.title, columns), valueTable(table)),
  );
}

function statementOf({ statements }: ReportDocument, rule: string): ReportStatement | undefined {
  return statements.find((each) => each.rule === rule);
}

function largest(document: ReportDocument, members: readonly Member[]): Content {
  const { largest_emitters: rows, emissions } = document;
  const { both_scopes: population } = emissions;
  const unit = unitOnPage(document);
  const [most] = rows;
  if (population === null || most === undefined) return undefined;
  const max = most.scope_1_and_2;
  const statement = statementOf(document, 'concentration');
  const title = largestTitle(rows, statement);
  const years = population.like_for_like?.years.map(({ year }) => year) ?? [];
  const ranked = rows.map((row, index): RankedRow => {
    const { compact, exact } = figure(row.scope_1_and_2);
    const amount = withUnit(compact, unit);
    const { share, cumulative_share: together, sbti_near_term: status } = row;
    const entry = members[index]?.entry;
    return {
      name: organizationName(row),
      length: max > 0 ? row.scope_1_and_2 / max : 0,
      text: share === null ? amount : `${amount} · ${numberFormats.share(share)}`,
      exact: `${withUnit(exact, unit)} (${organizationName(row)}, ${row.year})`,
      find: organizationName(row),
      more: [
        together === null ? '' : html`Σ ${percentText(together, 1)}`,
        entry && trendOf(entry, years),
        targetMark(status),
        entry && sourceLink(entry),
      ],
    };
  });
  const shown =
    rows.length === population.organizations ? 'all' : `the ${many(rows.length)} largest of`;
  const note = [
    `Scope 1 + 2 of ${population.year}, ${shown} ${disclosingBoth(population.organizations)}`,
    'share, and Σ the cumulative share',
    ...(years.length > 1
      ? [`small columns: ${years[0]} to ${years.at(-1)}, then the change since ${years.at(-2)}`]
      : []),
  ];
  return section('largest-emitters', title, note.join(' · '), rankedBars(ranked));
}

/* What the bars show: the statement may be about more companies than there are bars. */
function largestTitle(rows: ReportDocument['largest_emitters'], statement?: ReportStatement) {
  if (statement === undefined) return 'Largest emitters';
  const number = Number(statement['organizations']);
  if (number <= rows.length)
    return `${number === 1 ? '1 company makes' : `${companies(number)} make`} up ${shareInWords(Number(statement['share']))} of the emissions`;
  const share = rows.at(-1)?.cumulative_share ?? 0;
  return `The ${rows.length} largest companies make up ${percentText(share, 1)} of the emissions`;
}

/* The figures of the years that are compared, and the change in the last one. */
function trendOf(entry: Entry, years: readonly number[]): Content {
  const values = valuesOf(entry, years) ?? [];
  const [before, last] = values.slice(-2);
  if (before === undefined || last === undefined) return '';
  const change = before > 0 ? changeText(last / before - 1) : '–';
  const words = values.map((value, index) => `${years[index]}: ${figure(value).exact}`);
  return html`${sparkColumns(values, words.join(', '))}${change}`;
}

function disclosingBoth(number: number): string {
  return plural(number, 'company that discloses both', 'companies that disclose both');
}

function targetMark(status: string | null): Content {
  const { name, tone } = targetWords(status);
  return html`<span class="target target-${tone === 'removed' ? tone : 'other'}">${name}</span>`;
}

/* The page of the record's first source; a browser shows where the link leads. */
function sourceLink({ source }: Entry): Content {
  const url = source === undefined ? null : URL.parse(source);
  if (url === null || !/^https?:$/.test(url.protocol)) return '';
  return html`<a href="${url.href}" rel="noopener noreferrer nofollow" title="${url.href}">source</a>`;
}

function targets(document: ReportDocument, members: readonly Member[]): Content {
  const { both_scopes: population } = document.emissions;
  const known = (population?.targets ?? []).filter(({ share }) => share !== null && share >= 0);
  if (population === null || known.length === 0) return undefined;
  const removed = known.find(({ status }) => status === 'removed')?.share ?? 0;
  const set = known.find(({ status }) => status === 'set')?.share ?? 0;
  const title =
    statementOf(document, 'targets') === undefined
      ? 'Near-term targets by emissions'
      : `${percentText(set, 1)} of the emissions are from companies with a validated target${removed > 0 ? `, ${percentText(removed, 1)} from companies whose target or commitment was removed at any time` : ''}`;
  const parts = known.map(({ status, organizations, share }) => {
    const { name, tone } = targetWords(status);
    return {
      share: share ?? 0,
      tone,
      name,
      shareText: numberFormats.share(share ?? 0),
      note: `${many(organizations)} of these ${companies(population.organizations)}`,
      // The table has the text of another status.
      find: status === 'other' ? undefined : name,
    };
  });
  const looked = lookupsText(population);
  const whole = plural(population.organizations, 'whole company', 'whole companies');
  const own = `SBTi near-term targets by scope 1 + 2 of ${population.year} of ${whole}, not by what you buy: for that, run carbon footprint.`;
  const note = looked === undefined ? own : `${own} ${looked}.`;
  return section('targets', title, note, stackedBar(parts), netZero(members, population));
}

/* The same companies by whether they have a net-zero target. */
function netZero(members: readonly Member[], { sum }: NonNullable<Population>): Content {
  const isKnown = members.some(({ entry }) => typeof entry.netZero === 'boolean');
  if (sum === null || !(sum > 0) || !isKnown) return undefined;
  const kinds = [
    { name: 'net-zero target', tone: 'set', is: true },
    { name: 'no net-zero target', tone: 'none', is: false },
    { name: 'net-zero target unknown', tone: 'unknown', is: undefined },
  ];
  const parts = kinds.flatMap(({ name, tone, is }) => {
    const own = members.filter(({ entry: { netZero: known } }) =>
      typeof known === 'boolean' ? known === is : is === undefined,
    );
    const share = own.reduce((total, { value }) => total + value, 0) / sum;
    const shareText = numberFormats.share(share);
    const note = `${many(own.length)} of these ${companies(members.length)}`;
    return own.length === 0 || share < 0 ? [] : [{ share, tone, name, shareText, note }];
  });
  const validated = members.filter(({ entry }) => entry.nearTerm === 'set');
  const rest = validated.filter(({ entry }) => entry.netZero !== true);
  const restShare = rest.reduce((total, { value }) => total + value, 0) / sum;
  // Shares of both kinds of targets may look the same, as if one was a copy of the other.
  const who = `the ${many(validated.length)} with a validated near-term target`;
  const ofBoth =
    rest.length === 0
      ? `all of ${who} have one`
      : `of ${who}, ${many(rest.length)} ${rest.length === 1 ? 'has' : 'have'} none (${numberFormats.share(restShare)})`;
  const isShown = validated.length > 1 && restShare >= 0;
  return html`<p class="sub also">Net-zero targets of the same companies, by the same emissions${isShown && `; ${ofBoth}`}</p>${stackedBar(parts)}`;
}

/* What to do about whom: figures that are missing, and targets that are open. */
function whomToAsk({ ask, missing, organizations }: ReportDocument): Content {
  if (ask.length === 0) return undefined;
  const { incomplete, since } = missing;
  const isSaid = since !== null && incomplete > 0;
  const rule = isSaid ? `; recent years are those since ${since}, the first year compared` : '';
  const rows = ask.map((each) => {
    const { organizations: all, next_step: step } = each;
    return html`<dt>${many(all)}</dt><dd>${reasonOf(each)}: ${withCommands(step)} <span class="soft">${askedPlaces(each)}</span></dd>`;
  });
  return section(
    'ask',
    'Whom to ask',
    `Of all ${companies(organizations)}, the group with the largest known emissions first, then the largest number; all are in the table below${rule}`,
    html`<dl class="ask">${rows}</dl>`,
  );
}

function disclosed(document: ReportDocument): Content {
  const table = { ...yearSumTable(document), unit: unitOnPage(document) };
  if (table.rows.length === 0) return undefined;
  const regions = regionsOfYears(document.emissions.several_regions);
  const notes = [
    'What all companies disclosed each year, with their number in parentheses. Not the same companies each year.',
    // A warning below the answers has that on regions.
    ...emissionsNotes(document.emissions).filter((note) => note !== `${regions}.`),
  ];
  const values = valueTable({ ...table, note: undefined }, 'compact');
  return section('disclosed', table.title, notes.join(' '), scrollRegion(table.title, values));
}
