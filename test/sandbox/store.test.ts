import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityOf } from '../../src/sandbox/identity.ts';
import { type Log, memoryLog, openStore, type Store } from '../../src/sandbox/store.ts';
import { runs } from '../support/seed.ts';

const register = (store: Store, name: string, at = 0) =>
  store.register(identityOf({ name }), { name }, at);

describe('openStore', () => {
  it('assigns ids in order and returns the same id again', () => {
    const store = openStore(memoryLog());
    expect(['a', 'b', 'a', 'c', 'b'].map((name) => register(store, name))).toEqual([1, 2, 1, 3, 2]);
    expect(store.get(2)).toEqual({
      id: 2,
      identity: identityOf({ name: 'b' }),
      at: 0,
      identifier: { name: 'b' },
    });
    expect([0, -1, 4, 1.5, Number.NaN].map((id) => store.get(id))).toEqual(
      Array(5).fill(undefined),
    );
  });

  it('keeps the first body and time', () => {
    const store = openStore(memoryLog());
    const identity = identityOf({ name: 'Acme' });
    store.register(identity, { name: 'Acme' }, 1_700_000_000_123.4);
    store.register(identity, { name: 'ACME', industry_name: 'Steel' }, 1_800_000_000_000);
    expect(store.get(1)).toMatchObject({ at: 1_700_000_000_123, identifier: { name: 'Acme' } });
  });

  it('writes the documented line format', () => {
    const log = memoryLog();
    register(openStore(log), 'Zürich', 1_700_000_000_000);
    expect(log.read(0).toString()).toMatchInlineSnapshot(`
      "
      1 f2b8e732cc123437fbf209ab66410585 001700000000000 00000018 {"name":"Zürich"}
      "
    `);
  });

  it('stores many lines, and lines that are longer than the read buffer', () => {
    const log = memoryLog();
    const store = openStore(log);
    for (let nth = 1; nth <= 5000; nth++) expect(register(store, `Company ${nth}`)).toBe(nth);
    const long = 'x'.repeat(700_000);
    register(store, long);
    const again = openStore(log);
    expect(again.find(identityOf({ name: 'company 4711' }))).toBe(4711);
    expect(again.get(5001)?.identifier.name).toBe(long);
    expect(register(again, 'one more')).toBe(5002);
  });

  /** One of several stores registers a name, and may be killed after some bytes of its line. */
  const step = fc.record({
    by: fc.nat(2),
    name: fc.oneof(
      fc.constantFrom('A', 'B', 'C', 'D', 'E'),
      fc.string({ unit: 'binary', minLength: 1 }),
    ),
    killedAfter: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 3 }),
    garbage: fc.option(fc.uint8Array({ min: 0x80, maxLength: 100 }), { freq: 10 }),
  });

  it('assigns exactly one id per organization when processes are killed at any byte', {
    tags: ['property'],
  }, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const log = memoryLog();
        const stores = [0, 1, 2].map(() => openStore(log));
        const ids = new Map<string, number>();
        for (const { by, name, killedAfter, garbage } of steps) {
          if (garbage) log.append(Buffer.from(garbage));
          const identity = identityOf({ name });
          if (killedAfter !== null) {
            stores[by] = killedStore(log, killedAfter, (store) => register(store, name));
            continue;
          }
          const id = register(stores[by] as Store, name);
          expect(ids.get(identity) ?? id).toBe(id);
          ids.set(identity, id);
        }
        expect(new Set(ids.values()).size).toBe(ids.size);
        const fresh = openStore(log);
        for (const [identity, id] of ids) {
          expect(fresh.find(identity)).toBe(id);
          expect(fresh.get(id)).toMatchObject({ id, identity });
          expect(identityOf(fresh.get(id)?.identifier ?? { name: '' })).toBe(identity);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  /** Lets a store write a share of its next bytes, as if it were killed; returns a new store. */
  function killedStore(log: Log, share: number, work: (store: Store) => void): Store {
    const append = (bytes: Buffer) => {
      log.append(bytes.subarray(0, Math.round(share * bytes.length)));
      throw new Error('killed');
    };
    try {
      work(openStore({ ...log, append }));
    } catch (error) {
      expect((error as Error).message).toBe('killed');
    }
    return openStore(log);
  }

  it('ignores invalid lines', () => {
    const log = memoryLog();
    log.append(Buffer.from('\n12\n \n1 part\n{"2 "\n\0\0\n'));
    expect(register(openStore(log), 'A')).toBe(1);
  });
});
