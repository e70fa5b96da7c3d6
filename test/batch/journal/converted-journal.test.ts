import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RefusedError, UnavailableError } from '../../../src/api/errors.ts';
import { journalNotices } from '../../../src/cli/commands/batch/notices.ts';
import { runs } from '../../support/seed.ts';
import { BatchFixture, CountingService } from '../batch-fixture.ts';

const refusesBeta = ({ name }: { name: string }) => {
  if (name === 'Beta') throw new RefusedError('no', { status: 422, detail: 'Not known.' });
};

async function journalOf(rows: string) {
  const fixture = new BatchFixture(rows, new CountingService(refusesBeta));
  const { journal } = await fixture.run();
  return { fixture, journal, text: readFileSync(journal, 'utf8') };
}

const header = (text: string) => text.slice(0, text.indexOf('\n'));

describe('JournalState.read, after a conversion of the journal', () => {
  it.each([
    ['no line feeds', (text: string) => text.replaceAll('\n', '')],
    ['spaces for line feeds', (text: string) => text.replaceAll('\n', ' ')],
    ['U+0085 for line feeds', (text: string) => text.replaceAll('\n', '\u0085')],
    ['a backslash and n for line feeds', (text: string) => text.replaceAll('\n', '\\n')],
    ['a NUL in a truncated first line', (text: string) => `${header(text).slice(0, -20)}\0`],
    ['a first line with more behind it', (text: string) => `${header(text)}x`],
  ])('does not truncate a journal with %s', async (_, convert) => {
    const { fixture, journal, text } = await journalOf('name\nAcme\nBeta\n');
    const converted = convert(text);
    writeFileSync(journal, converted);
    const sent = fixture.api.bodies.length;
    await expect(fixture.run()).rejects.toMatchObject({
      name: 'UsageError',
      message: `${journal} is not a carbon journal`,
      hint: expect.stringContaining('carbon leaves the file unchanged'),
    });
    expect([readFileSync(journal, 'utf8'), fixture.api.bodies.length]).toEqual([converted, sent]);
  });

  it('starts a new journal only when the first line is truncated', {
    tags: ['property'],
  }, async () => {
    const { fixture, journal, text } = await journalOf('name\nAcme\n');
    await fc.assert(
      fc.asyncProperty(fc.nat(header(text).length), async (cut) => {
        writeFileSync(journal, text.slice(0, cut));
        await fixture.run();
        expect(header(readFileSync(journal, 'utf8'))).toBe(header(text));
        expect((await fixture.run()).sent).toEqual([]);
      }),
      { numRuns: runs(30) },
    );
  });

  type Members = Readonly<Record<string, unknown>>;
  const rewritten = (change: (line: Members) => string) => (line: string) =>
    change(JSON.parse(line));
  const sorted = (line: Members) =>
    JSON.stringify(Object.fromEntries(Object.entries(line).sort(([a], [b]) => (a < b ? -1 : 1))));
  const reversed = (line: Members) =>
    JSON.stringify(Object.fromEntries(Object.entries(line).reverse()));
  const spaced = (line: Members) => JSON.stringify(line, null, 1).replace(/\n */g, ' ');
  const upperCase = (line: string) => line.replace(/(?<="key":")\w+/, (key) => key.toUpperCase());

  /* What a journal looks like when a program has read it as JSON lines and written it again. */
  const serialisers: readonly [string, (line: string) => string][] = [
    ['a trailing space', (line) => `${line} `],
    ['two spaces and CRLF', (line) => `${line}  \r`],
    ['CR twice', (line) => `${line}\r\r`],
    ['an indent of two spaces', (line) => `  ${line}`],
    ['a tab before it', (line) => `\t${line}`],
    ['compact members', rewritten((line) => JSON.stringify(line))],
    ['sorted members', rewritten(sorted)],
    ['reversed members', rewritten(reversed)],
    ['a space after each colon', rewritten(spaced)],
    ['keys in upper case', upperCase],
    ['an empty line after it', (line) => `${line}\n`],
  ];

  it('reads the same rows when JSON tools rewrote the journal', {
    tags: ['property'],
  }, async () => {
    const refuses = ({ name }: { name: string }) => {
      if (name.startsWith('x'))
        throw new RefusedError('no', { status: 422, detail: `{"key":"${name}` });
      if (name.startsWith('f'))
        throw new UnavailableError('service_failed', 'down', { status: 500 });
    };
    const name = fc
      .tuple(fc.constantFrom('a', 'x', 'f'), fc.nat(9))
      .map(([kind, number]) => kind + number);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(name, { maxLength: 8 }).map((names) => ['a', ...names]),
        fc.subarray(
          serialisers.map(([, write]) => write),
          { minLength: 1 },
        ),
        fc.constantFrom('\n', ''),
        async (names, writers, last) => {
          const fixture = new BatchFixture(
            `name\n${names.join('\n')}\n`,
            new CountingService(refuses),
          );
          const { journal } = await fixture.run();
          // Rows that failed have now failed twice; the next run with registrations is the last.
          const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
          lines.push(...lines.filter((line) => line.includes('failed attempt')));
          fixture.write(`name\n${names.join('\n')}\nanew\n`);
          const next = async (text: string) => {
            writeFileSync(journal, text);
            const opened = await fixture.open();
            opened.close();
            const { preflight, sent, events } = await fixture.run();
            const sorted = events.toSorted((a, b) => a.line - b.line);
            return {
              counts: preflight.counts,
              sent,
              events: sorted,
              unreadable: [...opened.unreadable],
            };
          };
          const converted = lines.map((line, index) => writers[index % writers.length]?.(line));
          const expected = await next(`${lines.join('\n')}\n`);
          expect(expected.events.some(({ kind }) => kind === 'postponed')).toBe(false);
          expect(await next(converted.join('\n') + last)).toEqual(expected);
        },
      ),
      { numRuns: runs(30) },
    );
  });

  it.each(serialisers)('leaves nothing to send after a conversion to %s', async (_, write) => {
    const { fixture, journal, text } = await journalOf('name\nAcme\nBeta\n');
    const lines = text.split('\n').slice(0, -1);
    // A program that reverses the members may leave the first line as it is.
    writeFileSync(journal, [lines[0], ...lines.slice(1).map(write), ''].join('\n'));
    const { sent, events } = await fixture.run();
    expect([sent, events.map(({ kind }) => kind)]).toEqual([[], ['skipped', 'refused']]);
    expect(events[1]).toMatchObject({ error: { detail: 'Not known.' } });
  });

  it('counts unreadable lines and names the first one', async () => {
    const { fixture, journal, text } = await journalOf('name\nAcme\nBeta\nGamma\nDelta\n');
    const first = header(text);
    const rows = text.split('\n').filter((line) => line.startsWith('{"key"'));
    const read = async (...lines: string[]) => {
      writeFileSync(journal, [first, ...lines, ''].join('\n'));
      const opened = await fixture.open({ dryRun: true });
      return [opened.preflight.counts.new, ...opened.unreadable.values()];
    };
    expect(await read(...rows)).toEqual([0]);
    expect(await read(...rows.map((line) => line.slice(0, 100)))).toEqual([
      4,
      { lines: 4, first: 2 },
    ]);
    expect(await read(...rows.slice(0, 2), rows.slice(2).join(' '))).toEqual([
      2,
      { lines: 1, first: 4 },
    ]);
    expect(await read(...rows.slice(1), '{"key":1}', '5')).toEqual([1, { lines: 2, first: 5 }]);
    expect(journalNotices(await fixture.open({ dryRun: true }))).toMatchObject([
      {
        text: expect.stringMatching(/^2 lines of the journal \S+ cannot be read \(first: line 5\)/),
        event: { event: 'unreadable_lines', journal, lines: 2, first: 5 },
        level: 'warning',
      },
    ]);
  });

  it('does not count a line that a kill truncated', async () => {
    const { fixture, journal, text } = await journalOf('name\nAcme\n');
    writeFileSync(journal, text.slice(0, -30));
    const unreadable = async () => [...(await fixture.open({ dryRun: true })).unreadable];
    expect(await unreadable()).toEqual([]);
    expect((await fixture.run()).sent).toHaveLength(1);
    expect(await unreadable()).toEqual([]);
  });
});
