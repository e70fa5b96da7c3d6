/* Collects the numbers of one run for the metrics file and the run summary. */
import type { Clock } from '../runtime/clock.ts';

/** What a command processes: the rows of a file, or organizations by id. */
export type Subject = 'rows' | 'organizations';

/** Contains the numbers of one run. Times are milliseconds since 1970. */
export interface RunNumbers {
  readonly command: string;
  readonly version: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly durationMs: number;
  readonly exit: number;
  /** Whether the run did everything: exit code 0, no early stop and no dry run. */
  readonly isSuccess: boolean;
  readonly isDryRun: boolean;
  /** Whether a sandbox responded, whose figures are synthetic. */
  readonly isSynthetic: boolean;
  /** What the run processed, by outcome; undefined if it ended before it knew its input. */
  readonly work: Work | undefined;
  /** Number of attempts to send a request. */
  readonly requests: number;
  /** Number of responses by HTTP status, ascending. */
  readonly responses: ReadonlyMap<number, number>;
  /** Last rate in requests per second that the service permitted; undefined if it never limited. */
  readonly permittedRate: number | undefined;
}

/** Counts what a run processed. */
export interface Work {
  readonly subject: Subject;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Number without an outcome. */
  readonly left: number;
}

/** How a run ended. */
export interface RunResult {
  readonly exit: number;
  /** Whether a signal or a closed output stopped the run early. */
  readonly isStopped: boolean;
}

/** What the recorder uses of an event of the client. */
export type RequestEvent =
  | { readonly kind: 'request' | 'retry' }
  | { readonly kind: 'response'; readonly status: number; readonly synthetic: boolean };

/** Collects the numbers of one run. */
export class RunRecorder {
  readonly #run: { readonly command: string; readonly version: string };
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #start: number;
  #work: Work | undefined;
  #isDryRun = false;
  #isSynthetic = false;
  #requests = 0;
  readonly #responses = new Map<number, number>();
  #readRate: () => number | undefined = () => undefined;
  #permittedRate: number | undefined;

  /** Starts with the run. */
  constructor(run: { readonly command: string; readonly version: string }, clock: Clock) {
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
    this.#responses.set(status, (this.#responses.get(status) ?? 0) + 1);
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

  /** Returns the numbers of the run, which ends now. */
  end({ exit, isStopped }: RunResult): RunNumbers {
    this.#sampleRate();
    return {
      ...this.#run,
      startedAt: this.#startedAt,
      endedAt: this.#clock.now(),
      durationMs: this.#clock.elapsed() - this.#start,
      exit,
      isSuccess: exit === 0 && !isStopped && !this.#isDryRun,
      isDryRun: this.#isDryRun,
      isSynthetic: this.#isSynthetic,
      work: this.#work,
      requests: this.#requests,
      responses: new Map([...this.#responses].sort(([one], [other]) => one - other)),
      permittedRate: this.#permittedRate,
    };
  }

  /* The pacer knows the rate only while the limit delays requests, so the last one counts. */
  #sampleRate(): void {
    this.#permittedRate = this.#readRate() ?? this.#permittedRate;
  }
}
