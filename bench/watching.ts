import { watch } from '../src/api/watch.ts';
import { Pacer } from '../src/pace/pacer.ts';
import { VirtualClock } from '../test/support/clock.ts';
import { randomNumbers } from '../test/support/pacing-simulation.ts';
import type { Finding } from './findings.ts';

const minResearchMs = 5_000;
const maxResearchMs = 120_000;
const latencyMs = 50;

/**
 * Watches many organizations on the virtual clock, as `carbon watch` does. Measures how long after
 * its end carbon notices the end of research, and how many requests that takes.
 */
export async function* watching(organizations = 1_000): AsyncGenerator<Finding> {
  const clock = new VirtualClock();
  const random = randomNumbers(1);
  const endsAt = new Map(
    Array.from({ length: organizations }, (_, index) => [
      `${index + 1}`,
      minResearchMs + (maxResearchMs - minResearchMs) * random(),
    ]),
  );
  let requests = 0;
  let delayMs = 0;
  const retrieve = async (id: string, signal: AbortSignal) => {
    requests += 1;
    await clock.sleep(latencyMs / 2, signal);
    const status = clock.elapsed() >= (endsAt.get(id) ?? 0) ? 'synced' : 'researching';
    await clock.sleep(latencyMs / 2, signal);
    return { record: { id: Number(id), status }, json: '{}' };
  };
  async function* ids() {
    yield* endsAt.keys();
  }
  const { signal } = new AbortController();
  const pacer = new Pacer({ concurrency: 16 });
  for await (const event of watch(retrieve, ids(), {
    clock,
    random,
    signal,
    pacer,
    timeoutMs: 0,
  })) {
    if (event.kind === 'ended') delayMs += clock.elapsed() - (endsAt.get(event.id) ?? 0);
  }
  const section = 'watch, virtual clock';
  const many = organizations.toLocaleString('en');
  yield {
    section,
    what: `${many} organizations: mean delay until noticed`,
    value: delayMs / organizations / 1000,
    unit: 's',
    goal: ['at most', 5.5],
  };
  yield {
    section,
    what: `${many} organizations: requests for each`,
    value: requests / organizations,
    unit: 'requests',
    goal: ['at most', 7.5],
  };
}
