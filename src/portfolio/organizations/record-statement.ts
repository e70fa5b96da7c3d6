/* What one record says of its organization, in one sentence: numbers, their years, its target. */
import type { Organization, Performance } from '../../client/api/schema.ts';
import { amountInWords, changeSize } from '../../display/terminal/figure.ts';
import { cut } from '../../display/terminal/format.ts';
import { capital } from '../../display/terminal/text.ts';
import {
  bothScopes,
  hasReportedFigure,
  type ReportedEmissions,
  type ReportedFigure,
  readEmissions,
  readInventories,
} from './emissions.ts';
import { chooseYears, isYear, latestPerformance } from './history.ts';
import { withUnit } from './statements.ts';
import { nearTermTarget, targetsByDate } from './targets.ts';
import { bothScopesOfYears } from './trend.ts';
import { isUnmatched } from './unmatched.ts';

/** What a record means, and what there is to do; no member says what the record does not. */
export interface RecordStatement {
  /** A sentence; undefined if the record says nothing. */
  readonly text: string | undefined;
  /** What the reader can do, if the research found nothing. */
  readonly step: string | undefined;
}

/** States what a record says: its latest emissions, their change, and its near-term target. */
export function recordStatement(record: Organization, unit: string | null): RecordStatement {
  const parts = [emissionsPart(record, unit), targetPart(record)];
  const said = [researchPart(record), ...parts].filter((part) => part !== undefined);
  // The status says as much of research that has not ended well.
  const isKnown = record.status === 'synced' || parts.some((part) => part !== undefined);
  return {
    text: isKnown && said.length > 0 ? `${capital(said.join('; '))}.` : undefined,
    step: stepOf(record),
  };
}

/* Only what keeps a reader from taking missing figures for undisclosed ones. */
function researchPart(record: Organization): string | undefined {
  const { status } = record;
  if (status === 'errored') return 'research failed';
  if (status && status !== 'synced') return 'research in progress';
  return isUnmatched(record) ? 'the service found no organization that fits' : undefined;
}

function stepOf(record: Organization): string | undefined {
  if (record.status === 'errored') return 'Ask the service why the research failed';
  if (!isUnmatched(record)) return undefined;
  return 'Register it again with a website or an LEI (carbon register --website or --lei-number)';
}

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
