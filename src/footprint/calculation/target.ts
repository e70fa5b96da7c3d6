import type { Organization } from '../../api/schema.ts';
import { targetsByDate } from '../../organizations/targets.ts';
import type { NearTermTarget } from '../register-row.ts';

/** The target of a supplier without SBTi data. */
export const unknownTarget: NearTermTarget = { status: null, created_at: null, retrieved_at: null };

/**
 * Returns the near-term target in the latest SBTi target record.
 *
 * The status is `none` if SBTi lists no target, and null without data. A target without a status
 * never counts as `set`.
 */
export function nearTermTarget(record: Organization): NearTermTarget {
  const { data, last_retrieved_at } = record.sbti ?? {};
  if (!data) return unknownTarget;
  const [latest] = data.length > 1 ? targetsByDate(record) : data;
  const flag = latest?.near_term?.has_target;
  const isNone = latest === undefined || flag === false;
  return {
    status: latest?.near_term?.target_status || (isNone ? 'none' : flag ? 'with_target' : null),
    created_at: latest?.created_at || null,
    retrieved_at: latest?.retrieved_at || last_retrieved_at || null,
  };
}
