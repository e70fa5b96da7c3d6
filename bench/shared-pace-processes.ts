import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { LimitedRequest } from './load-server.ts';
import { bareEnvironment, carbon, type LoadServer, node, writeSuppliers } from './measure.ts';

const maxRows = 100_000;

/** Processes at one limit. Each registers its own list, so that a timeline can separate them. */
export class Processes {
  readonly #server: LoadServer;
  readonly #env: Readonly<Record<string, string>>;
  readonly #children: ChildProcess[] = [];
  readonly #endedAt: number[] = [];

  /** @param pace URL of the shared pace; without it, each process learns the limit alone */
  constructor(server: LoadServer, pace: string | undefined) {
    this.#server = server;
    const variables = pace === undefined ? {} : { CARBON_PACE: pace };
    this.#env = { ...bareEnvironment, ...server.env, ...variables };
  }

  /** Starts `count` processes at once; returns when they started. */
  async start(count: number, rowsEach: number): Promise<number> {
    const indexes = Array.from({ length: count }, (_, at) => this.#children.length + at);
    const files = await Promise.all(
      indexes.map((index) => writeSuppliers(rowsEach, index * maxRows)),
    );
    const startedAt = clock();
    for (const file of files) {
      const argv = [carbon, 'batch', file, '--no-progress'];
      const child = spawn(node, argv, { env: this.#env, stdio: 'ignore' });
      const index = this.#children.push(child) - 1;
      child.on('close', () => {
        this.#endedAt[index] = clock();
      });
    }
    return startedAt;
  }

  /** Waits until all processes have ended; returns their exit codes and the times of their ends. */
  async ended(): Promise<{ exits: (number | null)[]; endedAt: readonly number[] }> {
    const running = this.#children.filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    );
    await Promise.all(running.map((child) => once(child, 'close')));
    return { exits: this.#children.map(({ exitCode }) => exitCode), endedAt: this.#endedAt };
  }

  /** Returns what the limit decided. */
  async timeline(): Promise<Timeline> {
    return new Timeline(await this.#server.timeline(), this.#children.length);
  }
}

/** Returns the time since 1970 in milliseconds, on the clock that the server also uses. */
export function clock(): number {
  return performance.timeOrigin + performance.now();
}

/** The requests of several processes at one limit. Times are in milliseconds since 1970. */
export class Timeline {
  readonly #requests: readonly LimitedRequest[];
  readonly #processes: number;

  constructor(requests: readonly LimitedRequest[], processes: number) {
    this.#requests = requests;
    this.#processes = processes;
  }

  /** Time of the first request. */
  get beganAt(): number {
    return this.#requests[0]?.at ?? Number.NaN;
  }

  /** Time of the last request. */
  get endedAt(): number {
    return this.#requests.at(-1)?.at ?? Number.NaN;
  }

  /** Period in which every process had sent a request and none had sent its last one. */
  get commonPeriod(): readonly [from: number, to: number] {
    const times = Array.from({ length: this.#processes }, (_, index) =>
      this.#requests.filter(({ row }) => Math.floor(row / maxRows) === index).map(({ at }) => at),
    );
    const from = Math.max(...times.map(([first = Infinity]) => first));
    return [from, Math.min(...times.map((all) => all.at(-1) ?? -Infinity))];
  }

  /** Counts the requests from one time to another. */
  count(from: number, to: number): { accepted: number; refused: number } {
    const all = this.#requests.filter(({ at }) => at >= from && at <= to);
    const accepted = all.filter(({ isAccepted }) => isAccepted).length;
    return { accepted, refused: all.length - accepted };
  }
}
