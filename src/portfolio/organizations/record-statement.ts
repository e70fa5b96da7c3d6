/*
 * What one record says of its organization: a sentence with numbers, their years and its target,
 * and what a reader asks next: how sure that is, whom to ask, and of when it is.
 */
import type { Organization, Performance } from '../../client/api/schema.ts';
import type { Answering } from '../../display/terminal/answers.ts';
import { amountInWords, changeSize } from '../../display/terminal/figure.ts';
import { cut, dateText } from '../../display/terminal/format.ts';
import { capital } from '../../display/terminal/text.ts';
import {
  basisOf,
  bothScopes,
  hasReportedFigure,
  type ReportedEmissions,
  type ReportedFigure,
  readEmissions,
  readInventories,
} from './emissions.ts';
import { chooseYears, isYear, latestPerformance } from './history.ts';
import { quotingLimit } from './quoting.ts';
import { amountsInWords, organizationName, withUnit } from './statements.ts';
import { isOldLookup, nearTermTarget, targetsByDate } from './targets.ts';
import { bothScopesOfYears } from './trend.ts';
import { isUnmatched } from './unmatched.ts';

/** What a record means, and what there is to do; no member says what the record does not. */
export interface RecordStatement {
  /** A sentence; undefined if the record says nothing. */
  readonly text: string | undefined;
  readonly answers: readonly RecordAnswer[];
}

type RecordAnswer = Answering & { readonly text: string };

/** How a record was received. */
export interface ReceivedAs {
  /** The unit of its emissions; null is unknown. */
  readonly unit: string | null;
  readonly isSynthetic?: boolean | undefined;
  /** The day of its retrieval, `YYYY-MM-DD`; undefined if it is not known. */
  readonly day?: string | undefined;
}

/** States what a record says: its latest emissions, their change, and its near-term target. */
export function recordStatement(record: Organization, received: ReceivedAs): RecordStatement {
  const parts = [emissionsPart(record, received.unit), targetPart(record)];
  const said = [researchPart(record), ...parts].filter((part) => part !== undefined);
  // The status says as much of research that has not ended well.
  const isKnown = record.status === 'synced' || parts.some((part) => part !== undefined);
  const text = isKnown && said.length > 0 ? `${capital(said.join('; '))}.` : undefined;
  return {
    text,
    answers: [
      ...sureAnswers(record, received),
      ...stepsOf(record, received).map((step) => ({ question: 'steps', text: step }) as const),
      ...(text === undefined ? [] : whenAnswers(record, received)),
    ],
  };
}

/* How good the figures are. */
function sureAnswers(
  record: Organization,
  { unit, isSynthetic = false }: ReceivedAs,
): RecordAnswer[] {
  const figures = readEmissions(latestPerformance(record)?.emissions);
  const hasFigures = hasReportedFigure(figures);
  if (!hasFigures && nearTermTarget(record) === undefined) return [];
  const limit = quotingLimit(isSynthetic, hasFigures && unit === null ? 'unknown' : 'known');
  const amounts = hasFigures && unit !== null ? capital(amountsInWords(unit)) : undefined;
  const method = figures.scope2 && basisOf(figures.scope2);
  const methods = method === undefined || method === '' ? undefined : `Scope 2 is ${method}`;
  return [limit, amounts, methods]
    .filter((text) => text !== undefined)
    .map((text) => ({ question: 'sure', text }));
}

/* Of when what the sentence says is. */
function whenAnswers(record: Organization, { day }: ReceivedAs): RecordAnswer[] {
  const latest = latestPerformance(record);
  const hasFigures = hasReportedFigure(readEmissions(latest?.emissions));
  const lookup = lookupOf(record);
  const days = [
    hasFigures && isYear(latest?.year) ? `figures of ${latest.year}` : undefined,
    lookup && `target looked up at SBTi ${dateText(lookup)}`,
    day && `record retrieved ${dateText(day)}`,
  ].filter((text) => text !== undefined);
  return days.length === 0 ? [] : [{ question: 'when', text: days.join(', ') }];
}

/* When the service looked up the target at SBTi, if it knows one. */
function lookupOf(record: Organization): string | undefined {
  return nearTermTarget(record) === undefined
    ? undefined
    : (record.sbti?.last_retrieved_at ?? undefined);
}

/* Only what keeps a reader from taking missing figures for undisclosed ones. */
function researchPart(record: Organization): string | undefined {
  const { status } = record;
  if (status === 'errored') return 'research failed';
  if (status && status !== 'synced') return 'research in progress';
  return isUnmatched(record) ? 'the service found no organization that fits' : undefined;
}

/* What to do about a record. Without its organization, there is nobody to ask. */
function stepsOf(record: Organization, { day }: ReceivedAs): readonly string[] {
  const { status } = record;
  if (status === 'errored') return ['Ask the service why the research failed'];
  if (status !== 'synced') return [];
  if (isUnmatched(record))
    return [
      'Register it again with a website or an LEI (carbon register --website or --lei-number)',
    ];
  const asks = [...askOfFigures(record), ...(askOfTarget[nearTermTarget(record) ?? ''] ?? [])];
  const lookup = lookupOf(record);
  const isOld = lookup !== undefined && day !== undefined && isOldLookup(lookup, day);
  return [
    ...(asks.length > 0 ? [`Ask ${cut(organizationName(record), 40)} ${asks.join(', and ')}`] : []),
    ...(isOld
      ? [
          `Look up its target at sciencebasedtargets.org/target-dashboard: the service last did on ${dateText(lookup)}`,
        ]
      : []),
  ];
}

function askOfFigures(record: Organization): readonly string[] {
  const latest = latestPerformance(record);
  const figures = readEmissions(latest?.emissions);
  if (latest === undefined || !hasReportedFigure(figures)) return ['for scopes 1 to 3'];
  const both = bothScopes(figures);
  if (both === undefined) return ['for scopes 1 and 2'];
  const { share = 0 } = changeUntil(record, latest, both.value) ?? {};
  const rose = share > 0 ? changeSize(share) : undefined;
  return rose === undefined ? [] : [`why scope 1 and 2 rose ${rose}`];
}

const askOfTarget: Readonly<Record<string, readonly string[]>> = {
  removed: ['why its target or commitment was removed'],
  committed: ['when SBTi validates its target'],
};

function emissionsPart(record: Organization, unit: string | null): string | undefined {
  const latest = latestPerformance(record);
  const figures = readEmissions(latest?.emissions);
  if (latest === undefined || !hasReportedFigure(figures))
    return researchPart(record) === undefined ? 'no emissions in the record' : undefined;
  const inYear = isYear(latest.year) ? ` in ${latest.year}` : '';
  const amount = ({ value }: ReportedFigure) => `${withUnit(amountInWords(value), unit)}${inYear}`;
  const both = bothScopes(figures);
  if (both === undefined) return otherPart(figures, amount);
  const change = changeUntil(record, latest, both.value);
  if (change === undefined) return `scope 1 and 2 of ${amount(both)}`;
  const { share, since } = change;
  const size = changeSize(share);
  if (size === undefined) return `scope 1 and 2 did not change since ${since}: ${amount(both)}`;
  return `scope 1 and 2 ${share > 0 ? 'rose' : 'fell'} ${size} since ${since}, to ${amount(both)}`;
}

/* What is known of emissions if scopes 1 and 2 are not. */
function otherPart(
  { scope1, scope2, scope3, total }: ReportedEmissions,
  amount: (figure: ReportedFigure) => string,
): string | undefined {
  if (scope1) return `scope 1 of ${amount(scope1)}, without scope 2`;
  if (scope2) return `scope 2 of ${amount(scope2)}, without scope 1`;
  if (total) return `total emissions of ${amount(total)}`;
  return scope3 && `scope 3 of ${amount(scope3)}`;
}

/* Compares with the year before in the record: the same region, the same method of scope 2. */
function changeUntil(
  record: Organization,
  latest: Performance,
  value: number,
): { readonly share: number; readonly since: number } | undefined {
  const [last, before] = chooseYears(record, readInventories(record));
  if (last?.chosen.performance !== latest || before === undefined) return undefined;
  if (before.chosen.region !== last.chosen.region) return undefined;
  const [now, earlier = 0] = bothScopesOfYears([last.chosen, before.chosen]) ?? [];
  const share = value / earlier - 1;
  if (now !== value || !(earlier > 0) || !Number.isFinite(share)) return undefined;
  return { share, since: before.year };
}

const targets: Readonly<Record<string, string>> = {
  set: 'near-term target validated',
  committed: 'committed to a near-term target, not validated',
  removed: 'near-term target removed',
  none: 'no near-term target',
  with_target: 'near-term target without a status',
};

/* A flag and a status that contradict each other say nothing. */
function targetPart(record: Organization): string | undefined {
  const status = nearTermTarget(record);
  if (status === undefined) return undefined;
  const flag = targetsByDate(record)[0]?.near_term?.has_target;
  const expected = hasTarget[status];
  if (typeof flag === 'boolean' && expected !== undefined && flag !== expected) return undefined;
  return targets[status] ?? `near-term target: ${cut(status, 60)}`;
}

/* Of the others, such as a commitment, a record may say either. */
const hasTarget: Readonly<Record<string, boolean>> = { set: true, none: false };
