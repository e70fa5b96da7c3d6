import { describe, expect, it } from 'vitest';
import { sheetPart, stylesPart, workbook } from '../workbook/archives.ts';
import { BatchFixture } from './batch-fixture.ts';

const text = (value: string, reference: string) =>
  `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/* Makes a list whose rows have a name, an ID in a style, and a website with links behind it. */
function list(
  rows: readonly (readonly [name: string, id: string, site: string])[],
  { code = '', links = [] }: { code?: string; links?: readonly (readonly [string, string])[] } = {},
) {
  const header = ['Name', 'Vendor ID', 'Website'].map((name, at) => text(name, `${'ABC'[at]}1`));
  const lines = rows.map(([name, id, site], index) => {
    const row = index + 2;
    const cell = site.startsWith('=')
      ? `<c r="C${row}" t="str"><f>${site.slice(1)}</f><v>Website</v></c>`
      : text(site, `C${row}`);
    return `<row r="${row}">${text(name, `A${row}`)}<c r="B${row}" s="1"><v>${id}</v></c>${cell}</row>`;
  });
  const behind = links.map(([ref], index) => `<hyperlink ref="${ref}" r:id="rId${index}"/>`);
  const targets = links.map(
    ([, target], index) =>
      `<Relationship Id="rId${index}" Type="${office}/hyperlink" Target="${target}" TargetMode="External"/>`,
  );
  const after = `<hyperlinks xmlns:r="${office}">${behind.join('')}<hyperlink ref="A2" location="Sheet1!A1"/></hyperlinks>`;
  return workbook('', {
    'xl/worksheets/sheet1.xml': sheetPart(
      `<row r="1">${header.join('')}</row>${lines.join('')}`,
      after,
    ),
    'xl/styles.xml': stylesPart([code], code === '' ? [0, 0] : [0, 164]),
    ...(links.length > 0 && {
      'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets.join('')}</Relationships>`,
    }),
  });
}

const fixtureOf = (content: Buffer) => new BatchFixture(content, undefined, 'list.xlsx');
const ids = async (code: string, ...numbers: string[]) => {
  const rows = numbers.map((id, index) => [`N${index}`, id, 'a.example'] as const);
  const { sent } = await fixtureOf(await list(rows, { code })).run({ concurrency: 1 });
  return sent.map(({ external_id }) => external_id);
};
const sites = async (cells: readonly string[], links: readonly (readonly [string, string])[]) => {
  const rows = cells.map((site, index) => [`N${index}`, '1', site] as const);
  const { sent } = await fixtureOf(await list(rows, { links })).run({ concurrency: 1 });
  return sent.map(({ website }) => website);
};

describe('a list in a workbook', () => {
  it.each([
    ['00000', ['1234', '0', '123456', '-5', '1.5'], ['01234', '00000', '123456', '-5', '1.5']],
    ['0000;-0000', ['7'], ['0007']],
    ['0', ['7'], ['7']],
    ['#,##0', ['1234'], ['1234']],
    ['000-0000', ['1234'], ['1234']],
    ['0.00', ['1234'], ['1234']],
    ['yyyy', ['45415'], ['2024-05-03']],
  ])('is read with the leading zeros that the format %s shows', async (code, stored, sent) => {
    expect(await ids(code, ...stored)).toEqual(sent);
  });

  it('is read with the links behind cells of the website whose text is no address', async () => {
    expect(
      await sites(
        ['Website', 'see here', 'own.example', 'mail', 'Website', 'no link'],
        [
          ['C2', 'https://two.example/'],
          ['C3:C4', 'https://three.example/'],
          ['C5', 'mailto:a@five.example'],
          ['C6', 'https://six.example/?a=1&amp;b=2'],
        ],
      ),
    ).toEqual([
      'https://two.example/',
      'https://three.example/',
      'own.example',
      'a@five.example',
      'https://six.example/?a=1&b=2',
      'no link',
    ]);
    expect(
      await sites(['=HYPERLINK("https://f.example/""x""","Website")', '=A2&amp;"x"'], []),
    ).toEqual(['https://f.example/"x"', 'Website']);
  });

  it('sends rows that differ in nothing but a link or a format', async () => {
    const links = [2, 3].map((row) => [`C${row}`, `https://${row}.example/`] as const);
    const rows = [2, 3].map(() => ['Acme', '1', 'Website'] as const);
    expect((await fixtureOf(await list(rows, { links })).run()).preflight.counts.new).toBe(2);
  });

  it('sends nothing again that was registered as the cells store it', async () => {
    const rows = [
      ['Acme', '17', 'Website'],
      ['Beta', '18', 'b.example'],
    ] as const;
    const fixture = fixtureOf(await list(rows));
    expect((await fixture.run()).sent).toHaveLength(2);
    const links = [['C2', 'https://acme.example/']] as const;
    fixture.write(await list([...rows, ['New', '19', 'n.example']], { code: '0000', links }));
    const { sent, preflight, outcome } = await fixture.run();
    expect(sent).toEqual([{ name: 'New', external_id: '0019', website: 'n.example' }]);
    expect([preflight.counts.done, outcome.counts.skipped, outcome.left]).toEqual([2, 2, 0]);
    expect((await fixture.run()).preflight.counts).toMatchObject({ new: 0, done: 3 });
  });

  it('is reported when numbers have more than 15 digits and have lost some', async () => {
    const rows = ['1.2345678901234499E+17', '123456789012345000', '123456789012345678', '100'];
    const content = await list(rows.map((id, index) => [`N${index}`, id, 'a.example'] as const));
    const { preflight } = await fixtureOf(content).run();
    expect(preflight.findings).toMatchObject([
      { kind: 'rounded_numbers', column: 'Vendor ID', count: 2, lines: [2, 3] },
    ]);
  });
});

describe('a list in CSV', () => {
  it('gets the leading zeros of D-U-N-S numbers of seven and eight digits back', async () => {
    const content = 'Name,DUNS\nA,60704780\nB,1234567\nC,804735132\nD,123456\nE,60704780x\n';
    const { sent, preflight } = await new BatchFixture(content).run({ concurrency: 1 });
    expect(sent.map(({ duns_number }) => duns_number)).toEqual([
      '060704780',
      '001234567',
      '804735132',
    ]);
    expect(preflight.problems.map(({ line }) => line)).toEqual([5, 6]);
    expect(preflight.findings).toMatchObject([
      {
        kind: 'restored_duns',
        lines: [2, 3],
        values: new Map([
          ['60704780', 1],
          ['1234567', 1],
        ]),
      },
    ]);
  });
});
