import { expect, it } from 'vitest';
import { readRecord } from '../../../src/client/api/read-record.ts';
import { listedNames } from '../../../src/portfolio/organizations/matches.ts';
import { findDoubts } from '../../../src/portfolio/report/doubts.ts';
import { readEntry } from '../../../src/portfolio/report/entry.ts';

/* An organization whose record has this name and match, and the names of its rows in a list. */
interface Given {
  readonly name?: string;
  readonly match?: {
    readonly id: number;
    readonly name?: string;
    readonly names?: object[];
  } | null;
  readonly rows?: readonly string[];
}

async function rulesOf(...all: readonly Given[]) {
  const entries = all.map(({ name, match, rows = [] }, index) => {
    const { record } = readRecord({ id: index + 1, name, matching_organization: match });
    const names = rows.map((each) => ({ name: each }));
    return readEntry(
      record,
      { today: '2026-11-28', asOf: '2026-11-28', retrievedAt: null },
      listedNames(record, names),
    );
  });
  const doubts = await findDoubts(entries);
  return entries.map((entry) => doubts.get(entry)?.rule ?? null);
}

const acme = { id: 7, name: 'Acme AG', names: [{ value: 'Acme Group' }] };

it.each<[what: string, given: Given, rule: string | null]>([
  ['a name of the match', { match: acme, rows: ['Acme Group'] }, null],
  ['a name of the match with another legal form', { match: acme, rows: ['ACME SE'] }, null],
  ['a word in common', { match: acme, rows: ['Acme Energy'] }, null],
  ['no word in common', { match: acme, rows: ['Zeppelin'] }, 'match_differs'],
  ['one row that fits', { match: acme, rows: ['Zeppelin', 'Acme'] }, null],
  ['no row that fits', { match: acme, rows: ['Zeppelin', 'Globex'] }, 'match_differs'],
  ['no match and the name of the record', { name: 'Acme', match: null, rows: ['Acme'] }, null],
  ['no match and another name', { name: 'Acme', match: null, rows: ['Globex'] }, 'match_differs'],
  ['no rows, as a file of records', { name: 'Zeppelin', match: acme }, null],
])('the match of a record whose row has %s', async (_, given, rule) => {
  expect(await rulesOf(given)).toEqual([rule]);
});

it('a shared match is judged by the names in the list, as carbon check does', async () => {
  const nord = { id: 9, name: 'Nord', names: [{ value: 'Nord Rail' }] };
  // The service calls both by the name of the match.
  const rows = (...names: readonly string[]) =>
    names.map((each) => ({ name: 'Nord', match: nord, rows: [each] }));
  expect(await rulesOf(...rows('Nord AG', 'Nord Rail'))).toEqual([null, null]);
  expect(await rulesOf(...rows('Nord AG', 'Nord Energy'))).toEqual([null, 'match_shared']);
  expect(await rulesOf(...rows('Nord AG', 'Zeppelin'))).toEqual([null, 'match_differs']);
  expect(await rulesOf({ name: 'Nord', match: nord }, { name: 'Zeppelin', match: nord })).toEqual([
    null,
    'match_shared',
  ]);
});
