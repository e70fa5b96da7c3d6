import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../support/clock.ts';
import { newFolder, run } from '../../../support/run.ts';
import { missingLines } from '../../../support/screen.ts';

const names = ['Acme Steel', 'Nordic Glass', 'Vertex Rail', 'Sandbox failed research', 'Globex'];
const rejected = ['Sandbox 404 A', 'Sandbox 404 B'];

/* Purchases of two years from suppliers with records, and from some that the service rejects. */
const purchases = [...rejected, ...names]
  .flatMap((name, at) => [
    `${name},DE,${1000 * (at + 1)},EUR,2023`,
    `${name},DE,${1500 * (at + 1)},EUR,2024`,
  ])
  .join('\n');

async function synced() {
  const home = newFolder();
  const clock = new VirtualClock();
  const path = join(home, 'buy.csv');
  writeFileSync(path, `name,country,spend,currency,year\n${purchases}\n`);
  await run(['sync', path, '--sandbox', '--currency', 'EUR'], { home, clock });
  return (argv: readonly string[], terminal: number) => {
    const pieces: string[] = [];
    const onOutput = (text: string) => void pieces.push(text);
    const [command = '', ...words] = argv;
    return run([command, path, ...words], { home, clock, terminal, onOutput }).then((result) => ({
      ...result,
      all: pieces.join(''),
    }));
  };
}

const footprint = ['footprint', '--year', '2024', '--upstream-factor', 'additive', '--unit', 'kg'];
const screens = {
  report: ['report', '--unit', 'kg'],
  footprint,
  comparison: [...footprint, '--compare', '2023'],
  goal: [...footprint, '--goal', '67% by 2028'],
};

/* What tables and lists are called, or what is in the first column. */
const titlesOf = (text: string) =>
  text
    .trim()
    .split('\n\n')
    .slice(1)
    .map((block) => block.trim().split(/ {2}|\n/)[0]);

describe.each(Object.entries(screens))('the screen of a %s', (name, argv) => {
  it('has what to decide with, and with --full every table', async () => {
    const show = await synced();
    const [few, full] = [await show(argv, 200), await show([...argv, '--full'], 200)];
    expect([titlesOf(few.stdout), titlesOf(full.stdout)]).toMatchSnapshot();
    // The last line says what else there is.
    const more = /\n\n(For .*add --full.*)\n$/;
    const later = /^ {4}\d more steps: add --full$/m;
    const all = few.stdout.replace(more, '').replace(later, '');
    expect(missingLines(all, full.stdout)).toEqual([]);
    expect(full.stdout).not.toContain('add --full');
  });

  it('ends with what --full adds', async () => {
    const show = await synced();
    const { all } = await show(argv, 80);
    expect(all.replace(/\n(?=\S)/g, ' ')).toMatch(/ For [^\n]+, add --full[^\n]*\n$/);
    expect(name).not.toBe('');
  });
});
