import { expect, it } from 'vitest';
import { readRecord } from '../../../src/client/api/read-record.ts';
import { newScopes } from '../../../src/portfolio/report/scope-changes.ts';
import { createTakeSnapshot, type Snapshots } from '../../../src/portfolio/report/snapshot.ts';

const takeSnapshot = createTakeSnapshot();
type Year = readonly [year: number, scope1: number, region?: string, method?: string];

const snapshots = (companies: Readonly<Record<number, readonly Year[]>>): Snapshots =>
  new Map(
    Object.entries(companies).map(([id, years]) => {
      const performances = years.map(([year, scope1, region = 'GLOBAL', method = 'market']) => ({
        ...{ year, region },
        emissions: { scope_1: { total: scope1 }, scope_2: { [`total_${method}_based`]: 1 } },
      }));
      const { record } = readRecord({ id: Number(id), hq_region: 'DE', performances });
      return [Number(id), takeSnapshot(record)];
    }),
  );

const added = (older: Parameters<typeof snapshots>[0], newer: typeof older) =>
  newScopes(snapshots(older), snapshots(newer), new Set([1, 2, 3, 4]), '2026-11-28').map(
    ({ id, year, before, after }) => [id, year, before, after],
  );

it('ranks new years by the change from the year before, those without it last', () => {
  const older = { 1: [[2024, 99]], 2: [[2024, 199]], 3: [[2023, 9_999]], 4: [[2024, 9]] } as const;
  const newer = {
    1: [...older[1], [2025, 109]],
    2: [...older[2], [2025, 99]],
    3: [...older[3], [2025, 9_998]],
    4: older[4],
  } as const;
  expect(added(older, newer)).toEqual([
    [2, 2025, 200, 100],
    [1, 2025, 100, 110],
    [3, 2025, null, 9_999],
  ]);
});

it('compares one region and one method with the year before', () => {
  const older = { 1: [[2024, 9, 'DE']], 2: [[2024, 9, 'GLOBAL', 'location']] } as const;
  const newer = { 1: [...older[1], [2025, 19]], 2: [...older[2], [2025, 9]] } as const;
  expect(added(older, newer)).toEqual([
    [1, 2025, null, 20],
    [2, 2025, null, 10],
  ]);
});

it('leaves out years with an error of carbon check, and years that are known', () => {
  const older = { 1: [[2024, 9]], 2: [[2025, 9]], 3: [[2024, 9]] } as const;
  const newer = {
    1: [
      [2024, 9],
      [2025, -5],
    ],
    2: [[2025, 19]],
    3: [
      [2024, -9],
      [2025, 9],
    ],
  } as const;
  expect(added(older, newer)).toEqual([]);
});
