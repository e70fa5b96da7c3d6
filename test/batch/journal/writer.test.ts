import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commitIntervalMs, Journal, JournalWriter } from '../../../src/batch/journal/journal.ts';
import type { RowEvent } from '../../../src/batch/rows.ts';
import { VirtualClock } from '../../support/clock.ts';
import { newFolder } from '../../support/run.ts';

const registered = (line: number): RowEvent => ({
  kind: 'registered',
  line,
  id: line,
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

  it('ends after the lines that were added before', async () => {
    const { path, writer } = await openWriter();
    writer.note('note\n');
    writer.end();
    const groups: unknown[] = [];
    for await (const events of writer.groups()) groups.push(events);
    expect(groups).toEqual([[]]);
    expect(readFileSync(path, 'utf8')).toBe('note\n');
  });

  it('throws when the journal cannot be written', async () => {
    const { journal, writer } = await openWriter();
    await journal.close();
    writer.put(registered(2), 'two\n');
    await expect(writer.groups().next()).rejects.toMatchObject({ name: 'LocalError' });
  });
});
