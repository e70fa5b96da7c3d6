/* `carbon sync` in the executable, killed at several moments and between the writes of its end. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { preload, start } from '../support/executable.ts';
import { jsonLines, newFolder } from '../support/run.ts';
import { serve } from '../support/server.ts';

const rows = 20;
const names = Array.from({ length: rows }, (_, row) => `Supplier ${row}`);

/* A service that can kill its client at a request, and a list. */
async function newWorld() {
  const ids = new Map<string, number>();
  const registered: string[] = [];
  let scope1 = 100;
  let onRequest = (_method: string) => {};
  const { env, seen } = await serve(async (response) => {
    const { method, path, body } = seen.at(-1) as (typeof seen)[number];
    onRequest(method);
    let id = Number(/\d*$/.exec(path)?.[0]);
    if (method === 'POST') {
      const { name } = JSON.parse(body) as { name: string };
      registered.push(name);
      if (!ids.has(name)) ids.set(name, ids.size + 1);
      id = ids.get(name) ?? 0;
    }
    const performances = [{ year: 2025, emissions: { scope_1: { total: scope1 } } }];
    await setTimeout(10);
    response.end(
      JSON.stringify({ id, name: [...ids.keys()][id - 1], status: 'synced', performances }),
    );
  });
  const folder = newFolder();
  const list = join(folder, 'list.csv');
  writeFileSync(list, `name\n${names.join('\n')}\n`);
  const sync = (more: Record<string, string> = {}) => {
    const flags = ['--max-age', '0', '--no-progress', '--concurrency', '4'];
    return start(['sync', list, ...flags], { env: { ...env, HOME: folder, ...more } });
  };
  /* The complete lines of a file of the list; a kill can only truncate the last one. */
  const linesOf = (end: string) => {
    const path = `${list}.${end}`;
    return jsonLines((existsSync(path) ? readFileSync(path, 'utf8') : '').replace(/[^\n]+$/, ''));
  };
  return {
    folder,
    registered,
    linesOf,
    finish: () => sync().ended,
    change() {
      scope1 += 1;
    },
    /* Kills a run when the service receives this request of its kind. */
    async killAtRequest(kind: string, number: number) {
      let left = number;
      const { child, ended } = sync();
      onRequest = (method) => {
        if (method === kind) left -= 1;
        if (left === 0) child.kill('SIGKILL');
      };
      expect(await ended).toMatchObject({ signal: 'SIGKILL' });
      onRequest = () => {};
    },
    async killAtCall(call: string) {
      const more = { KILL_AT: call, NODE_OPTIONS: preload('file-calls.cjs') };
      expect(await sync(more).ended).toMatchObject({ signal: 'SIGKILL' });
    },
    /* The rows that the journal has, which no run may send again. */
    recorded: () =>
      linesOf('carbon.jsonl').flatMap(({ line, id }) =>
        id === undefined ? [] : (names[Number(line) - 2] ?? []),
      ),
  };
}

const [anyMoment = 1, anotherMoment = 1, lastMoment = 1] = fc.sample(
  fc.integer({ min: 1, max: rows }),
  3,
);

describe('carbon sync after kills', () => {
  it('has registered each row and kept each record and version once', {
    tags: ['long'],
  }, async () => {
    const world = await newWorld();
    const moments = [anyMoment, Math.min(anotherMoment, rows - 8), lastMoment];
    const [first = 1, second = 1, third = 1] = moments;
    const which = `killed at ${moments.join(', ')}`;
    await world.killAtRequest('POST', first);
    const recorded = world.recorded();
    const before = world.registered.length;
    await world.killAtRequest('GET', second);
    expect(await world.finish(), which).toMatchObject({ exit: 0 });
    const again = world.registered.slice(before);
    expect([...recorded, ...new Set(again)].sort(), which).toEqual([...names].sort());
    world.change();
    await world.killAtRequest('GET', third);
    for (const call of ['openSync history.ndjson', 'renameSync records.ndjson']) {
      await world.killAtCall(call);
      for (const end of ['records.ndjson', 'history.ndjson']) world.linesOf(end);
    }
    expect(await world.finish(), which).toMatchObject({ exit: 0 });
    const scopesOf = (end: string) =>
      world.linesOf(end).map(({ record: { name, performances } }) => {
        return `${name} ${performances[0].emissions.scope_1.total}`;
      });
    const records = names.map((name) => `${name} 101`);
    expect(scopesOf('records.ndjson'), which).toEqual(records);
    const earlier = names.map((name) => `${name} 100`);
    expect(scopesOf('history.ndjson').sort(), which).toEqual(earlier.sort());
    const ends = ['', '.carbon.jsonl', '.history.ndjson', '.records.ndjson'];
    const files = readdirSync(world.folder).filter((name) => name.includes('list.csv'));
    expect(files.sort(), which).toEqual(ends.map((end) => `list.csv${end}`));
  });
});
