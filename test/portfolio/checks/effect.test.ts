import { expect, it } from 'vitest';
import { effectText } from '../../../src/portfolio/checks/statements.ts';

it.each([
  [[], ''],
  [['notice 2025'], ''],
  [['error 2025'], 'No total uses figures with an error'],
  [
    ['warning 2018', 'warning 2017', 'warning 2019', 'warning 2019'],
    'The figures with a warning are of 2017 to 2019; they are in the totals of these years',
  ],
  [
    ['error 2020', 'warning 2017', 'warning 2019'],
    'No total uses figures with an error. The figures with a warning are of 2017 and 2019; they are in the totals of these years',
  ],
  [['warning 2025', 'warning'], 'Totals use the figures with a warning'],
])('the totals that use the figures of %j are named', (found, text) => {
  const findings = found.map((each) => {
    const [severity, year] = each.split(' ');
    return {
      severity: severity as 'error' | 'warning' | 'notice',
      year: year === undefined ? null : Number(year),
    };
  });
  expect(effectText(findings)).toBe(text);
});
