import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding, Severity } from '../../../src/portfolio/checks/findings.ts';
import { checkStatements, countRecords } from '../../../src/portfolio/checks/statements.ts';
import '../../support/seed.ts';

const found = (severity: Severity, id: number | null): Finding => ({
  ...{ id, name: 'Acme', rule: 'any', severity, action: 'ask the service' },
  ...{ value: null, limit: null, year: null, evidence: '' },
});

const severities = fc.array(fc.constantFrom<Severity>('error', 'warning', 'notice'), {
  maxLength: 2,
});

/* Records with what was found in each, alone and next to others; some have no ID. */
const records = fc.array(
  fc.record({ hasId: fc.constantFrom(true, true, false), own: severities, others: severities }),
  { minLength: 1, maxLength: 8 },
);

describe('statements of a check', () => {
  it('count the records of a second computation', () => {
    const seen = new Set<string>();
    for (const all of fc.sample(records, 300)) {
      const checked = all.map(({ hasId, own }, index) => {
        const id = hasId ? index + 1 : null;
        return { id, found: own.map((severity) => found(severity, id)) };
      });
      const others = all.flatMap((each, index) =>
        each.hasId ? each.others.map((severity) => found(severity, index + 1)) : [],
      );
      const worst = all.map(({ hasId, own, others: more }) => {
        const both = hasId ? [...own, ...more] : own;
        return ['error', 'warning', 'notice'].find((each) => both.some((other) => other === each));
      });
      const number = (wanted: string) => worst.filter((each) => each === wanted).length;
      const [wrong, doubtful, of] = [number('error'), number('warning'), all.length];
      const noted = number('notice');
      const records = of === 1 ? '1 record' : `${of} records`;
      const text =
        wrong > 0
          ? `${wrong} of ${records} cannot be right${doubtful > 0 ? `, ${doubtful} should be looked at` : ''}`
          : doubtful > 0
            ? `${doubtful} of ${records} should be looked at`
            : `No errors or warnings in ${records}`;
      expect(checkStatements(countRecords(checked, others))).toEqual([
        { rule: 'errors', text, base: of, of, records: of, wrong, doubtful, noted },
      ]);
      seen.add(text);
    }
    expect(seen.size).toBeGreaterThan(20);
  });
});
