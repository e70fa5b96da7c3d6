import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitOf } from '../../../src/cli/commands/lists/batch/summary.ts';
import type { Registration } from '../../../src/client/registration/fields.ts';
import { BatchFixture, CountingService } from './batch-fixture.ts';

/* A service that gives rows the id that `idOf` returns, in the order of their arrival from 1. */
function serviceWith(idOf: (name: string, arrival: number) => string | number) {
  const bodies: Registration[] = [];
  const register = async (body: Registration) => {
    bodies.push(body);
    return { id: idOf(body.name, bodies.length), status: 'created' };
  };
  return Object.assign(new CountingService(), { bodies, register }) as CountingService;
}

const list = (names: readonly string[]) => `name\n${names.join('\n')}\n`;
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `Supplier ${n} AG`);
const entries = (journal: string) =>
  readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"key"'));

describe('Batch.send, when a service gives one id to different organizations', () => {
  it.each([
    ['a number', () => 7],
    ['zero', () => 0],
    ['a text', () => '007'],
  ])('stops after ten rows and sends them again in the next run (%s)', async (_, idOf) => {
    const fixture = new BatchFixture(list(numbered(60)), serviceWith(idOf));
    const { outcome, events, journal, sent } = await fixture.run();
    expect(outcome.stop?.message).toMatch(
      /^The service sent the same ID 0*\d for 10 different organizations in a row, such as "Supplier 0 AG" \(line 2\) and "Supplier 1 AG" \(line 3\)$/,
    );
    expect([exitOf(outcome), outcome.left, outcome.counts.registered]).toEqual([6, 60, 0]);
    expect(events.filter(({ kind }) => kind === 'withdrawn')).toHaveLength(10);
    expect(entries(journal)).toHaveLength(10);
    expect(sent.length).toBeLessThan(20);
    fixture.api = new CountingService();
    const next = await fixture.run();
    expect([next.sent.length, exitOf(next.outcome)]).toEqual([60, 0]);
  });

  it('stops when a service that worked starts to repeat a response', async () => {
    const service = serviceWith((_, arrival) => Math.min(arrival, 30));
    const fixture = new BatchFixture(list(numbered(100)), service);
    const { outcome } = await fixture.run();
    expect([exitOf(outcome), outcome.stop?.code]).toEqual([6, 'unreadable_response']);
    expect([outcome.counts.registered, outcome.left]).toEqual([29, 71]);
    expect(service.bodies.length).toBeLessThan(60);
    fixture.api = new CountingService();
    expect((await fixture.run()).sent).toHaveLength(71);
  });

  it('registers a list of subsidiaries, and of a company with many spellings', async () => {
    const subsidiaries =
      'Energy Mobility Gamesa Finance Healthineers Rail Logistics Bank Malta Advanta Home'
        .split(' ')
        .map((word) => `Siemens ${word}`);
    const spellings = Array.from({ length: 20 }, (_, n) => `ACME${' '.repeat(n % 3)} AG,${n}`);
    const text = `name,external_id\n${subsidiaries.join(',\n')},\n${spellings.join('\n')}\n`;
    const service = serviceWith((name) => (name.startsWith('Siemens') ? 1 : 2));
    const { outcome, events } = await new BatchFixture(text, service).run();
    expect([exitOf(outcome), outcome.counts.registered]).toEqual([0, 31]);
    const doubtful = events.filter((event) => 'sameIdAs' in event && event.sameIdAs);
    expect(doubtful.map((event) => 'id' in event && event.id)).toEqual(Array(10).fill(1));
  });
});
