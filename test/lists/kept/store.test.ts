import fs, {
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RecordStore } from '../../../src/lists/kept/store.ts';
import type { FileLock } from '../../../src/runtime/file-lock.ts';
import { newFolder } from '../../support/run.ts';

const service = 'https://api.example.com';
const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}T02:00:00.000Z`;
const today = '2026-11-09';
const record = (id: number, score: number, retrieved = '') =>
  `{"id":${id},"score":${score},"cdp":{"last_retrieved_at":"${retrieved}"}}`;
const scoreOf = (json: string) => (JSON.parse(json) as { score: number }).score;

const keep = (
  store: RecordStore,
  id: number | string,
  currency: string | null,
  at: string,
  json: string,
) => store.put({ id, currency }, at, { status: 'synced', json });

/* Replaces a function of Node until the end of the test; returns what ends that earlier. */
function replace(name: 'readSync' | 'write', by: (...given: never[]) => unknown) {
  const spy = vi.spyOn(fs, name).mockImplementation(by as never);
  const restore = () => {
    spy.mockRestore();
    syncBuiltinESMExports();
  };
  syncBuiltinESMExports();
  onTestFinished(restore);
  return restore;
}

/* What the lock of a test does not change. */
const unlimited = {
  lost: new AbortController().signal,
  isTakenOver: false,
  release: () => undefined,
};

function newStore(folder = newFolder()) {
  const paths = {
    records: join(folder, 'list.csv.records.ndjson'),
    history: join(folder, 'list.csv.history.ndjson'),
  };
  const open = (of = service, lock?: FileLock) =>
    RecordStore.open({
      paths,
      service: of,
      isReadOnly: false,
      lock,
      isChanged: async (older, newer) => scoreOf(older) !== scoreOf(newer),
    });
  const read = (path: string) =>
    existsSync(path) ? readFileSync(path, 'utf8').replace('\ufeff', '') : '';
  const lines = (text: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  /* Keeps scores of ids at a time, and finishes. */
  const night = async (at: string, scores: Readonly<Record<number, number>>) => {
    const store = await open();
    for (const [id, score] of Object.entries(scores))
      await keep(store, Number(id), null, at, record(Number(id), score));
    await store.finish(Object.keys(scores).map(Number), today);
    await store.close();
  };
  return {
    paths,
    open,
    night,
    text: () => read(paths.records),
    records: () => lines(read(paths.records)),
    history: () => lines(read(paths.history)),
  };
}

describe('RecordStore', () => {
  it('keeps one line for each id and currency, in the order of the list', async () => {
    const { open, text } = newStore();
    const store = await open();
    expect(await keep(store, 2, 'EUR', day(1), record(2, 0.5))).toBe(false);
    expect(await keep(store, 1, 'EUR', day(1), record(1, 0.1))).toBe(false);
    await keep(store, 3, null, day(1), record(3, 0.3));
    await store.finish([1, 2], today);
    await store.close();
    expect(text()).toBe(
      `{"id":1,"service":"${service}","currency":"EUR","valid_from":"${day(1)}","retrieved_at":"${day(1)}","listed":["2026-11-01"],"record":${record(1, 0.1)}}
{"id":2,"service":"${service}","currency":"EUR","valid_from":"${day(1)}","retrieved_at":"${day(1)}","listed":["2026-11-01"],"record":${record(2, 0.5)}}
{"id":3,"service":"${service}","currency":null,"valid_from":"${day(1)}","retrieved_at":"${day(1)}","listed":["2026-11-01","${today}"],"record":${record(3, 0.3)}}
`,
    );
  });

  it('moves a replaced version to the history, and keeps the dates of one that did not change', async () => {
    const { open, records, history } = newStore();
    let store = await open();
    await keep(store, 1, 'EUR', day(1), record(1, 0.1, 'old'));
    await store.finish([1], today);
    await store.close();

    store = await open();
    expect(await keep(store, 1, 'EUR', day(2), record(1, 0.1, 'new'))).toBe(false);
    expect(await keep(store, 1, 'EUR', day(3), record(1, 0.1, 'new'))).toBe(false);
    expect(await store.record(1, 'EUR')).toBe(record(1, 0.1, 'new'));
    await store.finish([1], today);
    expect(history()).toEqual([]);
    expect(records()).toMatchObject([{ valid_from: day(1), retrieved_at: day(3) }]);
    await store.close();

    store = await open();
    expect(await keep(store, '01', 'EUR', day(4), record(1, 0.2))).toBe(true);
    await store.finish([1], today);
    await store.close();
    expect(history()).toEqual([
      {
        id: 1,
        currency: 'EUR',
        valid_from: day(1),
        valid_to: day(4),
        record: JSON.parse(record(1, 0.1, 'new')),
      },
    ]);
    expect(records()).toMatchObject([{ valid_from: day(4), record: { score: 0.2 } }]);
  });

  it.each([
    ['carriage returns', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
  ])('reads files with %s, and moves their versions to the history', async (_, change) => {
    const { night, paths, records, history } = newStore();
    for (const score of [1, 2, 3]) {
      await night(day(score), { 1: score, 2: score });
      for (const path of Object.values(paths))
        if (existsSync(path))
          writeFileSync(path, change(readFileSync(path, 'utf8').replace('\ufeff', '')));
    }
    expect(records()).toMatchObject([{ record: { score: 3 } }, { record: { score: 3 } }]);
    const scores = history().map((line) => [line['id'], scoreOf(JSON.stringify(line['record']))]);
    expect(scores).toEqual([
      [1, 1],
      [2, 1],
      [1, 2],
      [2, 2],
    ]);
  });

  it('reads a record whose bytes arrive in parts, and stops if the file is shorter', async () => {
    const { open, paths } = newStore();
    const store = await open();
    await keep(store, 1, null, day(1), record(1, 0.1));
    const read = fs.readSync as (file: number, ...given: unknown[]) => number;
    replace('readSync', (file: number, buffer: Buffer, from: number, length: number, at: number) =>
      read(file, buffer, from, Math.min(length, 7), at),
    );
    expect(await store.record(1, null)).toBe(record(1, 0.1));
    truncateSync(paths.records, statSync(paths.records).size - 5);
    await expect(store.record(1, null)).rejects.toThrow(`${paths.records} changed while carbon`);
    replace('readSync', () => {
      throw Object.assign(new Error('i/o'), { code: 'EIO', syscall: 'read' });
    });
    await expect(store.record(1, null)).rejects.toThrow(`${paths.records} cannot be read`);
    await expect(open()).rejects.toThrow(`${paths.records} cannot be read`);
    await store.close();
  });

  it('writes nothing after a part of a line, which the next run removes', async () => {
    const { open, night, records, paths } = newStore();
    const store = await open();
    await keep(store, 1, null, day(1), record(1, 0.1));
    const restore = replace('write', (_: number, __: Buffer, done: (error: Error) => void) => {
      restore();
      fs.appendFileSync(paths.records, '{"id":2,"serv');
      done(Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' }));
    });
    const writes = [2, 3].map((id) => keep(store, id, null, day(2), record(id, 0.2)));
    for (const write of writes) await expect(write).rejects.toThrow('Cannot write');
    await expect(store.finish([1, 2, 3], today)).rejects.toThrow('Cannot write');
    await store.close();
    await night(day(3), { 3: 0.3 });
    expect(records().map(({ id }) => id)).toEqual([3, 1]);
  });

  it.each(['my notes', 'my notes\n'])('keeps text of the user at its path: %j', async (text) => {
    const { open, paths } = newStore();
    writeFileSync(paths.records, text);
    await expect(open()).rejects.toThrow('has text that is not a record of a list');
    expect(readFileSync(paths.records, 'utf8')).toBe(text);
    rmSync(paths.records);
    const store = await open();
    await keep(store, 1, null, day(1), record(1, 0.1));
    await keep(store, 1, null, day(2), record(1, 0.2));
    writeFileSync(paths.history, text);
    await store.finish([1], today).catch(() => undefined);
    await store.close();
    expect(readFileSync(paths.history, 'utf8').startsWith(text)).toBe(true);
  });

  it('does not follow a symbolic link', async () => {
    const { open, paths } = newStore();
    writeFileSync(`${paths.records}.other`, '');
    symlinkSync(`${paths.records}.other`, paths.records);
    await expect(open()).rejects.toThrow('is a symbolic link');
  });

  it('writes nothing after another run has taken over', async () => {
    const { open, text, paths } = newStore();
    let isTaken = false;
    const check = () => {
      if (isTaken) throw new Error('taken');
    };
    const aside = `${paths.records}.aside`;
    const lock: FileLock = { ...unlimited, check, confirm: check, aside };
    const store = await open(service, lock);
    await keep(store, 1, null, day(1), record(1, 0.1));
    const before = text();
    isTaken = true;
    await expect(keep(store, 1, null, day(2), record(1, 0.2))).rejects.toThrow('taken');
    await expect(store.finish([1], today)).rejects.toThrow('taken');
    await store.close();
    expect(text()).toBe(before);
  });

  it('does not replace the file if another run takes over just before, or removes the new file', async () => {
    for (const taken of ['confirm', 'aside'] as const) {
      const { open, text, paths } = newStore();
      let isTaken = false;
      const check = () => {
        if (isTaken) throw new Error('taken');
      };
      const aside = `${paths.records}.aside`;
      const confirm = () => {
        isTaken = true;
        if (taken === 'confirm') check();
        rmSync(aside);
      };
      const store = await open(service, { ...unlimited, check, confirm, aside });
      await keep(store, 2, null, day(1), record(2, 0.2));
      await keep(store, 1, null, day(1), record(1, 0.1));
      const before = text();
      await expect(store.finish([1, 2], today)).rejects.toThrow('taken');
      await store.close();
      expect(text()).toBe(before);
      expect(existsSync(aside)).toBe(false);
    }
  });

  it('does not replace a file that another program changed', async () => {
    const { open, text, paths } = newStore();
    const store = await open();
    await keep(store, 1, null, day(1), record(1, 0.1));
    const line = text();
    writeFileSync(paths.records, line + line);
    await expect(keep(store, 1, null, day(2), record(1, 0.2))).rejects.toThrow(
      'was changed or removed during the run',
    );
    await store.close();
    expect(text()).toBe(line + line);
  });

  it('equals the model after runs that a kill ends at any byte', {
    tags: ['property'],
  }, async () => {
    const put = fc.record({
      id: fc.integer({ min: 1, max: 4 }),
      score: fc.integer({ min: 0, max: 2 }),
    });
    const run = fc.record({
      puts: fc.array(put, { maxLength: 8 }),
      kill: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 6 }), async (runs) => {
        const { open, paths, records, history } = newStore();
        const model = new Map<number, number>();
        let time = 0;
        for (const { puts, kill } of runs) {
          const store = await open();
          const sizes = [statSync(paths.records).size];
          for (const { id, score } of puts) {
            time += 1;
            await keep(store, id, null, new Date(time * 1000).toISOString(), record(id, score));
            sizes.push(statSync(paths.records).size);
          }
          const [first = 0] = sizes;
          const last = sizes.at(-1) ?? 0;
          if (kill === null) await store.finish([1, 2, 3, 4], today);
          await store.close();
          const cut = kill === null ? last : Math.floor(first + kill * (last - first));
          if (kill !== null) truncateSync(paths.records, cut);
          // A line is complete without its line feed.
          puts.forEach(({ id, score }, index) => {
            if ((sizes[index + 1] ?? 0) - 1 <= cut) model.set(id, score);
          });
        }
        const store = await open();
        await store.finish([1, 2, 3, 4], today);
        await store.close();
        const stored = records().map((line) => [
          line['id'],
          (line['record'] as { score: number }).score,
        ]);
        expect(stored).toEqual([...model].sort(([a], [b]) => a - b));
        const versions = history().map((line) => `${line['id']} ${line['valid_from']}`);
        expect(new Set(versions).size).toBe(versions.length);
        for (const line of history()) expect(line['valid_from']).not.toBe(line['valid_to']);
      }),
    );
  });
});
