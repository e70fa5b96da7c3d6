/*
 * Runs batches for tests: a file in its own directory, a service in memory, a virtual clock.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pacer } from '../../../src/client/pace/pacer.ts';
import type { Registration } from '../../../src/client/registration/fields.ts';
import { type Batch, type BatchOptions, openBatch } from '../../../src/lists/batch/batch.ts';
import type { Preflight } from '../../../src/lists/batch/preflight.ts';
import type { Accepted, RowEvent, RunOutcome } from '../../../src/lists/batch/rows.ts';
import type { SendOptions } from '../../../src/lists/batch/send.ts';
import type { MachineIdentity } from '../../../src/runtime/file-lock.ts';
import { VirtualClock } from '../../support/clock.ts';
import { newFolder } from '../../support/run.ts';

/** Creates a machine on which exactly these processes are alive. */
export function machine(
  pid = 4242,
  alive: readonly number[] = [pid],
  host = 'crane',
): MachineIdentity {
  const state = { start: '1', isSuspended: false };
  return {
    host,
    pid,
    space: `${host} boot`,
    find: (other) => (alive.includes(other) ? state : undefined),
  };
}

/** A service that gives every distinct body an id, in the order of first arrival. */
export class CountingService {
  /** Decides about an attempt and throws to fail it; attempts count from 1. */
  readonly decide: (body: Registration, tried: number) => void | Promise<void>;
  readonly bodies: Registration[] = [];
  readonly ids = new Map<string, number>();
  constructor(
    decide: (body: Registration, tried: number) => void | Promise<void> = () => undefined,
  ) {
    this.decide = decide;
  }

  readonly register = async (body: Registration): Promise<Accepted> => {
    this.bodies.push(body);
    await this.decide(body, this.bodies.length);
    const key = JSON.stringify(body);
    const id = this.ids.get(key) ?? this.ids.size + 1;
    this.ids.set(key, id);
    const head = { id, status: 'created' };
    return { ...head, json: JSON.stringify({ ...head, name: body.name }) };
  };
}

/** The result of a run. */
export interface BatchResult {
  readonly preflight: Preflight;
  readonly outcome: RunOutcome;
  readonly events: RowEvent[];
  /** Bodies that this run sent. */
  readonly sent: Registration[];
  readonly journal: string;
}

/** Options that a test may set for a run. */
export type FixtureOptions = Partial<BatchOptions> &
  Partial<SendOptions> & { readonly service?: string; readonly concurrency?: number };

/** A file with its journal and its service, for any number of runs. */
export class BatchFixture {
  api: CountingService;
  readonly folder = newFolder();
  readonly path: string;
  constructor(
    content: string | Buffer,
    api: CountingService = new CountingService(),
    name = 'suppliers.csv',
  ) {
    this.api = api;
    this.path = join(this.folder, name);
    this.write(content);
  }

  write(content: string | Buffer): void {
    writeFileSync(this.path, content);
  }

  open(choices: FixtureOptions = {}): Promise<Batch> {
    return openBatch({
      path: this.path,
      name: this.path,
      service: 'https://api.example.com/v1',
      profile: 'default',
      clock: new VirtualClock(),
      machine: machine(),
      signal: new AbortController().signal,
      ...choices,
    });
  }

  /** Checks the file and sends the remaining rows. */
  async run(choices: FixtureOptions = {}): Promise<BatchResult> {
    const batch = await this.open(choices);
    try {
      const before = this.api.bodies.length;
      const events: RowEvent[] = [];
      const outcome = await batch.send({
        register: this.api.register,
        pacer: new Pacer({ concurrency: choices.concurrency ?? 4 }),
        graceMs: 7_000,
        random: () => 0.5,
        onEvents: (group) => void events.push(...group),
        ...choices,
      });
      const { preflight, journal } = batch;
      return {
        preflight,
        outcome,
        events,
        sent: this.api.bodies.slice(before),
        journal,
      };
    } finally {
      batch.close();
    }
  }
}

/** Returns the id of each line that has one. */
export function idsByLine(events: readonly RowEvent[]): Map<number, unknown> {
  return new Map(
    events.flatMap((event) => ('id' in event ? [[event.line, event.id] as const] : [])),
  );
}
