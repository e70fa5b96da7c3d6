import { describe, expect, it } from 'vitest';
import { inPipe, terminal, waysOut, withoutEscapes } from '../support/questions.ts';
import { keys, run } from '../support/run.ts';
import { book } from './table/book.ts';

const severalNames = {
  files: { 'list.csv': 'Company,Firma,Land\nAcme AG,Borealis GmbH,DE\nDeep Sea Ltd,東京商事,GB\n' },
  argv: ['sync', 'list.csv', '--sandbox', '--dry-run'],
};

describe('a question about a list', () => {
  it('offers each column that may hold the name', async () => {
    const { folder, line, pipe } = await inPipe(severalNames);
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "Several columns may hold the organization name
      ◆  Which column has the organization name? (Esc: stop)
      Company: Acme AG, Deep Sea Ltd → Running: carbon sync list.csv --sandbox --dry-run --map name=Company
      Firma: Borealis GmbH, 東京商事 → Running: carbon sync list.csv --sandbox --dry-run --map name=Firma
      None of these → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Error: Several columns may hold the organization name: Company (Acme AG, Deep Sea Ltd), Firma (Borealis GmbH, 東京商事)
      Hint: Choose one: --map name=Company or --map name=Firma
      --- exit 2"
    `);
  });

  it('offers each column if none looks like the name', async () => {
    const list = 'Code,Betreff,Land\n4711,Acme AG,DE\n4712,Deep Sea Ltd,GB\n4713,,FR\n';
    const { folder, line, pipe } = await inPipe({
      files: { 'list.csv': list },
      argv: ['sync', 'list.csv', '--sandbox', '--dry-run'],
    });
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "No column looks like an organization name
      ◆  Which column has the organization name? (Esc: stop)
      Betreff: Acme AG, Deep Sea Ltd → Running: carbon sync list.csv --sandbox --dry-run --map name=Betreff
      Code: 4711, 4712, 4713 → Running: carbon sync list.csv --sandbox --dry-run --map name=Code
      Land: DE, GB, FR → Running: carbon sync list.csv --sandbox --dry-run --map name=Land
      None of these; if the file has no header line, add one → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Error: No column looks like an organization name. Columns and first values: Code (4711), Betreff (Acme AG), Land (DE)
      Hint: Choose the column, such as --map name=Betreff. If the file has no header line, add one.
      --- exit 2"
    `);
  });

  it('offers the first lines as the header', async () => {
    const list =
      'Suppliers,\nState: draft,\nFirm,Place,Land\nAcme AG,Bonn,DE\nDeep Sea Ltd,York,GB\n';
    const { folder, line, pipe } = await inPipe({
      files: { 'list.csv': list },
      argv: ['sync', 'list.csv', '--sandbox', '--dry-run'],
    });
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "No column looks like an organization name
      ◆  Which line is the header? (Esc: stop)
      Line 2: State: draft → Running: carbon sync list.csv --sandbox --dry-run --skip-lines 1
      Line 3: Firm, Place, Land → Running: carbon sync list.csv --sandbox --dry-run --skip-lines 2
      Line 4: Acme AG, Bonn, DE → Running: carbon sync list.csv --sandbox --dry-run --skip-lines 3
      Line 5: Deep Sea Ltd, York, GB → Running: carbon sync list.csv --sandbox --dry-run --skip-lines 4
      Stop → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Error: No column looks like an organization name. Columns and first values: Suppliers (State: draft),  (Place)
      Hint: The header seems to be on line 3: use --skip-lines 2.
      --- exit 2"
    `);
  });

  it('offers to leave out invalid rows, or their invalid identifiers', async () => {
    const list =
      'name,country,lei\nAcme AG,DE,5299\nDeep Sea Ltd,GB,\nBorealis GmbH,XX,\nKappa Oy,FI,5299\n';
    const { folder, line, pipe } = await inPipe({
      files: { 'list.csv': list },
      argv: ['batch', 'list.csv', '--sandbox', '--dry-run'],
    });
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "Columns: name → name, country → hq_region, lei → lei_number
      Checked 4 rows: 1 new, 3 invalid
      line 2: lei "5299" is not an LEI (18 letters or digits, then 2 digits): look it up at search.gleif.org, or leave it out
      line 4: country "XX" is not an ISO 3166-1 two-letter country code
      line 5: lei "5299" is not an LEI (18 letters or digits, then 2 digits): look it up at search.gleif.org, or leave it out
      list.csv has 3 invalid rows; nothing sent yet
      ◆  What should happen to the invalid rows? (Esc: stop)
      Leave out 3 invalid rows: 1 new row to send → Running: carbon batch list.csv --sandbox --dry-run --invalid skip
      Send 2 rows without the invalid identifiers: 3 new rows to send, 1 left out → Running: carbon batch list.csv --sandbox --dry-run --invalid drop-ids
      Stop → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Columns: name → name, country → hq_region, lei → lei_number
      Checked 4 rows: 1 new, 3 invalid
      line 2: lei "5299" is not an LEI (18 letters or digits, then 2 digits): look it up at search.gleif.org, or leave it out
      line 4: country "XX" is not an ISO 3166-1 two-letter country code
      line 5: lei "5299" is not an LEI (18 letters or digits, then 2 digits): look it up at search.gleif.org, or leave it out
      Error: list.csv has 3 invalid rows; nothing was sent
      Hint: Fix the file, or send only the valid rows with --invalid skip; --invalid drop-ids leaves out invalid LEI, ISIN and D-U-N-S numbers.
      --- exit 2"
    `);
  });

  it('offers to leave out headings of groups', async () => {
    const list =
      'name,country,sector\nDomestic,,\nAcme AG,DE,Steel\nKappa Oy,FI,Paper\nForeign,,\nDeep Sea Ltd,GB,Fish\nZeta SA,FR,Wine\nTotal,,\n';
    const { folder, line, pipe } = await inPipe({
      files: { 'list.csv': list },
      argv: ['batch', 'list.csv', '--sandbox', '--dry-run'],
    });
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "list.csv: 2 rows with only a name look like group headings: lines 2, 5: "Domestic", "Foreign"
      ◆  What should happen to these rows? (Esc: stop)
      Leave out 2 rows → Running: carbon batch list.csv --sandbox --dry-run --doubtful skip
      Send 2 rows as organizations → Running: carbon batch list.csv --sandbox --dry-run --doubtful send
      Stop → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Error: list.csv: 2 rows with only a name look like group headings: lines 2, 5: "Domestic", "Foreign"
      Hint: To leave out these rows, use --doubtful skip. To register them as organizations, use --doubtful send.
      --- exit 2"
    `);
  });

  it.each<[string, number[]]>([
    // Müller, Łódź, Ёлка and 東京 in the encodings of their countries.
    ['windows-1252', [0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72]],
    ['windows-1250', [0xa3, 0xf3, 0x64, 0x9f]],
    ['windows-1251', [0xa8, 0xeb, 0xea, 0xe0]],
    ['shift_jis', [0x93, 0x8c, 0x8b, 0x9e]],
    ['ibm850', [0x4d, 0x81, 0x6c, 0x6c, 0x65, 0x72]],
  ])('offers the encodings that fit text of %s, with the line that differs', async (_, bytes) => {
    const list = Buffer.concat([
      Buffer.from('name,country\nAcme AG,DE\n'),
      Buffer.from(bytes),
      Buffer.from(' Ltd,GB\n'),
    ]);
    const { folder, line, pipe } = await inPipe({
      files: { 'list.csv': list },
      argv: ['sync', 'list.csv', '--sandbox', '--dry-run'],
    });
    expect(`${await waysOut(line, folder)}\n${pipe}`).toMatchSnapshot();
  });

  it('offers the sheets of a workbook with their first cells', async () => {
    const firms = await book({
      Cover: [['Suppliers of the group'], ['Draft']],
      EU: [
        ['Firm', 'Land'],
        ['Acme AG', 'DE'],
      ],
      'US \u0007"a"': [
        ['Firm', 'Land'],
        ['Delta Inc', 'US'],
      ],
    });
    const { folder, line, pipe } = await inPipe({
      files: { 'firms.xlsx': firms },
      argv: ['sync', 'firms.xlsx', '--sandbox', '--dry-run'],
    });
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "No column looks like an organization name
      ◆  Which column has the organization name? (Esc: stop)
      Suppliers of the group: Draft → Running: carbon sync firms.xlsx --sandbox --dry-run --map "name=Suppliers of the group"
      Sheet "EU": Firm, Land → Running: carbon sync firms.xlsx --sandbox --dry-run --sheet EU
      Sheet "US _x0007_"a"": Firm, Land → Running: carbon sync firms.xlsx --sandbox --dry-run --sheet 'US _x0007_"a"'
      None of these; if the file has no header line, add one → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Error: No column looks like an organization name. Columns and first values: Suppliers of the group (Draft)
      Hint: Choose the column, such as --map "name=Suppliers of the group". If the file has no header line, add one. For another sheet of the workbook, use --sheet EU or --sheet 'US _x0007_"a"'.
      --- exit 2"
    `);
  });

  it('offers the sheets of a workbook whose first one is empty', async () => {
    const firms = await book({
      Cover: [],
      EU: [
        ['Firm', 'Land'],
        ['Acme AG', 'DE'],
      ],
    });
    const { folder, line, pipe } = await inPipe({
      files: { 'firms.xlsx': firms },
      argv: ['sync', 'firms.xlsx', '--sandbox', '--dry-run'],
    });
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "firms.xlsx, sheet "Cover" has no header
      ◆  Which sheet is the list? (Esc: stop)
      Sheet "EU": Firm, Land → Running: carbon sync firms.xlsx --sandbox --dry-run --sheet EU
      Stop → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Error: firms.xlsx, sheet "Cover" has no header
      Hint: For another sheet of the workbook, use --sheet EU.
      --- exit 2"
    `);
  });

  it('offers to leave out totals and notes before it registers other rows', async () => {
    const notes = 'Means by industry,\nMining,\nTransport,\n';
    const list = `name,country\nAcme AG,DE\nKappa Oy,FI\nZeta SA,FR\nTotal,\n,\n${notes}`;
    const { pipe } = await inPipe({
      files: { 'list.csv': list },
      argv: ['batch', 'list.csv', '--sandbox'],
    });
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Columns: name → name, country → hq_region
      Checked 3 rows: 3 new
      Warning: Line 5 "Total" looks like a total and was left out; to send it, use --doubtful send
      Warning: Left out, because the table seems to end above (to send them, use --doubtful send): 3 rows (lines 7, 8, 9): "Means by industry", "Mining", "Transport"
      To follow the research: carbon sync list.csv --sandbox
      Done in 0 s: 3 registered
      --- exit 0"
    `);
    const other = await inPipe({ files: { 'list.csv': list }, argv: ['check', 'list.csv'] });
    const batch = ['batch', ...other.line.slice(1), '--sandbox'];
    const world = { ...terminal, typed: [keys.escape] };
    const asked = withoutEscapes((await run(batch, world)).stderr);
    expect(asked).toContain(
      '4 rows do not look like organizations: total "Total" (line 5); under the table "Means by industry", "Mining", "Transport" (lines 7, 8, 9)\n',
    );
    // Nothing has failed yet.
    expect(asked).not.toContain('Error:');
    // What the question decides has not happened yet.
    expect(asked).not.toMatch(/left out|Warning/i);
    expect(asked).toMatch(/● Leave out 4 rows\n○ Send 4 rows as organizations\n○ Stop/);
    const skipped = await run(batch, { ...terminal, typed: [keys.enter] });
    expect(skipped.exit).toBe(0);
    expect(withoutEscapes(skipped.stderr)).toMatch(/^Running: .* --doubtful skip$/m);
    const again = await run(batch, { ...terminal, typed: [] });
    expect(again.exit).toBe(0);
  });

  it('warns of a total if another question comes first, which may end the run', async () => {
    const { line } = await inPipe({
      files: { 'list.csv': 'name,country\nAcme AG,DE\nTotal,\n,FR\nZeta SA,FR\n' },
      argv: ['batch', 'list.csv', '--sandbox'],
    });
    const asked = withoutEscapes((await run(line, { ...terminal, typed: [keys.escape] })).stderr);
    expect(asked).toContain('Warning: Line 3 "Total" looks like a total and was left out;');
    expect(asked).toContain('What should happen to the invalid rows?');
  });

  it('keeps the answer, so that the next run asks nothing', async () => {
    const { line } = await inPipe({ ...severalNames, argv: ['sync', 'list.csv', '--sandbox'] });
    const typed = [`${keys.down}${keys.enter}`];
    const first = await run(line, { ...terminal, typed });
    expect(first.exit).toBe(0);
    const next = await run(line, { ...terminal, typed: [] });
    expect(next.exit).toBe(0);
    expect(withoutEscapes(next.stderr)).toContain('Columns: Firma → name');
    const listed = await run(['list', line[1] ?? '', '--csv'], { ...terminal, typed: [] });
    expect(listed.stdout).toContain('Borealis GmbH');
  });

  it('asks at most three questions, then prints the error of a pipe', async () => {
    const rows = ['Domestic,,,', 'Acme AG,A,XX,Steel', 'Kappa SE,K,FI,Paper', 'Foreign,,,'];
    const more = ['Deep Ltd,D,GB,Fish', 'Zeta SA,Z,FR,Wine'];
    const list = ['Company,Firma,country,sector', ...rows, ...more, ''].join('\n');
    const { line } = await inPipe({
      files: { 'list.csv': list },
      argv: ['sycn', 'list.csv', '--sandbox', '--dry-run'],
    });
    const typed = [keys.enter, keys.enter, keys.enter, keys.enter];
    const { exit, stderr } = await run(line, { ...terminal, typed });
    const shown = withoutEscapes(stderr);
    expect(shown.match(/^Running: /gm)).toHaveLength(3);
    expect(shown).toMatch(/invalid row; nothing was sent\nHint: Fix the file/);
    expect(exit).toBe(2);
  });
});
