import { describe, expect, it } from 'vitest';
import { nearTermTarget } from '../../../src/footprint/calculation/target.ts';

describe('nearTermTarget', () => {
  it('reads the latest target record', () => {
    const data = [
      { created_at: '2021-05-01', near_term: { target_status: 'committed' } },
      {
        created_at: '2023-02-01',
        retrieved_at: '2025-01-02',
        near_term: { has_target: true, target_status: 'set' },
      },
      { created_at: '2022-01-01', near_term: { target_status: 'removed' } },
    ];
    expect(nearTermTarget({ sbti: { last_retrieved_at: '2025-06-01', data } })).toEqual({
      status: 'set',
      created_at: '2023-02-01',
      retrieved_at: '2025-01-02',
    });
  });

  it('is `none` if SBTi lists no target', () => {
    expect(nearTermTarget({ sbti: { last_retrieved_at: '2025-06-01', data: [] } })).toEqual({
      status: 'none',
      created_at: null,
      retrieved_at: '2025-06-01',
    });
    const data = [{ near_term: { has_target: false } }];
    expect(nearTermTarget({ sbti: { data } }).status).toBe('none');
  });

  it('is null without data', () => {
    for (const sbti of [undefined, null, {}, { data: null }]) {
      expect(nearTermTarget({ sbti }).status).toBeNull();
    }
    expect(nearTermTarget({ sbti: { data: [{}] } }).status).toBeNull();
  });

  it('never reads a target without a status as `set`', () => {
    const data = [{ near_term: { has_target: true } }];
    expect(nearTermTarget({ sbti: { data } }).status).toBe('with_target');
  });
});
