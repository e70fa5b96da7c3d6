/* Processes that join, die or stop while others share their pace. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from './findings.ts';
import { startServer } from './measure.ts';
import { Processes } from './shared-pace-processes.ts';

const rate = 50;
const processes = 8;
/** Time in which the others adapt. */
const adaptMs = 2_000;
const periodMs = 10_000;

/** Starts a process while seven others run, and later kills four of them. */
export async function* joinAndDeath(section: string, pace: string): AsyncGenerator<Finding> {
  const server = await startServer({ rate });
  const all = new Processes(server, pace);
  await all.start(processes - 1, 10_000);
  await sleep(periodMs);
  await all.start(1, 10_000);
  while ((await all.timeline()).acceptedEach(0, Infinity).at(-1) === 0) await sleep(20);
  await sleep(adaptMs + periodMs);
  const joined = await all.timeline();
  const killedAt = all.kill(0, processes / 2);
  await sleep(adaptMs + periodMs);
  const end = all.kill(0, processes);
  await all.ended();
  const timeline = await all.timeline();
  server.stop();
  const [joinedAt] = joined.commonPeriod;
  const finding = (what: string, value: number, goal = 97): Finding => ({
    section,
    what,
    value,
    unit: '%',
    goal: ['at least', goal],
  });
  const ideal = (rate * (killedAt - joinedAt - adaptMs)) / 1_000;
  const own = timeline.acceptedEach(joinedAt + adaptMs, killedAt).at(-1) ?? 0;
  yield finding('2 s after a process joined: own share', (100 * own * processes) / ideal, 80);
  const { accepted } = timeline.count(joinedAt + adaptMs, killedAt);
  yield finding('2 s after a process joined: permitted rate', (100 * accepted) / ideal);
  const after = timeline.count(killedAt + adaptMs, end).accepted;
  const idealAfter = (rate * (end - killedAt - adaptMs)) / 1_000;
  yield finding('2 s after kill -9 of four: permitted rate', (100 * after) / idealAfter);
}

/** Runs processes until a quota is used up. */
export async function* usedUpQuota(section: string, pace: string): AsyncGenerator<Finding> {
  const server = await startServer({ rate, quota: 400 });
  const all = new Processes(server, pace);
  await all.start(processes, 1_000);
  const { exits, endedAt } = await all.ended();
  const timeline = await all.timeline();
  server.stop();
  if (exits.some((exit) => exit !== 6)) throw new Error(`exit codes ${exits}`);
  const { accepted } = timeline.count(0, Infinity);
  if (accepted !== 400) throw new Error(`${accepted} of 400 rows were registered`);
  const value = (Math.max(...endedAt) - Math.min(...endedAt)) / 1_000;
  const what = 'used-up quota: from the first to the last end';
  yield { section, what, value, unit: 's', goal: ['at most', 2] };
}
