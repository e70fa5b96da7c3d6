import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Identifier } from '../../src/client/registration/fields.ts';
import { identityOf, openStore, type Store } from '../../src/sandbox/store.ts';
import { anyCharacter, runs } from '../support/seed.ts';

const acme: Identifier = { name: 'Acme AG', hq_region: 'DE', website: 'acme.com' };

describe('identityOf', () => {
  it('never changes', () => {
    expect(identityOf({ name: 'Acme' })).toBe('4d3776b08287bebacf7d3a304d6c20b7');
    expect(identityOf(acme)).toBe('e389c80308734b1fe17d7c7144174dac');
  });

  it('ignores differences that do not identify an organization', () => {
    const same: Identifier[] = [
      { ...acme, name: '  ACME\u00a0 ag ' },
      { ...acme, hq_region: 'de' },
      { ...acme, website: 'HTTPS://www.acme.com//' },
      { ...acme, currency: 'EUR', industry_name: 'Steel', is_legal_entity_name: true },
      { website: 'acme.com', hq_region: 'DE', name: 'Acme AG' },
      { ...acme, external_id: '', hq_subregion: ' ' },
    ];
    for (const each of same) expect(identityOf(each)).toBe(identityOf(acme));
    expect(identityOf({ name: 'Zu\u0308rich' })).toBe(identityOf({ name: 'Z\u00dcRICH' }));
    expect(identityOf({ name: 'A', duns_number: '12-345 6789' })).toBe(
      identityOf({ name: 'A', duns_number: '123456789' }),
    );
  });

  it('differs for other organizations', () => {
    const others: Identifier[] = [
      acme,
      { ...acme, name: 'Acme' },
      { ...acme, hq_region: 'AT' },
      { ...acme, hq_subregion: 'BE' },
      { ...acme, website: 'acme.com/de' },
      { ...acme, external_id: 'S-1' },
      { ...acme, external_id: 's-1' },
      { ...acme, sp_global_number: 'S-1' },
      { name: 'Acme AG', hq_region: 'acme.com', website: 'DE' },
      { name: '\ud800' },
      { name: '\ud801' },
      { name: '\ufffd' },
    ];
    expect(new Set(others.map(identityOf)).size).toBe(others.length);
  });
});

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'store-'));
  ends.push(() => rmSync(path, { recursive: true }));
  return path;
}

function open(dataDir?: string): Store {
  const store = openStore(dataDir);
  ends.push(() => store.close());
  return store;
}

const register = (store: Store, name: string, at = 0) =>
  store.register(identityOf({ name }), { name }, at);

describe('openStore', () => {
  it('ignores invalid lines, such as those of version 0.2.0', () => {
    const path = folder();
    const old = '\n1 f2b8e732cc123437fbf209ab66410585 001700000000000 00000012 {"name":"Z"}\n';
    appendFileSync(join(path, 'sandbox.log'), `${old}12\n{"identity":\n\0\0\n`);
    expect(register(open(path), 'A')).toBe(1);
  });

  /** One of several stores registers a name, and may be killed after some bytes of its line. */
  const step = fc.record({
    by: fc.nat(2),
    name: fc.oneof(
      fc.constantFrom('A', 'B', 'C', 'D', 'E'),
      fc.string({ unit: anyCharacter, minLength: 1 }),
    ),
    killedAfter: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 3 }),
    garbage: fc.option(fc.uint8Array({ min: 0x80, maxLength: 100 }), { freq: 10 }),
  });

  it('assigns exactly one id per organization when processes are killed at any byte', {
    tags: ['property'],
  }, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const path = folder();
        const log = join(path, 'sandbox.log');
        const stores = [0, 1, 2].map(() => open(path));
        const ids = new Map<string, number>();
        for (const { by, name, killedAfter, garbage } of steps) {
          if (garbage) appendFileSync(log, garbage);
          const identity = identityOf({ name });
          if (killedAfter !== null) {
            const line = lineOf(name);
            appendFileSync(log, line.subarray(0, Math.round(killedAfter * line.length)));
            stores[by] = open(path);
            continue;
          }
          const id = register(stores[by] as Store, name);
          expect(ids.get(identity) ?? id).toBe(id);
          ids.set(identity, id);
        }
        expect(new Set(ids.values()).size).toBe(ids.size);
        const fresh = open(path);
        for (const [identity, id] of ids) {
          expect(fresh.find(identity)).toBe(id);
          expect(identityOf(fresh.get(id)?.identifier ?? { name: '' })).toBe(identity);
        }
        for (const end of ends.splice(0).reverse()) end();
      }),
      { numRuns: runs(50) },
    );
  });

  /* The line that a store writes for a name. */
  function lineOf(name: string): Buffer {
    const path = folder();
    register(open(path), name);
    return readFileSync(join(path, 'sandbox.log'));
  }
});
