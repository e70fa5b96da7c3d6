import type { OrganizationId } from '../api/ids.ts';
import { LatestRecords } from '../records/latest-records.ts';
import type { Counts } from '../records/record-counter.ts';
import type { SpillBufferOptions } from '../records/spill-buffer.ts';
import { parseEntry } from './summary/entry-text.ts';
import type { RankedEmitter } from './summary/top-emitters.ts';
import { Summarizer, type Summary } from './summary.ts';

/** A summary and the largest emitters, the largest first. */
export interface PortfolioSummary {
  readonly summary: Summary;
  readonly emitters: readonly RankedEmitter[];
}

/**
 * Summarizes a portfolio from the latest record of each organization.
 *
 * It adds each record to the summary at once, while the next ones are read. A second record of an
 * organization invalidates this summary, so that carbon summarizes all texts again at the end.
 */
export class Portfolio {
  readonly #records: LatestRecords;
  readonly #maxEmitters: number | undefined;
  #summarizer: Summarizer | undefined;

  /** @param maxEmitters maximum number of top emitters to keep */
  constructor(options: SpillBufferOptions, maxEmitters: number | undefined) {
    this.#records = new LatestRecords(options);
    this.#maxEmitters = maxEmitters;
    this.#summarizer = new Summarizer(maxEmitters);
  }

  /**
   * Adds the text of an entry, which replaces an earlier one of its key.
   * @throws LocalError when the disk is full
   */
  add(text: string, key: OrganizationId | undefined): Promise<void> | undefined {
    const added = this.#records.add(text, key);
    if (this.#records.hasSuperseded) this.#summarizer = undefined;
    else this.#summarizer?.add(parseEntry(text));
    return added;
  }

  /** @param counts numbers of the input */
  async summarize(counts: Counts): Promise<PortfolioSummary> {
    const summarizer = this.#summarizer ?? (await this.#summarizeLatest());
    return { summary: summarizer.result(counts), emitters: summarizer.emitters };
  }

  /** Frees the disk space. */
  close(): Promise<void> {
    return this.#records.close();
  }

  async #summarizeLatest(): Promise<Summarizer> {
    const summarizer = new Summarizer(this.#maxEmitters);
    for await (const text of this.#records.latest()) summarizer.add(parseEntry(text));
    return summarizer;
  }
}
