/* Renders the numbers of a run as one JSON document. docs/monitoring.md lists the members. */
import { type Previous, readTime } from './previous-run.ts';
import type { RunNumbers, Subject } from './run-recorder.ts';

/** The document that `--summary` writes. Times are in UTC (ISO 8601). */
export interface RunSummary {
  readonly kind: 'carbon_run';
  readonly command: string;
  readonly version: string;
  readonly exit: number;
  readonly dry_run: boolean;
  readonly synthetic: boolean;
  readonly started_at: string;
  readonly ended_at: string;
  readonly last_success_at: string | null;
  readonly duration_ms: number;
  readonly subject: Subject | null;
  readonly outcomes: Readonly<Record<string, number>> | null;
  readonly left: number | null;
  readonly requests: number;
  readonly responses: Readonly<Record<string, number>>;
  readonly permitted_requests_per_second: number | null;
}

/**
 * Renders the summary of a run as JSON.
 * @param lastSuccessAt end of the last successful run, in milliseconds since 1970
 */
export function renderRunSummary(run: RunNumbers, lastSuccessAt: number | undefined): string {
  const { work, permittedRate } = run;
  const summary: RunSummary = {
    kind: 'carbon_run',
    command: run.command,
    version: run.version,
    exit: run.exit,
    dry_run: run.isDryRun,
    synthetic: run.isSynthetic,
    started_at: formatTime(run.startedAt),
    ended_at: formatTime(run.endedAt),
    last_success_at: lastSuccessAt === undefined ? null : formatTime(lastSuccessAt),
    duration_ms: Math.round(run.durationMs),
    subject: work?.subject ?? null,
    outcomes: work?.outcomes ?? null,
    left: work?.left ?? null,
    requests: run.requests,
    responses: Object.fromEntries(run.responses),
    permitted_requests_per_second:
      permittedRate === undefined ? null : Math.round(permittedRate * 1000) / 1000,
  };
  return `${JSON.stringify(summary, undefined, 2)}\n`;
}

const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

/** Reads the last success from the summary of an earlier run of the same command. */
export function readRunSummary(text: string, command: string, now: number): Previous {
  const summary = parse(text);
  if (summary?.['kind'] !== 'carbon_run') return { isOurs: false };
  const time = summary['last_success_at'];
  if (summary['command'] !== command || time === null) return { isOurs: true };
  const ms = typeof time === 'string' && utcTime.test(time) ? Date.parse(time) : Number.NaN;
  return readTime(Number.isNaN(ms) ? undefined : ms, now);
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}
