/*
 * Collects the numbers of one run, and writes them to a file: as text for Prometheus (exposition
 * format 0.0.4), which the textfile collector of node_exporter reads, or as one JSON document.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { writeAtomically } from '../runtime/atomic-file.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { codeOf, explainSystemError } from '../runtime/system-error.ts';
import type { RunDocument } from './run-document.ts';

/** Counts what a run processed. */
export interface Work {
  /** The rows of a file, or organizations by id. */
  readonly subject: 'rows' | 'organizations';
  readonly outcomes: Readonly<Record<string, number>>;
  /** Number without an outcome. */
  readonly left: number;
}

/** What the recorder uses of an event of the client. */
type RequestEvent =
  | { readonly kind: 'request' | 'retry' }
  | { readonly kind: 'response'; readonly status: number; readonly synthetic: boolean };

/* A run that finished is a success of its schedule, even if research or rows failed. */
const finishedExits: readonly number[] = [0, 7, 8, 9];

/** Collects the numbers of one run, which starts now. */
export class RunRecorder {
  readonly #run: Pick<RunDocument, 'command' | 'version'>;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #start: number;
  #work: Work | undefined;
  #isDryRun = false;
  #isSynthetic = false;
  #requests = 0;
  readonly #responses: Record<string, number> = {};
  #readRate: () => number | undefined = () => undefined;
  #permittedRate: number | undefined;

  constructor(run: Pick<RunDocument, 'command' | 'version'>, clock: Clock) {
    this.#run = run;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#start = clock.elapsed();
  }

  /** Counts the requests and responses of the client. */
  observe(event: RequestEvent): void {
    if (event.kind === 'request') this.#requests += 1;
    if (event.kind !== 'response') return;
    const { status, synthetic } = event;
    this.#responses[status] = (this.#responses[status] ?? 0) + 1;
    this.#isSynthetic ||= synthetic;
    this.#sampleRate();
  }

  /** Replaces the counts of what the run processed. */
  setWork(work: Work): void {
    this.#work = work;
  }

  /** Marks a run that only checks its input, which is never a success of the job. */
  setDryRun(): void {
    this.#isDryRun = true;
  }

  /** Sets the function that returns the permitted requests per second. */
  observeRate(read: () => number | undefined): void {
    this.#readRate = read;
  }

  /**
   * Returns the numbers of the run, which ends now.
   *
   * @param isStopped whether a signal or a closed output stopped the run early
   */
  end(exit: number, isStopped: boolean): RunDocument {
    this.#sampleRate();
    const endedAt = new Date(this.#clock.now()).toISOString();
    const isSuccess = finishedExits.includes(exit) && !isStopped && !this.#isDryRun;
    return {
      kind: 'carbon_run',
      ...this.#run,
      exit,
      dry_run: this.#isDryRun,
      synthetic: this.#isSynthetic,
      started_at: new Date(this.#startedAt).toISOString(),
      ended_at: endedAt,
      last_success_at: isSuccess ? endedAt : null,
      duration_ms: Math.round(this.#clock.elapsed() - this.#start),
      subject: this.#work?.subject ?? null,
      outcomes: this.#work?.outcomes ?? null,
      left: this.#work?.left ?? null,
      requests: this.#requests,
      responses: this.#responses,
      permitted_requests_per_second:
        this.#permittedRate === undefined ? null : Math.round(this.#permittedRate * 1000) / 1000,
    };
  }

  /* The pacer knows the rate only while the limit delays requests, so the last one counts. */
  #sampleRate(): void {
    this.#permittedRate = this.#readRate() ?? this.#permittedRate;
  }
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
export async function writeMetrics(path: string, run: RunDocument): Promise<void> {
  const target = await realpath(path).catch(() => path);
  try {
    const before = readLastSuccess(await readExisting(target), run.command);
    const document = { ...run, last_success_at: run.last_success_at ?? before };
    const text = path.endsWith('.json')
      ? `${JSON.stringify(document, undefined, 2)}\n`
      : renderPrometheus(document, basename(path, '.prom'));
    await writeAtomically(target, async ({ handle, commit }) => {
      await handle.writeFile(text);
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

/* Returns the end of the last successful run of this command. */
function readLastSuccess(text: string, command: string): string | null {
  if (text === '') return null;
  if (text.startsWith(`${header}\n`)) {
    const line = new RegExp(
      `^${lastSuccess}\\{command="${command}",.*\\} (\\d+(?:\\.\\d+)?)$`,
      'm',
    );
    const seconds = line.exec(text)?.[1];
    return seconds === undefined
      ? null
      : new Date(Math.round(Number(seconds) * 1000)).toISOString();
  }
  const run = parseRun(text);
  if (run?.kind !== 'carbon_run') throw notOurs();
  const isTime = !Number.isNaN(Date.parse(run.last_success_at ?? ''));
  return run.command === command && isTime ? (run.last_success_at ?? null) : null;
}

function parseRun(text: string): Partial<RunDocument> | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

type Sample = readonly [value: number | null, labels?: Readonly<Record<string, string>>];

/*
 * That collector rejects two files with the same name and labels: `task` is the file's name. A
 * metric without a value is left out.
 */
function renderPrometheus(run: RunDocument, task: string): string {
  const common = { command: run.command, task };
  const gauge = (name: string, help: string, ...samples: readonly Sample[]): string[] => {
    const lines = samples
      .filter(([value]) => value !== null)
      .map(([value, labels]) => `${name}${renderLabels({ ...common, ...labels })} ${value}`);
    return lines.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines];
  };
  const seconds = (time: string | null) => (time === null ? null : Date.parse(time) / 1000);
  const samplesOf = (counts: Readonly<Record<string, number>>, label: string): Sample[] =>
    Object.entries(counts).map(([name, value]) => [value, { [label]: name }]);
  const work = `carbon_${run.command}_${run.subject}`;
  const noun = run.subject === 'rows' ? 'Rows' : 'Organizations';
  return [
    header,
    ...gauge('carbon_run_info', 'Version of carbon that ran.', [1, { version: run.version }]),
    ...gauge('carbon_run_synthetic', 'Whether the sandbox responded, with synthetic data.', [
      Number(run.synthetic),
    ]),
    ...gauge('carbon_run_exit_code', 'Exit code of the last run.', [run.exit]),
    ...gauge('carbon_last_run_timestamp_seconds', 'Time when the last run ended.', [
      seconds(run.ended_at),
    ]),
    ...gauge(lastSuccess, 'Time when the last run that finished (exit code 0, 7, 8 or 9) ended.', [
      seconds(run.last_success_at),
    ]),
    ...gauge('carbon_run_duration_seconds', 'Duration of the last run.', [run.duration_ms / 1000]),
    ...gauge('carbon_run_requests', 'Attempts of the last run to send a request.', [run.requests]),
    ...gauge(
      'carbon_run_responses',
      'Responses of the service in the last run, by HTTP status.',
      ...samplesOf(run.responses, 'status'),
    ),
    ...gauge(
      'carbon_run_permitted_requests_per_second',
      'Rate that the service allowed at the end of the last run.',
      [run.permitted_requests_per_second],
    ),
    ...gauge(
      work,
      `${noun} of the last run, by outcome.`,
      ...samplesOf(run.outcomes ?? {}, 'outcome'),
    ),
    ...gauge(`${work}_left`, `${noun} without an outcome after the last run.`, [run.left]),
    '',
  ].join('\n');
}

function renderLabels(labels: Readonly<Record<string, string>>): string {
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
