import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Identifier } from '../../src/registration/fields.ts';
import { identityOf } from '../../src/sandbox/identity.ts';

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

  it('returns 128 bits for any text', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
        expect(identityOf({ name })).toMatch(/^[0-9a-f]{32}$/);
        expect(identityOf({ name: ` ${name}\t` })).toBe(identityOf({ name }));
      }),
    );
  });
});
