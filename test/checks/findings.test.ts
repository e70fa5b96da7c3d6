import { describe, expect, it } from 'vitest';
import {
  addFindings,
  type Decision,
  type Finding,
  review,
  summarizeFindings,
} from '../../src/checks/findings.ts';

const finding: Finding = {
  id: 12,
  name: 'Acme',
  rule: 'jump',
  severity: 'warning',
  value: 6,
  limit: 5,
  year: 2025,
  evidence: 'revenue: 1 in 2024, 6 in 2025',
};
const decide = (changes: Partial<Decision>) =>
  review(
    [finding],
    [{ line: 2, id: '12', rule: 'jump', until: '', value: '', year: '', ...changes }],
    new Set(['jump', 'unit']),
    '2026-11-23',
  );

describe('review', () => {
  it('leaves out a finding that a person accepted', () => {
    expect(decide({})).toEqual({ findings: [], accepted: 1, lapsed: [] });
    expect(decide({ until: '2026-11-23', value: '6', year: '2025' }).accepted).toBe(1);
  });

  it.each<[reason: string, changes: Partial<Decision>]>([
    ['unknown rule', { rule: 'jumps' }],
    ['date has passed', { until: '2026-11-22' }],
    ['value has changed', { value: '5.5' }],
    ['no such finding', { rule: 'unit' }],
    ['no such finding', { year: '2024' }],
    ['no such finding', { id: '1' }],
  ])('keeps the finding and reports the decision: %s', (reason, changes) => {
    const { findings, accepted, lapsed } = decide(changes);
    expect(findings).toEqual([finding]);
    expect([accepted, lapsed.map((decision) => decision.reason)]).toEqual([0, [reason]]);
  });
});

describe('summarizeFindings', () => {
  it('counts by severity, and names the worst of each organization, but no notices', () => {
    const findings: Finding[] = [
      finding,
      { ...finding, rule: 'unit', severity: 'error' },
      { ...finding, id: 13, severity: 'notice' },
      ...Array.from({ length: 20 }, (_, index) => ({ ...finding, id: 100 + index })),
    ];
    const { worst, ...counts } = summarizeFindings(findings);
    expect(counts).toEqual({ error: 1, warning: 21, notice: 1 });
    expect(worst.map(({ id, rule }) => `${id} ${rule}`).slice(0, 2)).toEqual([
      '12 unit',
      '100 jump',
    ]);
    expect(worst).toHaveLength(10);
  });
});

describe('addFindings', () => {
  it('names two records with an empty id, because they may be different organizations', () => {
    const records = ['Acme', 'Globex'].map((name) =>
      summarizeFindings([{ ...finding, id: '', name }]),
    );
    expect(addFindings(records).worst.map(({ name }) => name)).toEqual(['Acme', 'Globex']);
  });
});
