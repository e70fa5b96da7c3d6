import type { Organization, Performance, SbtiTarget } from '../contract.ts';

/** Orders the performances of an organization, the latest year first; those without a year come last. */
export function performancesByYear(record: Organization): Performance[] {
  const year = (performance: Performance) => performance.year ?? Number.NEGATIVE_INFINITY;
  return (record.performances ?? []).toSorted((a, b) => (year(a) === year(b) ? 0 : year(b) - year(a)));
}

/** Orders the SBTi target records of an organization, the latest `created_at` first. */
export function targetsByDate(record: Organization): SbtiTarget[] {
  const created = (target: SbtiTarget) => target.created_at ?? '';
  return (record.sbti?.data ?? []).toSorted(
    (a, b) => Number(created(a) < created(b)) - Number(created(a) > created(b)),
  );
}
