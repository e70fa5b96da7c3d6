import { expect, it } from 'vitest';
import { renderFigures } from '../../bench/figures-page.ts';

it('renderFigures groups the figures and names the missed goals', () => {
  const circumstances = {
    commit: 'abc1234',
    date: '2026-11-22',
    machine: '2 × AMD EPYC, Linux',
    load: 0.04,
    node: 'v20.20.0',
    command: 'npm run bench -- --quick',
  };
  const page = renderFigures(circumstances, [
    { section: 'start-up', what: 'node -e 0', value: 30.04, unit: 'ms', ratio: 1 },
    {
      section: 'start-up',
      what: 'curl | jq',
      value: 60,
      unit: 'ms',
      ratio: 2,
      goal: ['at most', 1.5],
    },
    { section: 'memory', what: '10,000 rows', value: 110, unit: 'MB', goal: ['at most', 160] },
  ]);
  expect(page).toMatchInlineSnapshot(`
    "# Figures

    [Performance](performance.md) explains these figures. \`npm run bench\` generates this page.

    - commit: abc1234
    - date: 2026-11-22
    - machine: 2 × AMD EPYC, Linux
    - load of other programs: 0.0
    - Node: v20.20.0
    - command: \`npm run bench -- --quick\`

    1 of 2 goals are met. Missed:

    - start-up: curl \\| jq

    ## Start-up

    The ratio is the duration divided by that of bare \`node -e 0\`.

    | what | median | ratio | goal | result |
    | --- | --- | --- | --- | --- |
    | node -e 0 | 30.0 ms | 1.00 × |  |  |
    | curl \\| jq | 60.0 ms | 2.00 × | ≤ 1.5 | **missed** |

    ## Memory

    | what | median | goal | result |
    | --- | --- | --- | --- |
    | 10,000 rows | 110 MB | ≤ 160 | met |
    "
  `);
});
