/*
 * Writes the numbers of a run to a file: as text for Prometheus (exposition format 0.0.4), which the
 * textfile collector of node_exporter reads, or as one JSON document.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { writeAtomically } from '../runtime/atomic-file.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import { checkFileName } from '../runtime/file-errors.ts';
import type { MachineIdentity } from '../runtime/machine.ts';
import { codeOf, explainSystemError } from '../runtime/system-error.ts';
import type { RunNumbers, Subject, Work } from './run-recorder.ts';

/** The JSON document of a run. Times are in UTC (ISO 8601). */
export interface RunDocument {
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

/* Far above the size of either form. */
const maxBytes = 256 * 1024;

/**
 * Replaces the file of the last run atomically, with the mode 0666 less the umask, so that a
 * collector of another user can read it.
 *
 * If this run failed, the file keeps the time of the last success.
 * @param path ends in `.json` or `.prom`
 * @throws LocalError if the file cannot be written, or if carbon did not write the existing file
 */
export async function writeMetrics(
  path: string,
  run: RunNumbers,
  machine: MachineIdentity,
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  try {
    checkFileName(path);
    const before = readLastSuccess(await readExisting(target), run.command);
    const lastSuccessAt = run.isSuccess ? run.endedAt : before;
    const render = path.endsWith('.json') ? renderJson : renderPrometheus;
    await writeAtomically(target, machine, async ({ handle, commit }) => {
      await handle.writeFile(render(run, path, lastSuccessAt));
      await commit();
    });
  } catch (cause) {
    throw new LocalError(`cannot write ${path}: ${explain(cause)}`);
  }
}

/* Returns the text of a file, empty if there is none. */
async function readExisting(path: string): Promise<string> {
  const stats = await stat(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  if (stats === undefined) return '';
  if (!stats.isFile()) throw new Error('it is not a regular file');
  if (stats.size > maxBytes) throw notOurs();
  return readFile(path, 'utf8');
}

/* Omits the name of the temporary file, which would confuse the reader. */
function explain(cause: unknown): string {
  return codeOf(cause) === 'ENOENT' ? 'its directory does not exist' : explainSystemError(cause);
}

function notOurs(): Error {
  return new Error('carbon did not write the existing file');
}

const header = '# Written by carbon. The next run replaces this file.';
const lastSuccess = 'carbon_last_success_timestamp_seconds';

/* Returns the end of the last successful run of this command, in milliseconds since 1970. */
function readLastSuccess(text: string, command: string): number | undefined {
  if (text === '') return undefined;
  if (text.startsWith(`${header}\n`)) {
    const line = new RegExp(
      `^${lastSuccess}\\{command="${command}",.*\\} (\\d+(?:\\.\\d+)?)$`,
      'm',
    );
    const seconds = line.exec(text)?.[1];
    return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000);
  }
  const run = parseRun(text);
  if (run?.kind !== 'carbon_run') throw notOurs();
  const ms = Date.parse(run.last_success_at ?? '');
  return run.command !== command || Number.isNaN(ms) ? undefined : ms;
}

function parseRun(text: string): Partial<RunDocument> | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

function renderJson(run: RunNumbers, _: string, lastSuccessAt: number | undefined): string {
  const { work, permittedRate } = run;
  const document: RunDocument = {
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
    permitted_requests_per_second: permittedRate === undefined ? null : round(permittedRate),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

/* That collector rejects two files with the same name and labels: `task` is the file's name. */
function renderPrometheus(
  run: RunNumbers,
  path: string,
  lastSuccessAt: number | undefined,
): string {
  const task = basename(path, '.prom');
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
