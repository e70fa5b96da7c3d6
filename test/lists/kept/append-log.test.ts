import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppendLog, type LogFormat, readLog } from '../../../src/lists/kept/append-log.ts';
import { openToRead } from '../../../src/runtime/file-lines.ts';
import type { FileLock } from '../../../src/runtime/file-lock.ts';
import { newFolder } from '../../support/run.ts';

const format: LogFormat = {
  starts: ['{"id":', '{"note":'],
  foreign: (where) => new Error(`foreign: ${where}`) as never,
  changed: (path) => new Error(`changed: ${path}`) as never,
};
const line = (id: number) => `{"id":${id},"text":"Straße \\"}{\\" ${'x'.repeat(id)}"}\n`;

function newLog(content: string | Buffer) {
  const path = join(newFolder(), 'a.log');
  writeFileSync(path, content, { mode: 0o600 });
  const read = async () => {
    const file = await openToRead(path);
    let text = '';
    try {
      for await (const lines of readLog(file, path, format))
        for (const { bytes } of lines) text += `${bytes}\n`;
    } finally {
      await file.close();
    }
    return text;
  };
  const append = async (text: string) => {
    const log = await AppendLog.open(path, format, 0o600, undefined);
    try {
      await log.append(text);
      await log.sync();
      expect(log.size).toBe(statSync(path).size);
    } finally {
      await log.close();
    }
  };
  return { path, read, append, text: () => readFileSync(path, 'utf8') };
}

const whole = line(1) + line(2);

const held = (path: string): FileLock => ({
  lost: new AbortController().signal,
  isTakenOver: false,
  check: () => undefined,
  confirm: () => undefined,
  aside: `${path}.aside`,
  release: () => undefined,
});

describe('AppendLog', () => {
  it('creates a file with the given permissions, and appends lines', async () => {
    const path = join(newFolder(), 'b.log');
    const log = await AppendLog.open(path, format, 0o600, undefined);
    await log.append(line(1));
    await log.append(Buffer.from(line(2)));
    await log.sync();
    await log.close();
    expect(readFileSync(path, 'utf8')).toBe(whole);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each<[string, string]>([
    ['a zero', '\0'],
    ['zeros', '\0'.repeat(100_000)],
    ['a line feed', '\n'],
    ['blank lines', '\r\n \t\n\n'],
    ['zeros and a line feed', '\0\0\0\n'],
    ['a part of a line', '{"id":3,"te'],
    ['one byte of a line', '{'],
    ['a part of another kind of line', '{"note":'],
    ['a part of a long line', `{"id":3,"text":"${'x'.repeat(100_000)}`],
    ['a part of a line and zeros', `{"id":3,"te${'\0'.repeat(5_000)}`],
    ['a part of a line, zeros and a line feed', '{"id":3,"te\0\0\n'],
    ['blank lines and a part of a line', '\n\n{"id":3,"te'],
    ['zeros and a part of a line', '\0\0{"id":3,"te'],
    ['a part of a line with an escaped start of another one', '{"id":3,"text":"}{\\"id\\":'],
  ])('skips %s at the end without a change, and cuts it before appending', async (_, tail) => {
    const { path, read, append, text } = newLog(whole + tail);
    expect(await read()).toBe(whole);
    expect(text()).toBe(whole + tail);
    await append(line(3));
    expect(text()).toBe(whole + line(3));
    expect(readdirSync(join(path, '..'))).toHaveLength(1);
  });

  it.each<[string, string, string]>([
    ['a byte order mark', `\ufeff${whole}`, `\ufeff${whole}`],
    [
      'carriage returns',
      whole.replaceAll('\n', '\r\n'),
      `${line(1)}${line(2)}`.replaceAll('\n', '\r\n'),
    ],
    ['white space at the end of the last line', `${whole.trimEnd()} \n`, `${whole.trimEnd()} \n`],
    ['no last line feed', whole.trimEnd(), whole],
    ['zeros instead of the last line feed', `${whole.trimEnd()}\0\0`, whole],
    ['zeros before the last line feed', `${whole.trimEnd()}\0\0\n`, whole],
  ])('loses no line of a file with %s', async (_, content, kept) => {
    const { read, append, text } = newLog(content);
    expect((await read()).match(/\{"id"/g)).toHaveLength(2);
    expect(text()).toBe(content);
    await append(line(3));
    expect(text()).toBe(kept + line(3));
  });

  it.each<[string, string]>([
    ['notes', 'my notes'],
    ['notes after a blank line', '\nmy notes'],
    ['notes before zeros', 'my notes\0\0\0'],
    ['a part of a JSON document', '{"name":"Ac'],
    ['JSON that is no object', '5'],
    ['lines whose line feeds were removed', `${line(3).trim()} ${line(4).trim()}`],
  ])('changes nothing in a file with %s at the end, and names the line', async (_, tail) => {
    const { read, append, text } = newLog(whole + tail);
    const number = tail.startsWith('\n') ? 4 : 3;
    const error = new RegExp(`^foreign: .*a.log, line ${number},$`);
    await expect(read()).rejects.toThrow(error);
    await expect(append(line(3))).rejects.toThrow(error);
    expect(text()).toBe(whole + tail);
  });

  it.each<[string, string]>([
    ['notes', 'my notes'],
    ['zeros', '\0'.repeat(70_000)],
    ['a blank line', '\n'],
    ['notes and zeros', 'my notes\n\0\0\0'],
    ['a blank line, lines and zeros', `\n${whole}\0\0`],
    ['lines whose line feeds were removed', whole.replaceAll('\n', '')],
  ])('cuts nothing of a file that begins with %s', async (_, content) => {
    const { append, text } = newLog(content);
    await append('').catch(() => undefined);
    expect(text()).toBe(content);
  });

  it.each(['{"id":1,"te', '{', '{ ', '{"note":"a"\0\0'])(
    'starts again after a kill in the first line: %j',
    async (content) => {
      const { read, append, text } = newLog(content);
      expect(await read()).toBe('');
      await append(line(1));
      expect(text()).toBe(line(1));
    },
  );

  it('appends nothing after a failure, or to a file that another program changed', async () => {
    const { path, text } = newLog(whole);
    const log = await AppendLog.open(path, format, 0o600, undefined);
    writeFileSync(path, `${whole}my notes`);
    await expect(log.append(line(3))).rejects.toThrow('changed: ');
    writeFileSync(path, whole);
    await expect(log.append(line(3))).rejects.toThrow('changed: ');
    expect(() => log.checkWritable()).toThrow('changed: ');
    await log.close();
    expect(text()).toBe(whole);
  });

  it('writes nothing after another run has taken the lock', async () => {
    const { path, text } = newLog(`${whole}\0\0`);
    const taken = () => {
      throw new Error('taken');
    };
    const lock = { ...held(path), check: taken, confirm: taken };
    await expect(AppendLog.open(path, format, 0o600, lock)).rejects.toThrow('taken');
    expect(text()).toBe(`${whole}\0\0`);
    const other = join(newFolder(), 'b.log');
    await expect(AppendLog.open(other, format, 0o600, lock)).rejects.toThrow('taken');
    expect(existsSync(other)).toBe(false);
  });

  it('gets no line of a suspended run that continues in the middle of a write', async () => {
    const { path, text } = newLog(whole);
    let isTaken = false;
    const check = () => {
      if (isTaken) throw new Error('taken');
    };
    const earlier = await AppendLog.open(path, format, 0o600, { ...held(path), check });
    const next = await AppendLog.open(path, format, 0o600, { ...held(path), isTakenOver: true });
    await earlier.append(line(3));
    await next.append(line(4));
    isTaken = true;
    await expect(earlier.sync()).rejects.toThrow('taken');
    await next.sync();
    await earlier.close();
    await next.close();
    expect(text()).toBe(whole + line(4));
    expect([statSync(path).mode & 0o777, readdirSync(join(path, '..'))]).toEqual([
      0o600,
      ['a.log'],
    ]);
  });

  it('keeps every whole line, and nothing else, after a kill at any byte', {
    tags: ['property'],
  }, async () => {
    const blanks = fc.string({ unit: fc.constantFrom('\0', '\n', '\r', ' ') });
    const ids = fc.array(fc.integer({ min: 1, max: 30_000 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        ids,
        fc.double({ min: 0, max: 1, noNaN: true }),
        blanks,
        async (all, share, tail) => {
          const bytes = Buffer.from(all.map(line).join(''));
          const cut = bytes.subarray(0, Math.floor(share * bytes.length));
          const end = cut.lastIndexOf('\n') + 1;
          // A line that lacks only its line feed is whole.
          const isWhole = cut.length > end && cut.at(-1) === 0x7d && bytes[cut.length] === 10;
          const kept = isWhole ? `${cut}\n` : `${cut.subarray(0, end)}`;
          // A line feed alone would make the part of a line a damaged line.
          const rest = cut.length === 0 ? '' : cut.length === end ? tail : `\0${tail}`;
          const { read, append, text } = newLog(Buffer.concat([cut, Buffer.from(rest)]));
          expect(await read()).toBe(kept);
          await append(line(1));
          expect(text()).toBe(kept + line(1));
        },
      ),
    );
  });
});
