import type { Organization, Performance, SbtiTarget } from '../../api/schema.ts';
import { latestPerformance } from '../../organizations/history.ts';
import { targetsByDate } from '../../organizations/targets.ts';

/**
 * The parts of a record that a row shows: one performance (see `latestPerformance`) and the latest
 * SBTi target.
 */
export interface CsvSource {
  readonly record: Organization;
  readonly latest: Performance;
  readonly target: SbtiTarget;
}

/*
 * An empty list means that SBTi has no target of this organization, a missing list that there is no
 * data.
 */
const noTarget: SbtiTarget = {
  near_term: { has_target: false, target_status: 'none' },
  long_term: { has_target: false },
  net_zero: { has_target: false },
  business_ambition_1_5: { has_target: false },
};

/** Selects the parts of a record that its row shows. */
export function csvSource(record: Organization): CsvSource {
  const [target = record.sbti?.data ? noTarget : {}] = targetsByDate(record);
  return { record, latest: latestPerformance(record) ?? {}, target };
}
