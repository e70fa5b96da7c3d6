import type { Organization } from '../../api/schema.ts';
import { targetsByDate } from '../../organizations/targets.ts';
import type { NearTermTarget } from '../line-item.ts';

/** The target of a supplier without SBTi data. */
export const unknownTarget: NearTermTarget = {
  status: null,
  wording: null,
  created_at: null,
  retrieved_at: null,
};

/* The wordings of SBTi and of services, in lower case. */
const wordings: Readonly<Record<string, 'set' | 'committed' | 'removed' | 'none'>> = {
  set: 'set',
  'target set': 'set',
  'targets set': 'set',
  committed: 'committed',
  removed: 'removed',
  'commitment removed': 'removed',
  none: 'none',
  'no target': 'none',
};

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
  const stated = latest?.near_term?.target_status || null;
  const folded = (stated ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
  const known = Object.hasOwn(wordings, folded) ? wordings[folded] : 'other';
  const withoutStatus = latest === undefined || flag === false ? 'none' : flag ? 'other' : null;
  return {
    status: stated === null ? withoutStatus : (known ?? 'other'),
    wording: stated ?? (withoutStatus === 'other' ? 'target without a status' : null),
    created_at: latest?.created_at || null,
    retrieved_at: latest?.retrieved_at || last_retrieved_at || null,
  };
}
