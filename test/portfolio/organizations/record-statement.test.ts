import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Organization } from '../../../src/client/api/schema.ts';
import { answerSentences } from '../../../src/display/terminal/answers.ts';
import {
  type ReceivedAs,
  recordStatement,
} from '../../../src/portfolio/organizations/record-statement.ts';

const match = { id: 7, name: 'Acme AG' };
const target = (has_target: boolean | null, target_status?: string) => ({
  data: [{ near_term: { has_target, target_status } }],
});
const year = (year: number, scope_1: number, scope_2: object, region = 'DE') => ({
  year,
  region,
  emissions: { scope_1: { total: scope_1 }, scope_2 },
});
const market = (total: number) => ({ total_market_based: total });

const state = (record: Partial<Organization>, received: ReceivedAs) =>
  recordStatement(
    { id: 1, name: 'Acme', status: 'synced', matching_organization: match, ...record },
    received,
  );

function said(record: Partial<Organization>, unit: string | null = null): string | undefined {
  return state(record, { unit }).text;
}

const answers = (record: Partial<Organization>, received: ReceivedAs = { unit: 't' }) =>
  answerSentences(state(record, received).answers);

describe('recordStatement', () => {
  it('says the latest emissions, their change and the target', () => {
    const performances = [year(2025, 1_100_000, market(2e6)), year(2024, 1e6, market(1.5e6))];
    expect(said({ performances, sbti: target(false, 'committed') }, 't')).toBe(
      'Scope 1 and 2 rose 24.0% since 2024, to 3.1 million t in 2025; committed to a near-term target, not validated.',
    );
    const [now, before] = performances as [object, object];
    const fell = [
      { ...before, year: 2025 },
      { ...now, year: 2023 },
    ];
    expect(said({ performances: fell, sbti: target(true, 'set') })).toBe(
      'Scope 1 and 2 fell 19.4% since 2023, to 2.5 million in 2025; near-term target validated.',
    );
    expect(said({ performances: [now, { ...now, year: 2024 }] })).toBe(
      'Scope 1 and 2 did not change since 2024: 3.1 million in 2025.',
    );
  });

  it('compares only what both years have, of one region and by one method', () => {
    const now = year(2025, 100, market(20));
    const alone = 'Scope 1 and 2 of 120 in 2025.';
    expect(said({ performances: [now] })).toBe(alone);
    expect(said({ performances: [now, year(2024, 0, market(0))] })).toBe(alone);
    expect(said({ performances: [now, year(2024, 90, market(20), 'GLOBAL')] })).toBe(alone);
    expect(said({ performances: [now, year(2024, 90, { total_location_based: 30 })] })).toBe(alone);
    expect(said({ performances: [now, year(2024, 90, {})] })).toBe(alone);
    expect(said({ performances: [{ ...now, year: null }] })).toBe('Scope 1 and 2 of 120.');
  });

  it('says which other emissions there are', () => {
    const of = (emissions: object) => said({ performances: [{ year: 2020, emissions }] });
    expect(of({ scope_1: { total: 5 }, total: 9 })).toBe('Scope 1 of 5 in 2020, without scope 2.');
    expect(of({ scope_2: { total: 5 } })).toBe('Scope 2 of 5 in 2020, without scope 1.');
    expect(of({ sum: 512_000 })).toBe('Total emissions of 512,000 in 2020.');
    expect(of({ scope_3: { sum: 5 } })).toBe('Scope 3 of 5 in 2020.');
    expect(of({})).toBe('No emissions in the record.');
    expect(of({ scope_1: { total: 'n/a' } })).toBe('No emissions in the record.');
  });

  it('says whether there is a target, unless the record contradicts itself', () => {
    const of = (sbti: object) => said({ sbti })?.replace('No emissions in the record', '…');
    expect(of(target(false, 'removed'))).toBe('…; near-term target removed.');
    expect(of({ data: [] })).toBe('…; no near-term target.');
    expect(of(target(true))).toBe('…; near-term target without a status.');
    expect(of(target(null, 'in review'))).toBe('…; near-term target: in review.');
    expect(of(target(false, 'set'))).toBe('….');
    expect(of({})).toBe('….');
  });

  it('says how sure that is, and of when it is', () => {
    const sbti = { ...target(true, 'set'), last_retrieved_at: '2026-11-02' };
    const record = { performances: [year(2025, 100, market(20))], sbti };
    const received = { unit: null, isSynthetic: true, day: '2026-11-29' };
    expect(answers(record, received)).toEqual([
      'How sure: Do not quote it: synthetic data, and the unit is unknown',
      'How sure: Scope 2 is market-based',
      'As of: figures of 2025, target looked up at SBTi 2 Nov 2026, record retrieved 29 Nov 2026',
    ]);
    expect(answers(record)[0]).toBe(
      'How sure: Emissions in t (by --unit), unknown whether CO2 or CO2e',
    );
    expect(answers({ ...record, sbti: {} }, { unit: null })[0]).toMatch(
      /^How sure: Quote no amount before its unit is known: /,
    );
    expect(answers({ status: 'enriching' }, received)).toEqual([]);
    expect(answers({ status: 'enriching', sbti }, received)).toEqual([
      'How sure: Do not quote it: synthetic data',
      'As of: target looked up at SBTi 2 Nov 2026, record retrieved 29 Nov 2026',
    ]);
  });

  it('says whom to ask, and for what', () => {
    const now = year(2025, 100, market(20));
    const rose = [now, year(2024, 80, market(20))];
    const steps = (record: Partial<Organization>) =>
      answers(record, { unit: 't', day: '2026-11-29' }).filter((text) => /^First/.test(text));
    expect(steps({})).toEqual(['First steps: Ask Acme for scopes 1 to 3']);
    expect(steps({ performances: [year(2025, 5, {})] })).toEqual([
      'First steps: Ask Acme for scopes 1 and 2',
    ]);
    expect(steps({ performances: [now], sbti: target(true, 'set') })).toEqual([]);
    expect(steps({ performances: rose, sbti: target(false, 'removed') })).toEqual([
      'First steps: Ask Acme why scope 1 and 2 rose 20.0%, and why its target or commitment was removed',
    ]);
    const committed = { ...target(false, 'committed'), last_retrieved_at: '2026-01-05' };
    expect(steps({ performances: [now], sbti: committed })).toEqual([
      'First steps: 1. Ask Acme when SBTi validates its target',
      'First steps: 2. Look up its target at sciencebasedtargets.org/target-dashboard: the service last did on 5 Jan 2026',
    ]);
  });

  it('says what to do if research found nothing, and no more than it knows', () => {
    const performances = [year(2020, 100, market(20))];
    expect(said({ status: 'errored' })).toBe(undefined);
    expect(answers({ status: 'errored' })).toEqual([
      'First steps: Ask the service why the research failed',
    ]);
    expect(said({ status: 'errored', performances })).toBe(
      'Research failed; scope 1 and 2 of 120 in 2020.',
    );
    expect(said({ status: 'enriching' })).toBe(undefined);
    expect(said({ status: 'enriching', performances })).toBe(
      'Research in progress; scope 1 and 2 of 120 in 2020.',
    );
    const unmatched = { matching_organization: null, sbti: { data: [] } };
    expect(said(unmatched)).toBe('The service found no organization that fits.');
    expect(answers(unmatched)).toEqual([
      'First steps: Register it again with a website or an LEI (carbon register --website or --lei-number)',
    ]);
    expect(said({ ...unmatched, performances })).toMatch(
      /^The service found no organization that fits; scope 1 and 2 of 120 in 2020; no near-term/,
    );
  });

  it('has the change of the sums of both years', { tags: ['property'] }, () => {
    const amount = fc.integer({ min: 1_000, max: 1e6 });
    fc.assert(
      fc.property(amount, amount, amount, amount, (scope1, scope2, before1, before2) => {
        const performances = [
          year(2025, scope1, market(scope2)),
          year(2024, before1, market(before2)),
        ];
        const text = said({ performances }) ?? '';
        const change = (100 * (scope1 + scope2 - before1 - before2)) / (before1 + before2);
        const [, verb, size] = /(rose|fell) >?([\d.,]+)%/.exec(text) ?? [];
        const shown = Number((size ?? '0').replaceAll(',', '')) * (verb === 'fell' ? -1 : 1);
        expect(Math.abs(shown - change)).toBeLessThanOrEqual(Math.abs(change) < 1e3 ? 0.051 : 0.51);
      }),
    );
  });
});
