import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exitOf } from '../../../src/cli/commands/lists/batch/summary.ts';
import { UnavailableError } from '../../../src/client/api/errors.ts';
import { Pacer } from '../../../src/client/pace/pacer.ts';
import { commitIntervalMs, JournalWriter, type RowEvent } from '../../../src/lists/batch/rows.ts';
import { Journal } from '../../../src/lists/kept/journal.ts';
import { heartbeatMs } from '../../../src/runtime/file-lock.ts';
import { VirtualClock } from '../../support/clock.ts';
import { newFolder } from '../../support/run.ts';
import { BatchFixture, CountingService } from '../batch/batch-fixture.ts';

describe('Journal', () => {
  it('has one line per finished row, readable by this user only', async () => {
    const fixture = new BatchFixture('name\nAcme\nAcme\n');
    const { journal } = await fixture.run();
    const text = readFileSync(journal, 'utf8').replace(/"at":"2026-01-15T[\d:.]+Z"/, '"at":"..."');
    expect(text).toMatchInlineSnapshot(`
    "{"carbon":"journal","version":1,"keys":1,"service":"https://api.example.com/v1","profile":"default","mapping":{"name":"name"}}
    {"key":"0551e868f935ed639d54386c150112c5","id":                  1,"line":2,"status":"created","at":"..."}
    "
  `);
    expect(statSync(journal).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['carriage returns', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
  ])('sends no row again after another program has added %s', async (_, change) => {
    const fixture = new BatchFixture('name\nAcme\nGlobex\n');
    const { journal } = await fixture.run();
    writeFileSync(journal, change(readFileSync(journal, 'utf8')));
    expect((await fixture.run()).sent).toEqual([]);
  });

  it('does not change a file that is not a journal', async () => {
    const fixture = new BatchFixture('name\nAcme\n');
    const { journal } = await fixture.run();
    const written = readFileSync(journal, 'utf8');
    for (const content of [
      ...['', ' ', '\r'].map((end) => written.replaceAll('\n', end)),
      'my notes\n',
      '{"carbon":"journal"}\n',
      '\0'.repeat(70_000),
      ...[-1, 0, 0.5].map((version) => `{"carbon":"journal","version":${version},"keys":1}\n`),
      '{"carbon":"journal","version":1,"keys":0}\n',
    ]) {
      writeFileSync(journal, content);
      await expect(fixture.run()).rejects.toMatchObject({
        name: 'UsageError',
        message: `${journal} is not a carbon journal`,
      });
      expect(readFileSync(journal, 'utf8')).toBe(content);
    }
  });

  it('rejects the journal of a later version', async () => {
    const fixture = new BatchFixture('name\nAcme\n');
    writeFileSync(`${fixture.path}.carbon.jsonl`, '{"carbon":"journal","version":2,"keys":1}\n');
    await expect(fixture.run()).rejects.toMatchObject({
      name: 'LocalError',
      message: expect.stringContaining('later version'),
    });
  });

  it('rejects the journal of another service or profile, unless the run starts over', async () => {
    const fixture = new BatchFixture('name\nAcme\n');
    await fixture.run();
    await expect(fixture.run({ service: 'https://other.test/v1' })).rejects.toMatchObject({
      name: 'UsageError',
    });
    await expect(fixture.run({ profile: 'work' })).rejects.toMatchObject({ name: 'UsageError' });
    const { sent, journal } = await fixture.run({
      service: 'https://other.test/v1',
      restart: true,
    });
    expect(sent).toHaveLength(1);
    expect(existsSync(`${journal}.previous`)).toBe(true);
    expect((await fixture.run({ service: 'https://other.test/v1' })).sent).toEqual([]);
  });

  it('continues the journal of another service that has no rows', async () => {
    const wrong = 'https://api.example.com/v1/v1';
    const fixture = new BatchFixture('name,lei\nAcme,\nGlobex,529\n');
    const unreadable = () =>
      Promise.reject(new UnavailableError('unreadable_response', 'HTML', { status: 200 }));
    const { journal } = await fixture.run({ service: wrong, register: unreadable });
    expect(readFileSync(journal, 'utf8')).toMatch(/^\{"carbon":"journal".*\n\{"carbon":"failed"/);
    const { sent } = await fixture.run();
    expect(sent).toEqual([{ name: 'Acme' }]);
    expect((await fixture.run()).sent).toEqual([]);
    await expect(fixture.run({ service: wrong })).rejects.toMatchObject({ name: 'UsageError' });
    expect(readdirSync(fixture.folder).sort()).toEqual([
      'suppliers.csv',
      'suppliers.csv.carbon.jsonl',
    ]);
  });

  it('sends the rows of lines with zeros again, and counts the lines', async () => {
    const fixture = new BatchFixture('name\nAcme\nBeta\nGamma\nDelta\n');
    const { journal } = await fixture.run();
    const [first = '', ...rows] = readFileSync(journal, 'utf8').trimEnd().split('\n');
    const read = async (...lines: string[]) => {
      writeFileSync(journal, [first, ...lines, ''].join('\n'));
      const { preflight, journals } = await fixture.open({ dryRun: true });
      return [preflight.counts.new, journals.damaged];
    };
    const zeros = (line = '') => `${'\0'.repeat(40)}${line.slice(40)}`;
    expect(await read(...rows.map((line) => `${line} `))).toEqual([0, 0]);
    expect(await read('', ...rows.slice(0, 2), ' ', ...rows.slice(2))).toEqual([0, 0]);
    expect(await read(...rows.slice(1), zeros(rows[0]), rows[1] ?? '')).toEqual([1, 1]);
    expect(await read(...rows.slice(2), zeros(rows.slice(0, 2).join('')), '\0')).toEqual([2, 1]);
    writeFileSync(journal, [first, ...rows].join('\n').slice(0, -30));
    expect((await fixture.run()).sent).toHaveLength(1);
    expect((await fixture.open({ dryRun: true })).journals.damaged).toBe(0);
  });

  it('ends a run that finds other text in any line, and names the line', async () => {
    const fixture = new BatchFixture('name\nAcme\nBeta\nGamma\n');
    const { journal } = await fixture.run();
    const [first = '', ...rows] = readFileSync(journal, 'utf8').trimEnd().split('\n');
    const [row = '', ...others] = rows;
    for (const [text, hint] of [
      ...['my notes', '5', '{"key":1}', row.slice(0, 100), `${row} ${row}`, '<<<<<<< HEAD'].map(
        (each) => [each, 'Remove that text, or restore the journal from a backup.'],
      ),
      ['{"carbon":"mapping","mapping":{}}', 'Replace "carbon":"mapping" in that line by'],
    ] as const)
      for (const lines of [
        [first, row, text, ...others],
        [first, ...rows, text],
      ]) {
        const content = `${lines.join('\n')}\n`;
        writeFileSync(journal, content);
        const error = {
          name: 'UsageError',
          code: 'invalid_input',
          message: expect.stringContaining(`${journal}, line ${lines.indexOf(text) + 1},`),
          hint: expect.stringContaining(hint),
        };
        await expect(fixture.run()).rejects.toMatchObject(error);
        await expect(fixture.open({ dryRun: true })).rejects.toMatchObject(error);
        expect(readFileSync(journal, 'utf8')).toBe(content);
      }
    expect(fixture.api.bodies).toHaveLength(3);
  });

  it('stops the run with one error when another program removes, replaces or writes the file, and loses nothing', async () => {
    for (const what of ['removes', 'replaces', 'writes']) {
      const fixture = new BatchFixture(
        `name\n${Array.from({ length: 40 }, (_, index) => `n${index}`).join('\n')}\n`,
      );
      const journal = `${fixture.path}.carbon.jsonl`;
      fixture.api = new CountingService((_, sent) => {
        if (sent !== 20) return;
        if (what === 'writes') return appendFileSync(journal, '{}\n');
        rmSync(journal);
        if (what === 'replaces') writeFileSync(journal, '');
      });
      const { outcome, events } = await fixture.run();
      expect(outcome.stop?.message).toContain('was changed or removed during the run');
      expect([exitOf(outcome), events, outcome.left]).toEqual([1, [], 40]);
      rmSync(journal, { force: true });
      fixture.api = Object.assign(new CountingService(), { ids: fixture.api.ids });
      expect((await fixture.run()).outcome).toMatchObject({ left: 0, stop: undefined });
      expect(fixture.api.ids.size).toBe(40);
    }
  });

  it('gets no line of a run that lost its lock', async () => {
    const fixture = new BatchFixture('name,lei\nAcme,\nGlobex,529\n');
    const clock = new VirtualClock();
    const batch = await fixture.open({ clock });
    rmSync(`${batch.journal}.lock`);
    await clock.sleep(2 * heartbeatMs);
    const sent = batch.send({
      register: fixture.api.register,
      pacer: new Pacer({ concurrency: 4 }),
      graceMs: 0,
      random: () => 0.5,
      onEvents: () => undefined,
    });
    await expect(sent).rejects.toMatchObject({
      name: 'LocalError',
      message: expect.stringContaining('Another run took the lock'),
    });
    expect([existsSync(batch.journal), fixture.api.bodies]).toEqual([false, []]);
    batch.close();
  });

  it('gets no line after another run has taken the lock, not even before the next heartbeat', async () => {
    const fixture = new BatchFixture(
      `name\n${Array.from({ length: 40 }, (_, index) => `n${index}`).join('\n')}\n`,
    );
    const journal = `${fixture.path}.carbon.jsonl`;
    let before = '';
    fixture.api = new CountingService((_, sent) => {
      if (sent !== 20) return;
      before = readFileSync(journal, 'utf8');
      writeFileSync(`${journal}.lock`, '{"pid":1,"token":"other"}');
    });
    const { outcome } = await fixture.run();
    expect(outcome.stop?.message).toContain('Another run took the lock');
    expect(exitOf(outcome)).toBe(1);
    expect(readFileSync(journal, 'utf8')).toBe(before);
    expect(readFileSync(`${journal}.lock`, 'utf8')).toContain('other');
  });

  /* Node has no name for an exceeded quota. */
  const _quota = {
    code: `Unknown system error -${constants.errno.EDQUOT}`,
    errno: -constants.errno.EDQUOT,
  };
});

const registered = (line: number): RowEvent => ({
  kind: 'registered',
  rows: 1,
  line,
  id: line,
  name: 'Acme',
  status: 'created',
  json: undefined,
});

async function openWriter() {
  const clock = new VirtualClock();
  const path = join(newFolder(), 'j.jsonl');
  const journal = await Journal.open(path);
  onTestFinished(() => journal.close().catch(() => undefined));
  return { clock, path, journal, writer: new JournalWriter(journal, clock) };
}

describe('JournalWriter', () => {
  it('yields a group when its lines are in the journal, at most 100 ms after the first', async () => {
    const { clock, path, writer } = await openWriter();
    const groups = writer.groups();
    writer.put(registered(2), 'two\n');
    writer.put(registered(3), 'three\n');
    const { value } = await groups.next();
    expect(value?.map(({ line }) => line)).toEqual([2, 3]);
    expect(readFileSync(path, 'utf8')).toBe('two\nthree\n');
    expect(clock.elapsed()).toBe(commitIntervalMs);
  });

  it('is full while two groups of 1,024 outcomes wait', async () => {
    const { writer } = await openWriter();
    for (let line = 1; line < 2_048; line += 1) writer.put(registered(line));
    expect(writer.isFull).toBe(false);
    writer.put(registered(2_048));
    expect(writer.isFull).toBe(true);
    await writer.groups().next();
    expect(writer.isFull).toBe(false);
  });
});
