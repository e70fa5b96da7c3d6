import { describe, expect, it } from 'vitest';
import { directionOf } from '../../../src/portfolio/footprint/goal-direction.ts';
import { invalidInput } from '../../../src/runtime/carbon-error.ts';
import { groupsOf, type Planned, today, toward } from './planned.ts';

const day = (number: number) => `2026-09-${String(number).padStart(2, '0')}`;

const planned: readonly Planned[] = [
  { spend: 50, factor: 1, status: 'set' },
  { spend: 30, factor: 1, status: 'committed' },
  { spend: 20, factor: 1, status: 'none' },
];

/* The direction with a first day of the records of each supplier. */
async function found(
  days: readonly (string | undefined)[],
  {
    goal = '67',
    suppliers = planned,
    then = suppliers,
    now = today,
    asOf = null,
  }: {
    readonly goal?: string;
    readonly suppliers?: readonly Planned[];
    readonly then?: readonly Planned[];
    readonly now?: string;
    readonly asOf?: string | null;
  },
) {
  const firstDays = new Map(days.flatMap((each, at) => (each ? [[at + 1, each] as const] : [])));
  const asked: string[] = [];
  const direction = await directionOf(
    toward(goal, suppliers),
    {
      firstDays,
      groupsAt: async (of) => {
        asked.push(of);
        return groupsOf(then);
      },
    },
    { today: now, asOf },
  );
  return { ...direction, asked };
}

describe('directionOf', () => {
  it('compares with the first day on which half of the shares of today had a record', async () => {
    for (const [days, of] of [
      [[day(1), day(2), day(3)], day(1)],
      [[day(2), day(2), day(1)], day(2)],
      [[day(3), day(2), day(1)], day(2)],
      [[day(4), day(2), day(3)], day(3)],
      // Those of other suppliers count in no share.
      [[day(2), day(2), day(2), day(1)], day(2)],
      // The day of a list is unknown for a record of no list.
      [[undefined, day(2), day(3)], day(2)],
    ] as const) {
      const all = await found(days, {});
      expect([all, all.asked]).toEqual([expect.objectContaining({ day: of }), [of]]);
      expect(all).toHaveProperty('isFirst', of === days.filter(Boolean).toSorted()[0]);
    }
  });

  it('counts shares of spend for a goal of spend, of suppliers with a record', async () => {
    const suppliers = [
      { spend: 100, factor: 1, status: undefined },
      { spend: 60, factor: 0, status: 'set' },
      { spend: 40, factor: 1, status: 'none' },
    ];
    const days = [undefined, day(2), day(1)];
    const spend = await found(days, { suppliers, goal: '67% of spend' });
    expect(spend).toMatchObject({ day: day(2), isFirst: false });
    expect(await found(days, { suppliers })).toMatchObject({ day: day(1), isFirst: true });
  });

  it('adds up the changes since then', async () => {
    const then = planned.map((each) => ({ ...each, status: 'none' }));
    expect(await found([day(1), day(2), day(3)], { then })).toMatchObject({
      changes: { shareThen: 0, newly_set: 0.5, lost: 0, not_known: 0 },
    });
  });

  it('needs a day before the one of the goal', async () => {
    const days = [day(3), day(2), day(1)];
    const lack = { lack: 'earlier', isAsOf: false, asked: [] };
    expect(await found(days, { now: day(1) })).toMatchObject({ lack: 'earlier', day: day(2) });
    expect(await found(days, { now: day(2) })).toEqual({ ...lack, day: day(2), isFirst: false });
    const one = [day(2), day(2), day(2)];
    expect(await found(one, { now: day(2), asOf: day(2) })).toEqual({
      ...lack,
      day: day(2),
      isFirst: true,
      isAsOf: true,
    });
  });

  it('needs records that have a history, which can be read', async () => {
    const engagement = toward('67', planned);
    const when = { today, asOf: null };
    const error = invalidInput('a history');
    expect(await directionOf(engagement, undefined, when)).toEqual({ lack: 'history' });
    expect(await directionOf(engagement, error, when)).toEqual({ lack: 'readable', error });
    const firstDays = new Map([[1, day(1)]]);
    const groupsAt = () => Promise.reject(error);
    expect(await directionOf(engagement, { firstDays, groupsAt }, when)).toEqual({
      lack: 'readable',
      error,
    });
    const bug = new TypeError('a bug');
    const fails = { firstDays, groupsAt: () => Promise.reject(bug) };
    await expect(directionOf(engagement, fails, when)).rejects.toBe(bug);
  });
});
