import { WriteStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { colorLevel, realContext } from '../../src/runtime/context.ts';

describe('colorLevel', () => {
  const trueColor = () => 24;
  it.each([
    ['a terminal', {}, true, 3],
    ['a pipe', {}, false, 0],
    ['NO_COLOR', { NO_COLOR: '1' }, true, 0],
    ['an empty NO_COLOR', { NO_COLOR: '' }, true, 3],
    ['TERM=dumb', { TERM: 'dumb' }, true, 0],
    ['FORCE_COLOR into a pipe', { FORCE_COLOR: '1' }, false, 1],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, 0],
    ['FORCE_COLOR=3', { FORCE_COLOR: '3' }, false, 3],
    ['NO_COLOR and FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '3' }, true, 0],
  ])('respects %s', (_, env, isTerminal, level) => {
    expect(colorLevel(env, isTerminal, trueColor)).toBe(level);
  });

  it.each([
    [1, 0],
    [4, 1],
    [8, 2],
    [24, 3],
  ])('converts a color depth of %d bits to level %d', (bits, level) => {
    expect(colorLevel({}, true, () => bits)).toBe(level);
  });
});

it.each([
  ['', 3],
  ['1', 0],
])('a terminal of Node has its colors with NO_COLOR=%s: level %i', (NO_COLOR, level) => {
  const env = { NO_COLOR, COLORTERM: 'truecolor', TERM: 'xterm-256color' };
  const { getColorDepth } = WriteStream.prototype;
  const stdout = { isTTY: true, getColorDepth };
  const terminal = { ...process, env, stdout, stderr: stdout };
  const { signal } = new AbortController();
  expect(realContext(terminal as unknown as NodeJS.Process, signal).stdout.colorLevel).toBe(level);
});

it.each([
  [{}, true],
  [{ TERM: 'dumb' }, false],
  [{ CI: 'true' }, false],
])('a status line moves on a terminal with %j: %j', (env, isAnimated) => {
  const terminal = { ...process, env, stdout: { isTTY: true }, stderr: { isTTY: true } };
  const { signal } = new AbortController();
  const { stderr } = realContext(terminal as unknown as NodeJS.Process, signal);
  expect(stderr.isAnimated).toBe(isAnimated);
});
