import { describe, expect, it } from 'vitest';
import { ruleStep, rules, ruleWords } from '../../../src/portfolio/checks/check-records.ts';
import { type Finding, summarizeFindings } from '../../../src/portfolio/checks/findings.ts';

const finding: Finding = {
  id: 12,
  name: 'Acme',
  rule: 'jump',
  severity: 'warning',
  action: 'accept if acquired',
  value: 6,
  limit: 5,
  year: 2025,
  evidence: 'revenue: 1 in 2024, 6 in 2025',
};

describe('rules', () => {
  it('have words of their own that are no code', () => {
    const words = rules.map((rule) => rule.words);
    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((text) => /_|^[A-Z]/.test(text))).toEqual([]);
    expect(ruleWords('match_none')).toBe('no match');
  });
});

describe('the steps of rules', () => {
  it('say what to ask or to correct, not only whom', () => {
    for (const { name, step } of rules) {
      expect([name, step.length]).toEqual([name, expect.toSatisfy((length) => length > 20)]);
      expect(step).not.toMatch(/^(ask the service|correct the list)$|\.$|^[A-Z]/);
      expect(ruleStep(name, undefined)).toContain(
        name === 'match_none' ? 'fill a new column Website' : step,
      );
    }
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
