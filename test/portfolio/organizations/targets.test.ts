import { expect, it } from 'vitest';
import { targetEvidence } from '../../../src/portfolio/organizations/targets.ts';

it('says nothing of a look-up after the day that a record stands for', () => {
  // A list keeps the last look-up of a record that is otherwise the same as on an earlier day.
  const record = {
    sbti: {
      last_retrieved_at: '2026-11-20',
      data: [{ near_term: { target_status: 'set' }, retrieved_at: '2026-11-20T06:00:00Z' }],
    },
  };
  const looked = (until: string | null) => targetEvidence(record, until)?.checkedAt;
  expect(looked('2025-12-01T08:00:00Z')).toBeNull();
  expect(looked('2026-11-20T05:00:00Z')).toBe('2026-11-20T06:00:00Z');
  expect(looked(null)).toBe('2026-11-20T06:00:00Z');
});
