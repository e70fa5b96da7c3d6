import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RejectedError, UnavailableError } from '../../../src/client/api/errors.ts';
import type { RowPlan } from '../../../src/lists/batch/row-plan.ts';
import { LocalError } from '../../../src/runtime/carbon-error.ts';
import { runs } from '../../support/seed.ts';
import { BatchFixture, CountingService } from './batch-fixture.ts';

/* Rows of which several are equal; the country XX is invalid. */
const rows = fc.array(
  fc.constantFrom(
    'Acme,DE',
    'Acme,DE',
    'Beta,',
    'Bad,DE',
    'Bad,',
    'Broken,FR',
    'Gamma,XX',
    'Eta,US',
  ),
  { maxLength: 12 },
);
const nights = fc.array(
  fc.record({
    maxNew: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
    retryFailed: fc.boolean(),
    /** Requests after which nothing is accepted any more, or the run is interrupted. */
    downAfter: fc.nat({ max: 12 }),
    stopAfter: fc.nat({ max: 12 }),
    fullAfter: fc.nat({ max: 12 }),
    concurrency: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 1, maxLength: 3 },
);

describe('Batch.send', () => {
  it('counts each row of the list once, whatever happens', { tags: ['property'] }, async () => {
    await fc.assert(
      fc.asyncProperty(rows, nights, async (list, all) => {
        const fixture = new BatchFixture(`name,hq_region\n${list.join('\n')}\n`);
        for (const { downAfter, stopAfter, fullAfter, ...options } of all) {
          const stop = new AbortController();
          const { ids } = fixture.api;
          fixture.api = new CountingService(({ name }, tried) => {
            if (tried > stopAfter) stop.abort();
            if (tried > downAfter || name === 'Broken')
              throw new UnavailableError('unreadable_response', 'a page', { status: 502 });
            if (name === 'Bad') throw new RejectedError('no', { status: 422 });
          });
          Object.assign(fixture.api, { ids });
          let reported = 0;
          const { outcome, preflight } = await fixture.run({
            ...options,
            signal: stop.signal,
            onEvents(events) {
              reported += events.length;
              if (reported > fullAfter) throw new LocalError('the disk is full');
            },
          });
          const { counts, left } = outcome;
          const parts = [...Object.values(counts), left];
          expect(parts.reduce((sum, part) => sum + part)).toBe(preflight.rows);
          expect(parts.every((part) => part >= 0)).toBe(true);
          // What the journal says afterwards.
          const after = await fixture.open();
          const steps: RowPlan['step'][] = [];
          for await (const { step } of after.plans()) steps.push(step);
          after.close();
          const number = (step: RowPlan['step']) => steps.filter((each) => each === step).length;
          const registered = counts.registered + counts.skipped + counts.duplicate;
          expect([registered, counts.invalid]).toEqual([number('done'), number('invalid')]);
          // With retryFailed, a rejected row that the run did not come to remains.
          if (options.retryFailed) expect(counts.rejected).toBeLessThanOrEqual(number('rejected'));
          else expect(counts.rejected).toBe(number('rejected'));
        }
      }),
      { numRuns: runs(60) },
    );
  });
});
