import type { Lease } from './lease.ts';
import type { OutcomeReport } from './outcome-report.ts';

interface TestResult {
  readonly at: number;
  readonly passed: boolean;
}

/** Collects the results of leases that test the limit, and reports each test once. */
export class LeaseTests {
  readonly #report: OutcomeReport;
  readonly #results = new WeakMap<Lease, TestResult[]>();

  constructor(report: OutcomeReport) {
    this.#report = report;
  }

  /** Adds the result of a request, if its lease is a test. */
  add(lease: Lease, result: TestResult): void {
    if (lease.test === undefined) return;
    const results = this.#results.get(lease) ?? [];
    results.push(result);
    this.#results.set(lease, results);
    if (results.length < lease.size) return;
    this.#report.solo({ id: lease.test, results: results.sort((a, b) => a.at - b.at) });
  }

  /** Reports a test that ends early without results, because it may delay the other processes. */
  drop(lease: Lease): void {
    if (lease.test !== undefined) this.#report.solo({ id: lease.test, results: [] });
  }
}
