import { describe, expect, it } from 'vitest';
import { rules } from '../../../src/portfolio/checks/check-records.ts';
import { checkSummary, findingSheetColumns } from '../../../src/portfolio/checks/finding-sheet.ts';
import type { ShownFinding } from '../../../src/portfolio/checks/findings.ts';

const finding: ShownFinding = {
  ...{ id: 1, name: 'Acme', rule: 'factor', severity: 'warning', action: 'ask the service' },
  ...{ value: 0.92, limit: 1, year: 2024, evidence: '', synthetic: true },
};

function cellsOf(of: Partial<ShownFinding>) {
  const columns = findingSheetColumns();
  return Object.fromEntries(
    columns.map(({ name, value }) => [name, value({ ...finding, ...of })] as const),
  );
}

describe('the sheet of findings', () => {
  it('says of every rule what its values are', () => {
    const silent = rules.filter(({ name }) => !cellsOf({ rule: name })['compared']);
    expect(silent.map(({ name }) => name)).toEqual(['match_none']);
    expect(cellsOf({})).toMatchObject({ compared: 'factor × revenue ÷ emissions', limit: 1 });
    expect(cellsOf({ rule: 'match_none', value: null })).toMatchObject({ compared: null });
  });

  it('expects a range where a limit has two ends', () => {
    expect(cellsOf({ rule: 'jump', value: 9, limit: 5 })).toMatchObject({ limit: '1/5 to 5' });
    expect(cellsOf({ rule: 'benchmark', limit: 10 })).toMatchObject({ limit: '1/10 to 10' });
  });

  it('begins with synthetic data, which nobody may quote', () => {
    const counts = { records: 1, wrong: 0, doubtful: 1, noted: 0 };
    const said = { counts, sentence: 'One record', compared: 'Compared.', missing: [] };
    const sureOf = (isSynthetic: boolean) =>
      checkSummary({
        ...{ findings: [finding], isSynthetic, list: undefined, report: undefined, ...said },
      }).answers.flatMap(({ label, text }, at, all) =>
        label === 'How sure' ? [text, all[at + 1]?.label] : [],
      );
    expect(sureOf(true)).toEqual(['Do not quote it: synthetic data', '']);
    expect(sureOf(false)).toEqual(['Compared.', 'First steps']);
  });
});
