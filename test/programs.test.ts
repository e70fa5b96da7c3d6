/* `npm test` has the same result on every machine: it depends on no program that may be missing. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readText, root } from './support/documents.ts';

/* The platform, the user, IPv6 and the program under test may skip a test. */
const allowed = [
  "!existsSync('/dev/full')",
  "process.env['CARBON_TEST_NODE']",
  "process.platform !== 'linux'",
  "process.platform === 'win32'",
  '!isOpenToOthers()',
  '!isRoot',
  '!isWindows',
  '!isWine',
  'hasIpv6',
  'isRoot',
  'isWindows',
  "process.platform === 'linux'",
  'single !== undefined',
  'single === undefined',
  'uid !== undefined',
];

it('only itNeeds and describeNeeds skip tests because a program is missing', () => {
  const paths = readdirSync(`${root}/test`, { recursive: true, encoding: 'utf8' });
  const conditions = paths
    .filter((path) => path.endsWith('.test.ts') && path !== 'programs.test.ts')
    .flatMap((path) => [
      ...readText(`test/${path}`).matchAll(
        /\.(?:skipIf|runIf)\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g,
      ),
    ])
    .flatMap(([, condition = '']) => condition.split(/ (?:&&|\|\|) /).map((each) => each.trim()));
  expect([...new Set(conditions)].sort()).toEqual(expect.arrayContaining(['hasIpv6', 'isWindows']));
  expect(conditions.filter((each) => !allowed.includes(each))).toEqual([]);
});
