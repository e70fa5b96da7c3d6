/*
 * What becomes of each row of a run: from the plan when it need not be sent, from the service's answer, or from that of
 * an equal row. A key is under way at most once, and its outcome goes to the journal and to the caller together.
 */
import type { Clock } from '../clock.ts';
import type { Registration } from '../contract.ts';
import type { CarbonError } from '../errors.ts';
import { readHead } from '../record-head.ts';
import { refusedLine, registeredLine } from './journal-line.ts';
import { State } from './key-index.ts';
import type { Outbox, WrittenLine } from './outbox.ts';
import type { RowEvent } from './outcome.ts';
import { decide, type PlanOptions } from './plan.ts';
import { rowProblems } from './preflight.ts';
import type { Memory } from './recall.ts';
import { checkRow } from './registration.ts';
import type { Received } from './sending.ts';
import { type IdentifiedRow, identifyRows, type Table } from './table.ts';

/** A row that is being sent, perhaps more than once. */
export interface Job {
  readonly line: number;
  readonly key: string;
  readonly entry: number;
  readonly registration: Registration;
  /** Lines of equal rows that were met meanwhile. */
  readonly equals: number[];
  /** Tries that the service failed on. */
  failures: number;
  /** Tries that it refused for its rate limit. */
  refusals: number;
}

/** The rows of one run and what became of them so far. */
export class Ledger {
  readonly #underWay = new Map<number, Job>();
  readonly #postponed = new Map<number, CarbonError>();
  /* Refusals whose journal line is not written yet; the others are read back from there. */
  readonly #refused = new Map<number, CarbonError>();
  #refusals = 0;

  constructor(
    private readonly table: Table,
    private readonly memory: Memory,
    private readonly outbox: Outbox,
    private readonly options: PlanOptions & {
      readonly clock: Clock;
      readonly keepsRecords?: boolean | undefined;
    },
  ) {}

  /** How many rows are being sent. */
  get underWay(): number {
    return this.#underWay.size;
  }

  /** How many rows the service refused in this run. */
  get refusals(): number {
    return this.#refusals;
  }

  /**
   * Reads the rows to be sent; the outcome of the others is told on the way. Undefined says that the outbox is full.
   * @throws LocalError when the file is not the one that was checked
   */
  async *jobs(): AsyncGenerator<Job | undefined, void, void> {
    for await (const { rows } of identifyRows(this.table)) {
      for (const row of rows) {
        const job = await this.#begin(row);
        if (job !== undefined || this.outbox.isFull) yield job;
      }
    }
  }

  async #begin(row: IdentifiedRow): Promise<Job | undefined> {
    const { index } = this.memory;
    const { line, key } = row;
    const entry = index.find(key);
    const firstLine = entry < 0 ? 0 : index.line(entry);
    if (firstLine === 0 || firstLine > line) throw this.table.source.changed();
    const state = index.state(entry);
    const job = this.#underWay.get(entry);
    const postponed = this.#postponed.get(entry);
    const settled = (state & State.now) !== 0;
    if (job !== undefined) job.equals.push(line);
    else if (postponed !== undefined) this.outbox.put([{ kind: 'postponed', line, error: postponed }]);
    else if (settled && (state & State.done) !== 0) {
      this.outbox.put([{ kind: 'duplicate', line, firstLine, id: index.id(entry) }]);
    } else if (settled) this.outbox.put([await this.#refusedEvent(line, entry, false)]);
    else return this.#plan(row, entry, firstLine);
    return undefined;
  }

  async #plan(row: IdentifiedRow, entry: number, firstLine: number): Promise<Job | undefined> {
    const { index } = this.memory;
    const { line, key } = row;
    const isValid = () => rowProblems(row).length === 0;
    const step = decide(index.state(entry), line === firstLine, isValid, this.options);
    if (step === 'new') {
      const { registration } = checkRow(row.values);
      const job = { line, key, entry, registration, equals: [], failures: 0, refusals: 0 };
      this.#underWay.set(entry, job);
      return job;
    }
    if (step === 'done') this.outbox.put([{ kind: 'skipped', line, id: index.id(entry) }]);
    else if (step === 'invalid') this.outbox.put([{ kind: 'invalid', line, problems: rowProblems(row) }]);
    else if (step === 'refused') this.outbox.put([await this.#refusedEvent(line, entry, true)]);
    // An equal row above would be under way or settled: this is not the file that was checked.
    else throw this.table.source.changed();
    return undefined;
  }

  async #refusedEvent(line: number, entry: number, earlier: boolean): Promise<RowEvent> {
    const error = this.#refused.get(entry) ?? (await this.memory.refusal(entry));
    return { kind: 'refused', line, error, earlier };
  }

  /** Takes note that a row was registered, and its equals with it. */
  registered(job: Job, { record, json }: Received): void {
    const { index } = this.memory;
    const { keepsRecords = true } = this.options;
    const { line, key, entry, equals } = job;
    const { id, status } = readHead(record);
    index.setState(entry, State.done | State.now);
    index.setId(entry, id);
    this.#underWay.delete(entry);
    const text = registeredLine({ key, line, id, status }, this.options.clock.now());
    this.outbox.put([{ kind: 'registered', line, id, status, json: keepsRecords ? json : undefined }], {
      text,
      entry,
    });
    for (const equal of equals) this.outbox.put([{ kind: 'duplicate', line: equal, firstLine: line, id }]);
  }

  /** Takes note that the service refused a row. */
  refused({ key, line, entry, equals }: Job, error: CarbonError): void {
    this.memory.index.setState(entry, State.refused | State.now);
    this.#underWay.delete(entry);
    this.#refused.set(entry, error);
    this.#refusals += 1;
    const text = refusedLine(key, line, error, this.options.clock.now());
    const event = (line: number): RowEvent => ({ kind: 'refused', line, error, earlier: false });
    this.outbox.put([event(line)], { text, entry });
    for (const equal of equals) this.outbox.put([event(equal)]);
  }

  /** Takes note that a row is left to the next run. */
  postponed({ entry, line, equals }: Job, error: CarbonError): void {
    this.#underWay.delete(entry);
    this.#postponed.set(entry, error);
    for (const each of [line, ...equals]) this.outbox.put([{ kind: 'postponed', line: each, error }]);
  }

  /** Takes note of where the journal says why rows were refused. */
  written(path: string, lines: readonly WrittenLine[]): void {
    for (const { entry, offset } of lines) {
      if (this.#refused.delete(entry)) this.memory.rememberRefusal(entry, path, offset);
    }
  }
}
