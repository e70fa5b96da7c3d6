import { expect, it } from 'vitest';
import { plainStyle } from '../../../src/display/terminal/style.ts';
import { findingLines } from '../../../src/portfolio/checks/finding-text.ts';
import { type FindingOfYears, groupYears } from '../../../src/portfolio/checks/finding-years.ts';
import type { ShownFinding } from '../../../src/portfolio/checks/findings.ts';
import { badLines } from '../../support/screen.ts';

const finding = (id: number, name: string, more: Partial<ShownFinding>): ShownFinding => ({
  ...{
    id,
    name,
    rule: 'match_none',
    severity: 'notice',
    value: null,
    limit: null,
    year: null,
    action: 'correct the list',
  },
  ...{ evidence: 'the service found no organization that fits', synthetic: false },
  ...more,
});
const disagree = { rule: 'factor', severity: 'warning' } as const;
const findings: readonly FindingOfYears[] = groupYears([
  finding(1010, 'Ziegelei Brandt KG', { ...disagree, year: 2019, evidence: '7.6% below' }),
  finding(1010, 'Ziegelei Brandt KG', { ...disagree, year: 2018, evidence: '11.2% below' }),
  finding(29, 'Harz Bergbau', { ...disagree, year: 2020, evidence: `${'far '.repeat(12)}below` }),
  finding(3, 'Zürich Versicherungs-Gesellschaft Aktiengesellschaft', {}),
  finding(4, '', {}),
]);
const drawn = (columns: number) => findingLines(findings, columns, plainStyle).join('\n');

it('findingLines say each finding once, and what its companies have in common with it', () => {
  expect(drawn(80)).toMatchInlineSnapshot(`
    "Factor and emissions disagree (warning, 2 companies)
      1010  Ziegelei Brandt KG              2018 and 2019  7.6% to 11.2% below
        29  Harz Bergbau                    2020           far far far far far far
                                                           far far far far far far
                                                           below
    No match (notice, 2 companies): the service found no organization that fits
         3  Zürich Versicherungs-Gesellsc…
         4  no name"
  `);
  expect(drawn(40)).toMatchInlineSnapshot(`
    "Factor and emissions disagree
        (warning, 2 companies)
      1010  Ziegelei Brandt …  2018 and 2019
        7.6% to 11.2% below
        29  Harz Bergbau       2020
        far far far far far far far far far
        far far far below
    No match (notice, 2 companies): the
        service found no organization that
        fits
         3  Zürich Versicher…
         4  no name"
  `);
});

it('findingLines fit the terminal', () => {
  for (let columns = 40; columns < 130; columns += 1)
    expect(badLines(`${drawn(columns)}\n`, columns)).toEqual([]);
});
