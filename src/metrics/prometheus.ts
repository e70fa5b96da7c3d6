/*
 * Renders the numbers of a run in the text format of Prometheus (exposition format 0.0.4), for the
 * textfile collector of node_exporter. That collector reads all files of a directory and refuses
 * them if two contain the same name and labels, so the label `task` is the name of the file.
 */
import { basename } from 'node:path';
import { type Previous, readTime } from './previous-run.ts';
import type { RunNumbers, Work } from './run-recorder.ts';

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

const header = '# Written by carbon. The next run replaces this file.';
const lastSuccess = 'carbon_last_success_timestamp_seconds';

/** Returns the label `task` of a metrics file: its name without the extension. */
export function taskOf(path: string): string {
  return basename(path).replace(/(?<=.)\.[^.]*$/, '');
}

/**
 * Renders the metrics of a run.
 * @param task distinguishes the metrics files of one directory
 * @param lastSuccessAt end of the last successful run, in milliseconds since 1970
 */
export function renderMetrics(
  run: RunNumbers,
  task: string,
  lastSuccessAt: number | undefined,
): string {
  const common = { command: run.command, task };
  const gauge = (name: string, help: string, samples: readonly Sample[]): string[] =>
    samples.length === 0
      ? []
      : [
          `# HELP ${name} ${help}`,
          `# TYPE ${name} gauge`,
          ...samples.map(
            ({ labels, value }) => `${name}${renderLabels({ ...common, ...labels })} ${value}`,
          ),
        ];
  const sampleOf = (value: number | undefined): Sample[] =>
    value === undefined ? [] : [{ value }];
  const seconds = (ms: number | undefined) => (ms === undefined ? undefined : round(ms / 1000));
  return [
    header,
    ...gauge('carbon_run_info', 'Version of carbon that ran.', [
      { labels: { version: run.version }, value: 1 },
    ]),
    ...gauge(
      'carbon_run_synthetic',
      'Whether the sandbox responded, with synthetic data.',
      sampleOf(Number(run.isSynthetic)),
    ),
    ...gauge('carbon_run_exit_code', 'Exit code of the last run.', sampleOf(run.exit)),
    ...gauge(
      'carbon_last_run_timestamp_seconds',
      'Time when the last run ended.',
      sampleOf(seconds(run.endedAt)),
    ),
    ...gauge(
      lastSuccess,
      'Time when the last run with exit code 0 ended.',
      sampleOf(seconds(lastSuccessAt)),
    ),
    ...gauge(
      'carbon_run_duration_seconds',
      'Duration of the last run.',
      sampleOf(seconds(run.durationMs)),
    ),
    ...gauge(
      'carbon_run_requests',
      'Attempts of the last run to send a request.',
      sampleOf(run.requests),
    ),
    ...gauge(
      'carbon_run_responses',
      'Responses of the service in the last run, by HTTP status.',
      [...run.responses].map(([status, value]) => ({ labels: { status: `${status}` }, value })),
    ),
    ...gauge(
      'carbon_run_permitted_requests_per_second',
      'Rate that the service permitted at the end of the last run.',
      sampleOf(run.permittedRate === undefined ? undefined : round(run.permittedRate)),
    ),
    ...(run.work === undefined ? [] : workMetrics(run.command, run.work, gauge)),
    '',
  ].join('\n');
}

function workMetrics(
  command: string,
  { subject, outcomes, left }: Work,
  gauge: (name: string, help: string, samples: readonly Sample[]) => string[],
): string[] {
  const name = `carbon_${command}_${subject}`;
  const noun = subject === 'rows' ? 'Rows' : 'Organizations';
  const samples = Object.entries(outcomes).map(([outcome, value]) => ({
    labels: { outcome },
    value,
  }));
  return [
    ...gauge(name, `${noun} of the last run, by outcome.`, samples),
    ...gauge(`${name}_left`, `${noun} without an outcome after the last run.`, [{ value: left }]),
  ];
}

/** Reads the last success from a metrics file of the same command and task. */
export function readMetrics(text: string, command: string, task: string, now: number): Previous {
  if (!text.startsWith(`${header}\n`)) return { isOurs: false };
  const start = `${lastSuccess}${renderLabels({ command, task })} `;
  const values = text
    .split('\n')
    .filter((line) => line.startsWith(start))
    .map((line) => line.slice(start.length));
  const [value] = values;
  if (value === undefined) return { isOurs: true };
  const isTime = values.length === 1 && /^\d{1,11}(\.\d{1,3})?$/.test(value);
  return readTime(isTime ? Math.round(Number(value) * 1000) : undefined, now);
}

function renderLabels(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return `{${parts.join(',')}}`;
}

/* Escapes as the format requires; other control characters would only disturb a screen. */
function escapeLabel(value: string): string {
  return value
    .replace(/[\\"]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd');
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
