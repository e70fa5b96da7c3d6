import type { Counts } from '../records/records.ts';
import type { Entry } from './summary/digest.ts';
import type { RankedEmitter } from './summary/top-emitters.ts';
import { Summarizer, type Summary } from './summary.ts';

/** A summary and the largest emitters, the largest first. */
export interface PortfolioSummary {
  readonly summary: Summary;
  readonly emitters: readonly RankedEmitter[];
}

/**
 * Summarizes a portfolio.
 * @param counts numbers of the input
 * @param maxEmitters maximum number of top emitters to return
 */
export function summarizePortfolio(
  entries: Iterable<Entry>,
  counts: Counts,
  maxEmitters?: number,
): PortfolioSummary {
  const summarizer = new Summarizer(maxEmitters);
  for (const entry of entries) summarizer.add(entry);
  return { summary: summarizer.result(counts), emitters: summarizer.emitters };
}
