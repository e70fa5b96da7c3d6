import { appendFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chooseKey, inOtherEncodings } from '../../../src/lists/list/former-readings.ts';
import { BatchFixture } from '../batch/batch-fixture.ts';

interface RecordedList {
  readonly what: string;
  readonly list: string | Buffer;
  readonly mapping: Readonly<Record<string, string>>;
  /** The keys of the rows that 0.2.0 registered in the sandbox. */
  readonly keys: readonly string[];
  /** The option that reads the list better than that run did. */
  readonly encoding?: string;
}

/* Recorded by 0.2.0; a newer version reads some of these lists differently. */
const recorded: readonly RecordedList[] = [
  {
    what: 'text below the table',
    list: 'Company;Country\nAlpha Ltd;GB\nBeta SA;FR\n\nThis list is for information only and comes without any warranty.;\n',
    mapping: { name: 'Company', hq_region: 'Country' },
    keys: [
      '43a7cd468b8e2dfea7aab92dcce6d62a',
      '6b81732a20baf96558d4d75591d8dd34',
      'a20b11c679b2147ee385f3d3244a0d4d',
    ],
  },
  {
    what: 'a second table below the first',
    list: 'Company,Weight\nAlpha Ltd,4\nBeta SA,5\n\nMeans by sector,\nMining,3\nTransport,6\n',
    mapping: { name: 'Company' },
    keys: [
      '75aef084622bb4daa2e3de501eab4b5c',
      '21a623ea0edc9729b4aa0ad7152bbebf',
      '0b3675f50f1043d1be05e11f670e4bc6',
      'e881be398374945a5504d8fc60b5b50f',
      '311b331a8e9c21704f8ef48e68c71c44',
    ],
  },
  {
    what: 'a header of two lines',
    list: 'Security,Weight\nName,%\nAlpha Ltd,4\nBeta SA,5\n',
    mapping: { name: 'Security' },
    keys: [
      '58ba9569bfc93129967c461e00360031',
      '75aef084622bb4daa2e3de501eab4b5c',
      '21a623ea0edc9729b4aa0ad7152bbebf',
    ],
  },
  {
    what: 'group headings',
    list: 'Security,Weight,ISIN\nDomestic shares,,\nAlpha Ltd,4,\nForeign shares,,\nBeta SA,5,\n',
    mapping: { name: 'Security', isin_number: 'ISIN' },
    keys: [
      'df1d03f6cc399a536be725b9ea970a46',
      '75aef084622bb4daa2e3de501eab4b5c',
      '6e9cab5311119bb9ee032df3438fe3aa',
      '21a623ea0edc9729b4aa0ad7152bbebf',
    ],
  },
  {
    what: 'names of persons',
    list: 'Company name,Name\nAlpha Ltd,Jane Doe\nBeta SA,John Roe\n',
    mapping: { name: 'Name' },
    keys: ['f57a3adfd3a7d023e3b85035dfb5f157', '7edfe8f327ea42c7078d1c58f1a5389c'],
  },
  {
    what: 'surnames',
    list: 'Name;Vorname\nMeier;Anna\nHuber;Max\n',
    mapping: { name: 'Name' },
    keys: ['9fd34029b741cbc30201d456d2fa9b10', '77fa226623773363cc4d0d7852e7c24e'],
  },
  {
    what: 'a currency that is none',
    list: 'Company,Currency\nAlpha Ltd,GBX\nBeta SA,EUR\n',
    mapping: { name: 'Company', currency: 'Currency' },
    keys: ['21a623ea0edc9729b4aa0ad7152bbebf'],
  },
  {
    what: 'short rows',
    list: 'Company,Country,Note\nAlpha Ltd,GB,x\nBeta SA\n',
    mapping: { name: 'Company', hq_region: 'Country' },
    keys: ['43a7cd468b8e2dfea7aab92dcce6d62a'],
  },
  {
    what: 'equal rows and a total',
    list: 'Company;Spend\nAlpha Ltd;5\nalpha ltd;5\nTotal;10\n',
    mapping: { name: 'Company' },
    keys: ['75aef084622bb4daa2e3de501eab4b5c', 'a58785f20ff4d40e026c68e8876bfda2'],
  },
  {
    what: 'line breaks and dashes',
    list: 'Company,Address,Rating\nAlpha Ltd,"1 High St\nNewtown",-\nBeta SA,"",-5\n',
    mapping: { name: 'Company', hq_fuzzy: 'Address' },
    keys: ['1831912346b620ec56559a0419cd7019', '21a623ea0edc9729b4aa0ad7152bbebf'],
  },
  {
    what: 'a country that has another short name',
    list: 'Company,Country\nAlpha Ltd,"Congo, The Democratic Republic of the"\nBeta SA,Holy See (Vatican City State)\n',
    mapping: { name: 'Company', hq_region: 'Country' },
    keys: ['7e7ef14cad4ca0046e95937f317ec419', '90d683a14bb1a8f3acea84b56fa46284'],
  },
  {
    what: 'D-U-N-S numbers',
    list: 'Company,D-U-N-S\nAlpha Ltd,804735132\nBeta SA,001234567\n',
    mapping: { name: 'Company', duns_number: 'D-U-N-S' },
    keys: ['7957724c9cc520fb4dc66d7ff0927702', 'e8b520551b7edc660823887957d97607'],
  },
  {
    what: 'names with numbers',
    list: 'Company,No.\n3M,1\nA2A,2\nE.ON SE,3\n',
    mapping: { name: 'Company' },
    keys: [
      '270c32dd0edd3cda37d84c3bb3154a81',
      '82f94a160b74083e579f1c597d9002b1',
      '02256f77c1b4e1751f0788014234b9ed',
    ],
  },
  {
    what: 'numbers without a header',
    list: '0,1\nAlpha Ltd,DE\nBeta SA,FR\n',
    mapping: { name: '0' },
    keys: ['75aef084622bb4daa2e3de501eab4b5c', '21a623ea0edc9729b4aa0ad7152bbebf'],
  },
  {
    what: 'text of the Macintosh read as windows-1252',
    list: Buffer.from('Firma;Land\nM\x9fller GmbH;\x85sterreich\n', 'latin1'),
    mapping: { name: 'Firma', hq_region: 'Land' },
    keys: ['64919c8978ec83d7c9a61d38d54835e8'],
    encoding: 'macintosh',
  },
  {
    what: 'Polish text read as windows-1252',
    list: Buffer.from('Firma;Land\nMa\xb3opolska SA;PL\n', 'latin1'),
    mapping: { name: 'Firma', hq_region: 'Land' },
    keys: ['5a7b19be76269144140dd0eceb8cb5eb'],
    encoding: 'windows-1250',
  },
  {
    what: 'UTF-8 read as windows-1252',
    list: 'Firma;Land\nMüller GmbH;DE\n',
    mapping: { name: 'Firma', hq_region: 'Land' },
    keys: ['e5464aed06b3b0591cde2afb2480dbee'],
  },
];

const sandbox = { service: 'sandbox', profile: 'sandbox', sandbox: true };

describe('a list that 0.2.0 registered', () => {
  it.each(recorded)('sends no row again: $what', async ({ list, mapping, keys, encoding }) => {
    const fixture = new BatchFixture(list);
    const versions = { carbon: 'journal', version: 1, keys: 1 };
    const header = { ...versions, service: 'sandbox', profile: 'sandbox', mapping };
    const rows = keys.map(
      (key, index) => `{"key":"${key}","id":${index + 1},"line":${index + 2},"status":"created"}`,
    );
    const journal = [JSON.stringify(header), ...rows, ''].join('\n');
    writeFileSync(`${fixture.path}.sandbox.carbon.jsonl`, journal);
    const batch = await fixture.open({ ...sandbox, encoding, dryRun: true });
    const { counts } = batch.preflight;
    expect(counts.done).toBe(keys.length);
    // Only rows that were invalid may be new.
    const hadInvalid = /GBX|,x\n/.test(String(list));
    if (!hadInvalid) expect(counts.new).toBe(0);
  });
});

describe('a list that is read better than in the last run', () => {
  it('sends no row again, and new rows by what they are now', async () => {
    const fixture = new BatchFixture('Firma;Land\nMüller GmbH;DE\n');
    const first = await fixture.run({ encoding: 'windows-1252' });
    expect(first.sent).toEqual([{ name: 'MÃ¼ller GmbH', hq_region: 'DE' }]);
    appendFileSync(fixture.path, 'Schäfer AG;DE\n');
    const second = await fixture.run();
    expect(second.preflight.counts).toMatchObject({ done: 1, new: 1 });
    expect(second.sent).toEqual([{ name: 'Schäfer AG', hq_region: 'DE' }]);
    expect((await fixture.run()).preflight.counts).toMatchObject({ done: 2, new: 0 });
  });
});

describe('chooseKey', () => {
  const keyOf = ({ name = '' }: { readonly name?: string }) => `key of ${name}`;

  it.each([
    ['its own if nothing was registered', [], 'key of new'],
    ['its own if both were registered', ['key of new', 'key of old'], 'key of new'],
    ['the former one if only that was registered', ['key of old'], 'key of old'],
  ])('returns %s', (_, registered, expected) => {
    const was = (key: string) => registered.includes(key);
    expect(chooseKey(keyOf, { name: 'new' }, () => [{ name: 'old' }], was)).toBe(expected);
  });
});

describe('inOtherEncodings', () => {
  it.each([
    ['UTF-8', undefined, ['windows-1252'], ['ü–', 'a'], [['Ã¼â€“', 'a']]],
    ['windows-1252', 'latin1', ['windows-1250', 'cp1252'], ['³'], [['ł']]],
    ['bytes that are no text of the other one', 'latin1', ['utf-8'], ['ü'], []],
    ['a character that the encoding does not have', 'latin1', ['windows-1250'], ['ł'], []],
    ['an encoding with several bytes', 'shift_jis', ['windows-1252'], ['会社'], []],
    ['ASCII', undefined, ['windows-1252'], ['Acme'], []],
    ['MS-DOS text', 'ibm850', ['windows-1252'], ['Brulé'], [['Brul‚']]],
    ['an unknown encoding', 'x-none', ['windows-1252'], ['ü'], []],
  ])('reads %s', (_, encoding, others, cells, expected) => {
    expect(inOtherEncodings(encoding, others)(cells)).toEqual(expected);
  });
});
