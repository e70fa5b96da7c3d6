import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { sanitize, unsafeCharacter } from '../../../src/display/terminal/sanitize.ts';
import {
  truncate,
  width,
  wrap,
  wrapCommand,
  wrapList,
  wrapWords,
} from '../../../src/display/terminal/text.ts';
import { unsafe } from '../../support/screen.ts';
import { anyCharacter } from '../../support/seed.ts';

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      ...['\u001b[2J', '\u202e', '\u0301', '\u093e', '\u200d', '漢', '👩‍👩‍👧', 'a', ' '],
    ),
  }),
);

describe('sanitize', () => {
  it('classifies each character as the full pattern does', () => {
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const kept = characters.filter((character) => sanitize(character) === character);
    const pattern = new RegExp(unsafeCharacter().source, 'u');
    expect(kept.filter((character) => pattern.test(character))).toEqual([]);
  });

  it.each([
    ['an escape sequence', 'a\u001b[31mb', 'a\ufffd[31mb'],
    ['a C1 control', 'a\u009b31mb', 'a\ufffd31mb'],
    ['line breaks and tabs', 'a\r\n\tb\u2028c\u0085d', 'a b c d'],
    ['a bidirectional override', 'gnp\u202egpj.exe', 'gnp\ufffdgpj.exe'],
    ['isolates and marks', '\u2066a\u2069\u200e\u200f\u061c', '\ufffda\ufffd\ufffd\ufffd\ufffd'],
    ['zero width characters', 'Ac\u200bme\ufeff\u2060', 'Ac\ufffdme\ufffd\ufffd'],
    ['tags', 'A\u{e0041}\u{e007f}', 'A\ufffd\ufffd'],
    ['lone surrogates', '\ud800a\udc00', '\ufffda\ufffd'],
    ['variation selectors after a letter', `Acme${'\ufe0f'.repeat(3)}`, 'Acme\ufffd\ufffd\ufffd'],
    ['selectors of the supplement, which hide bytes', 'A\u{e0148}\u{e0155}B', 'A\ufffd\ufffdB'],
    ['a second selector', '葛\u{e0100}\u{e0101}', '葛\u{e0100}\ufffd'],
    ['joiners between other letters', 'Ac\u200dme\u200c', 'Ac\ufffdme\ufffd'],
    ['a run of joiners', 'م\u200c\u200c\u200cم', 'م\ufffd\ufffd\ufffdم'],
  ])('replaces %s', (_, text, expected) => {
    expect(sanitize(text)).toBe(expected);
  });

  it.each([
    'Öztürk & Söhne',
    '👩\u200d🔬 Labs',
    '❤\ufe0f',
    '株式会社',
    'Việt Nam',
    'ภาษาไทย',
    'می\u200cخواهم',
    'क\u094d\u200dष',
    '葛\u{e0100}城',
    '👩🏽\u200d💻',
    '1\ufe0f\u20e3',
  ])('keeps the joiners and selectors of %s', (text) => expect(sanitize(text)).toBe(text));

  it('limits stacked marks to eight', () => {
    expect(sanitize(`a${'\u0301'.repeat(10_000)}b`)).toBe(`a${'\u0301'.repeat(8)}b`);
  });

  it('turns any text into one safe line, and is idempotent', {
    tags: ['property'],
  }, () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const safe = sanitize(text);
        expect(safe).not.toMatch(unsafe);
        expect(sanitize(safe)).toBe(safe);
      }),
    );
  });
});

describe('width', () => {
  it.each([
    'Acme AG',
    '\u001b[1mAcme\u001b[22m',
    '株式会社トヨタ',
    'ﾊﾟﾅｿﾆｯｸ',
    '삼성전자',
    'شركة أرامكو',
    'तमिल टाटा',
    'บริษัท ปตท',
    'Zu\u0308rich',
    'a\u200bb\u2060',
    '🌍 👩‍🔬 🇩🇪 1️⃣ ❤️ ✔ ™',
    '– … · ↑ ⚠ ✓',
    '',
  ])('of %j is that of string-width', (text) => {
    expect(width(text)).toBe(stringWidth(text));
  });

  /* Measured as the position of the cursor in tmux, which adds up characters, as VTE and xterm. */
  it.each([
    ['टाटा मोटर्स', 10],
    ['จำกัด', 4],
    ['สำนัก', 4],
    ['ຄຳ', 2],
    ['தமிழ்', 4],
    ['বাংলা', 5],
    ['ខ្មែរ', 4],
    ['က်', 1],
    ['각', 2],
  ])('of %j is %i, as a terminal shows it', (text, columns) => {
    expect(width(text)).toBe(columns);
  });

  it('measures each character of a fast text as the general way does', () => {
    // A mark in front is no fast text, and takes no column.
    const general = (character: string) => width(`\u0301${character}`);
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const safe = all.filter((character) => sanitize(character) === character);
    expect(safe.filter((character) => width(character) !== general(character))).toEqual([]);
    const letters = safe.filter((character) => /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character));
    const pairs = letters.map((character) => `é${character}漢`);
    expect(pairs.filter((pair) => width(pair) !== width(`\u0301${pair}`))).toEqual([]);
  });
});

describe('truncate', () => {
  it('cuts between graphemes and marks the cut', () => {
    expect(truncate('Nordwind', 8)).toBe('Nordwind');
    expect(truncate('Nordwind', 5)).toBe('Nord…');
    expect(truncate('株式会社', 6)).toBe('株式…');
    expect(truncate('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…');
    expect(truncate('株', 1)).toBe('…');
  });
});

describe('wrap', () => {
  it('breaks at spaces, and anywhere in words that are too long', () => {
    expect(wrap('the quick brown fox', 10)).toEqual(['the quick', 'brown fox']);
    expect(wrap('see https://a.example/b', 8)).toEqual(['see', 'https://', 'a.exampl', 'e/b']);
    expect(wrap('株式会社', 5)).toEqual(['株式', '会社']);
    expect(wrap('', 5)).toEqual(['']);
  });

  it('never exceeds the width and loses no word', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 12 }), (text, columns) => {
        const safe = sanitize(text);
        const lines = wrap(safe, columns);
        for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns);
        const tooWide = lines.some((line) => line.includes('…'));
        if (!tooWide) expect(lines.join('').replaceAll(' ', '')).toBe(safe.replaceAll(' ', ''));
      }),
    );
  });
});

describe('wrapWords', () => {
  it('breaks at spaces, and never in a word', () => {
    expect(wrapWords('see https://a.example/b now', 8)).toEqual([
      'see',
      'https://a.example/b',
      'now',
    ]);
  });

  it('never breaks between an option and its value', () => {
    const hint =
      'Use `carbon sync "My list.csv" --sheet "Sheet 2" -o out.csv` or (--top 20), --full.';
    expect(wrapWords(hint, 20)).toEqual([
      'Use `carbon sync "My',
      'list.csv"',
      '--sheet "Sheet 2"',
      '-o out.csv` or',
      '(--top 20), --full.',
    ]);
    expect(wrapWords('Use --name "Acme AG"', 14)).toEqual(['Use', '--name "Acme AG"']);
  });
});

describe('wrapCommand', () => {
  const command = "carbon sync 'My list.csv' -o results.xlsx --map 'name=It'\\''s' --overwrite";

  it('breaks between words, so that a shell reads one command line', () => {
    const wrap = (columns: number) => wrapCommand('Running: ', command, columns, 'linux');
    expect(wrap(90)).toEqual([`Running: ${command}`]);
    expect(wrap(40)).toEqual([
      "Running: carbon sync 'My list.csv' \\",
      "  -o results.xlsx --map 'name=It'\\''s' \\",
      '  --overwrite',
    ]);
    expect(wrap(12)).toEqual([
      'Running: carbon \\',
      '  sync \\',
      "  'My list.csv' \\",
      '  -o results.xlsx \\',
      "  --map 'name=It'\\''s' \\",
      '  --overwrite',
    ]);
  });

  it('keeps one line for the shells of Windows, which have different marks', () => {
    expect(wrapCommand('Running: ', command, 12, 'win32')).toEqual([`Running: ${command}`]);
  });
});

describe('wrapList', () => {
  it('breaks lines between items', () => {
    expect(wrapList(['one', 'two', 'three'], 9)).toEqual(['one · two', 'three']);
    expect(wrapList(['one', 'two three four'], 9)).toEqual(['one', 'two', '  three', '  four']);
    expect(wrapList([], 9)).toEqual([]);
  });
});
