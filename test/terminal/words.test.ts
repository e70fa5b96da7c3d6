import { expect, test } from 'vitest';
import { dateText } from '../../src/terminal/date.ts';
import { renderDuration } from '../../src/terminal/duration.ts';
import { place } from '../../src/terminal/place.ts';
import { describeStatus } from '../../src/terminal/status-style.ts';

test.each([
  ['2025-03-03', '3 Mar 2025'],
  ['2025-03-03T23:59:59-05:00', '3 Mar 2025'],
  ['2025-03-03 10:00', '3 Mar 2025'],
  ['2025-02-30', '2025-02-30'],
  ['0000-01-01', '0000-01-01'],
  ['2025-03-034', '2025-03-034'],
  ['last week', 'last week'],
  [null, undefined],
  [undefined, undefined],
])('the date %s', (text, expected) => {
  expect(dateText(text)).toBe(expected);
});

test.each([
  ['DE', 'Germany (DE)'],
  ['gb', 'United Kingdom (gb)'],
  ['QZ', 'QZ'],
  ['World', 'World'],
  ['', ''],
  [null, undefined],
])('the region %s', (code, expected) => {
  expect(place(code)).toBe(expected);
});

test.each([
  [0, '0 s'],
  [999, '0 s'],
  [8_400, '8 s'],
  [60_000, '1 min'],
  [125_000, '2 min 5 s'],
  [3_780_000, '1 h 3 min'],
  [3_605_000, '1 h'],
  [180_000_000, '2 d 2 h'],
  [-5, '0 s'],
  [Number.NaN, '0 s'],
])('the duration %d', (ms, expected) => {
  expect(renderDuration(ms)).toBe(expected);
});

test('every status but two means that research is in progress', () => {
  expect(describeStatus('synced').research).toBe('complete');
  expect(describeStatus('errored').research).toContain('failed');
  for (const status of ['created', 'something new', 'SYNCED', '', null, undefined]) {
    expect(describeStatus(status).research).toContain('in progress');
  }
  expect(describeStatus('something new').word).toBe('something new');
  expect(describeStatus(null).word).toBe('no status');
});
