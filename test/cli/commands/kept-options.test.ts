import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run } from '../../support/run.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');

/* A list with these bytes, and runs of commands on it in the sandbox. */
function list(content: string | Buffer, name = 'list.csv') {
  const path = join(newFolder(), name);
  writeFileSync(path, content);
  const home = newFolder();
  return {
    path,
    write: (other: string | Buffer) => writeFileSync(path, other),
    journal: () => readFileSync(`${path}.sandbox.carbon.jsonl`, 'utf8'),
    run: (command: string, ...words: string[]) =>
      run([command, path, ...words, ...(/batch|sync/.test(command) ? ['--sandbox'] : [])], {
        home,
      }),
  };
}

const umlauts = latin('Firma;Land;Betrag (EUR)\nMüller GmbH;Österreich;10\nBeta AG;Schweiz;20\n');

describe('the options that a journal keeps', () => {
  it('read the list in the next run and in other commands', async () => {
    const { run: carbon } = list(umlauts);
    expect((await carbon('sync', '--encoding', 'windows-1252', '--currency', 'EUR')).exit).toBe(0);
    const next = await carbon('sync');
    expect(next.exit).toBe(0);
    expect(next.stderr).toContain('Encoding windows-1252, as in the last run\n');
    expect(next.stderr).toContain('Checked 2 rows: 0 new, 2 already registered\n');
    const check = await carbon('check');
    expect(check.stderr).toContain('Compared with 2 rows');
    for (const command of ['list', 'report']) {
      const { exit, stderr } = await carbon(command);
      expect([exit, stderr.includes('Warning')]).toEqual([0, false]);
    }
    const footprint = await carbon('footprint', '--spend-year', '2024', '--unit', 'kg');
    expect(footprint.stderr).toContain('Encoding windows-1252, as in the last run\n');
    expect(footprint.exit).toBe(0);
  });

  it('include a column of currencies that the user insists on', async () => {
    const { run: carbon } = list('Company,Land,Currency\nAcme,GB,GBX\nBeta,DE,EUR\n');
    const words = ['--map', 'currency=Currency', '--invalid', 'skip'];
    expect((await carbon('batch', ...words)).stderr).toContain('1 registered, 1 invalid');
    const { stderr } = await carbon('batch', '--invalid', 'skip');
    expect(stderr).toContain('Checked 2 rows: 0 new, 1 already registered, 1 invalid\n');
    const without = await carbon('batch', '--map', 'currency=', '--dry-run');
    expect(without.stderr).toContain('Checked 2 rows: 1 new, 1 already registered\n');
  });

  it('are not kept by a dry run', async () => {
    const { run: carbon } = list(umlauts);
    expect((await carbon('batch', '--encoding', 'windows-1252', '--dry-run')).exit).toBe(0);
    expect(await carbon('batch')).toMatchObject({ exit: 2 });
  });

  it('include a column by its number and skipped lines', async () => {
    const { run: carbon } = list('Suppliers\n;2024\nName,Name,Land\n7,Acme,DE\n8,Beta,FR\n');
    const words = ['--skip-lines', '2', '--map', 'name=#2,external_id=#1'];
    expect((await carbon('batch', ...words)).stderr).toContain('2 registered');
    const { exit, stderr } = await carbon('batch', '--dry-run');
    expect(exit).toBe(0);
    expect(stderr).toContain('Skipped 2 lines, as in the last run\n');
    expect(stderr).toContain('Columns name=#2, external_id=#1, as in the last run\n');
    expect(stderr).toContain('Checked 2 rows: 0 new, 2 already registered\n');
  });

  it('are replaced by an option, even if nothing is sent', async () => {
    const { run: carbon, write, journal } = list('a,b\nAcme,DE\n');
    await carbon('batch', '--map', 'name=#1,hq_region=#2');
    write('x\na,b\nAcme,DE\n');
    expect((await carbon('batch', '--skip-lines', '1')).stderr).toContain('1 already registered');
    expect(
      journal()
        .match(/{"carbon":"options".*/g)
        ?.map((line) => JSON.parse(line)),
    ).toEqual([
      expect.objectContaining({ map: { name: '#1', hq_region: '#2' }, header: ['a', 'b'] }),
      expect.objectContaining({ skip_lines: 1, map: { name: '#1', hq_region: '#2' } }),
    ]);
    expect((await carbon('batch')).exit).toBe(0);
    // Unchanged options make no further line.
    expect(journal().match(/{"carbon":"options"/g)).toHaveLength(2);
  });

  it('stop a run whose header is another one, if lines or numbers depend on it', async () => {
    const { run: carbon, write, journal } = list('t\nNr,Name,Name\n7,Acme,Berlin\n');
    await carbon('batch', '--skip-lines', '1', '--map', 'name=#2');
    const before = journal();
    write('t\nName,Nr,Name\nBerlin,7,Acme\n');
    const { exit, stderr } = await carbon('batch');
    expect(exit).toBe(2);
    expect(stderr).toContain(
      'the header line is not that of the last run, so carbon does not use --skip-lines 1 --map',
    );
    expect(stderr).toContain('Last run: Nr, Name, Name. Now: Name, Nr, Name');
    expect(journal()).toBe(before);
    const again = await carbon('batch', '--skip-lines', '1', '--map', 'name=#3');
    expect(again.stderr).toContain('1 already registered');
    expect((await carbon('batch')).exit).toBe(0);
  });

  it('do not stop a run for another header if columns have names', async () => {
    const { run: carbon, write } = list('Firm,Land\nAcme,DE\n');
    await carbon('batch', '--map', 'name=Firm', '--encoding', 'utf-8');
    write('Land,Note,Firm\nDE,x,Acme\n');
    expect((await carbon('batch')).stderr).toContain('1 already registered');
  });

  it.each([
    ['a letter beyond ASCII', 'Firma;Land\nMüller GmbH;Österreich\nBeta AG;Schweiz\n', 'UTF-8'],
    ['a byte order mark', '\ufeffFirma;Land\nMuller;Austria\nBeta AG;Schweiz\n', 'UTF-8'],
  ])('lose against UTF-8 with %s', async (_, text, encoding) => {
    const { run: carbon, write } = list(latin('Firma;Land\nMüller GmbH;Österreich\n'));
    await carbon('batch', '--encoding', 'windows-1252');
    write(text);
    const { stderr } = await carbon('batch', '--dry-run', '--json');
    expect(stderr).toContain(
      `Encoding ${encoding}, because the file says so; the last run used windows-1252`,
    );
    const given = await carbon('batch', '--dry-run', '--encoding', 'windows-1252');
    expect(given.stderr).not.toContain('because the file says so');
    write(latin('Firma;Land\nMüller GmbH;Österreich\n'));
    expect((await carbon('batch')).stderr).toContain('1 already registered');
  });

  it('leave a file alone that is UTF-8 only because it is ASCII', async () => {
    const { run: carbon, write } = list(latin('Firma\nMüller\n'));
    await carbon('batch', '--encoding', 'windows-1252');
    write('Firma\nAcme\n');
    expect((await carbon('batch', '--dry-run')).stderr).toContain(
      'Encoding windows-1252, as in the last run',
    );
  });

  it('are named by an error that they lead to', async () => {
    const { run: carbon, write } = list('a\nb\nName\nAcme\n');
    await carbon('batch', '--skip-lines', '2');
    write('Name\nAcme\n');
    const { exit, stderr } = await carbon('batch');
    expect(exit).toBe(2);
    expect(stderr).toContain('carbon used --skip-lines 2, as in the last run');
  });

  it('start over with --restart in a new journal', async () => {
    const { run: carbon, journal } = list(umlauts);
    await carbon('batch', '--encoding', 'windows-1252');
    expect((await carbon('batch', '--restart')).stderr).toContain('2 registered');
    expect(journal()).toContain('"encoding":"windows-1252"');
    expect((await carbon('batch')).stderr).toContain('2 already registered');
  });
});

describe('carbon check', () => {
  it('takes the encoding and the header line of a list without a journal', async () => {
    const { path, run: carbon } = list(latin('t;\nFirma;Organization ID\nMüller;7\n'));
    const records = join(newFolder(), 'records.ndjson');
    writeFileSync(records, '{"id":7,"name":"Müller","status":"synced"}\n');
    const words = ['--encoding', 'windows-1252', '--skip-lines', '1'];
    const { exit, stderr } = await run(['check', records, '--list', path, ...words]);
    expect([exit, stderr.includes('Compared with 1 row')]).toEqual([0, true]);
    expect((await carbon('check')).exit).toBe(2);
  });
});
