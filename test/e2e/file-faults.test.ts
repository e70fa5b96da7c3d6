/* Lets each file operation of a run fail, as SQLite does, and runs the same command again. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../support/clock.ts';
import { failOperations } from '../support/file-faults.ts';
import { newFolder, run } from '../support/run.ts';
import { type Seen, serve } from '../support/server.ts';

const rows = 40;
const names = Array.from({ length: rows }, (_, row) => `Supplier ${row}`);
const dayMs = 86_400_000;
/* Requests in flight, and those that are answered in the 100 ms before a line is on the disk. */
const maxSentAgain = 4 + 3;
const pace = ['--concurrency', '4', '--rate', '20', '--no-progress'];

/* Returns the complete lines of a file; a line that a failed write cut is none. */
function linesOf(path: string): Record<string, unknown>[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8').replace(/[^\n]*$/, '');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

async function newService() {
  const ids = new Map<string, number>();
  const registered: string[] = [];
  let score = 1;
  const { env, seen } = await serve((response) => {
    const { method, path, body } = seen.at(-1) as Seen;
    let id = Number(/\d*$/.exec(path)?.[0]);
    if (method === 'POST') {
      const { name } = JSON.parse(body) as { name: string };
      registered.push(name);
      id = ids.get(name) ?? ids.set(name, ids.size + 1).size;
    }
    const performances = [{ year: 2025, emissions: { scope_1: { total: score } } }];
    const name = [...ids.keys()][id - 1];
    response.end(JSON.stringify({ id, name, status: 'synced', performances }));
  });
  return {
    env,
    ids,
    /* Returns the names that were sent since the last call. */
    takeSent: () => registered.splice(0),
    change() {
      score += 1;
    },
  };
}

type Service = Awaited<ReturnType<typeof newService>>;

/* A list with the files of an earlier run, if there was one. */
function newList(service: Service, template?: string) {
  const folder = newFolder();
  const list = join(folder, 'list.csv');
  if (template !== undefined) cpSync(template, folder, { recursive: true });
  const write = (count: number) => {
    writeFileSync(list, `name\n${names.slice(0, count).join('\n')}\n`);
  };
  write(rows);
  const clock = new VirtualClock();
  const carbon = (command: string) =>
    run([command, list, ...pace], { env: service.env, home: folder, clock });
  return {
    folder,
    clock,
    carbon,
    write,
    recorded: () =>
      linesOf(`${list}.carbon.jsonl`).flatMap(({ line, id }) =>
        typeof id === 'number' ? [[names[Number(line) - 2] ?? '', id] as const] : [],
      ),
    records: () => linesOf(`${list}.records.ndjson`),
    history: () => linesOf(`${list}.history.ndjson`),
  };
}

type List = ReturnType<typeof newList>;

/* Runs a command with each fault, then again without one, and checks what the files have. */
async function checkFaults(
  command: string,
  service: Service,
  open: () => Promise<List>,
  check: (list: List) => void,
): Promise<number> {
  for (let first = 1; ; first += 1)
    for (const isOnce of [true, false]) {
      const list = await open();
      service.takeSent();
      const fails = (number: number) => (isOnce ? number === first : number >= first);
      const operations = failOperations(list.folder, fails);
      const failed = await list.carbon(command).finally(operations.restore);
      const sent = service.takeSent();
      const recorded = new Map(list.recorded());
      const again = await list.carbon(command);
      const resent = service.takeSent();
      const what = `${command}: ${operations.calls[first - 1]} (operation ${first}, ${isOnce ? 'once' : 'from there on'})\n${failed.stderr}${again.stderr}`;
      // A fault is one error, or the run works without that operation.
      expect([0, 1], what).toContain(failed.exit);
      expect(failed.stderr.match(/^Error: /gm)?.length ?? 0, what).toBe(failed.exit);
      expect(again, what).toMatchObject({ exit: 0, stderr: expect.not.stringMatching(/^Warn/m) });
      expect(
        resent.filter((name) => recorded.has(name)),
        what,
      ).toEqual([]);
      const twice = resent.filter((name) => sent.includes(name));
      expect(twice.length, what).toBeLessThanOrEqual(failed.exit === 0 ? 0 : maxSentAgain);
      const all = [...service.ids].sort(([a], [b]) => (a < b ? -1 : 1));
      expect(new Map(list.recorded().sort(([a], [b]) => (a < b ? -1 : 1))), what).toEqual(
        new Map(all),
      );
      check(list);
      if (operations.calls.length < first) {
        expect([failed.exit, resent], what).toEqual([0, []]);
        return first;
      }
    }
}

describe('each file operation that fails, once and from there on', () => {
  it('costs carbon batch no row, and sends only rows in flight again', {
    tags: ['long'],
  }, async () => {
    const service = await newService();
    const check = (list: List) => {
      expect(list.recorded()).toHaveLength(rows);
      expect(service.ids.size).toBe(rows);
    };
    const operations = await checkFaults('batch', service, async () => newList(service), check);
    expect(operations).toBeGreaterThan(50);
  });

  it('costs carbon sync no row, no record and no version', { tags: ['long'] }, async () => {
    const service = await newService();
    const earlier = newList(service);
    earlier.write(rows / 2);
    expect((await earlier.carbon('sync')).exit).toBe(0);
    service.change();
    const open = async () => {
      const list = newList(service, earlier.folder);
      await list.clock.sleep(dayMs);
      return list;
    };
    const check = (list: List) => {
      const scoreOf = ({ record }: Record<string, unknown>) =>
        (record as { performances: { emissions: { scope_1: { total: number } } }[] })
          .performances[0]?.emissions.scope_1.total;
      expect(new Set(list.records().map(({ id }) => id)).size).toBe(rows);
      expect(list.records().map(scoreOf)).toEqual(names.map(() => 2));
      expect(list.history().map(scoreOf)).toEqual(names.slice(rows / 2).map(() => 1));
      expect(new Set(list.history().map(({ id }) => id)).size).toBe(rows / 2);
    };
    const operations = await checkFaults('sync', service, open, check);
    expect(operations).toBeGreaterThan(150);
  });
});
