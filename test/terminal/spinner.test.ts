import { afterEach, describe, expect, it } from 'vitest';
import { createSpinner, type Spinner } from '../../src/terminal/spinner.ts';
import { loadStyle } from '../../src/terminal/style.ts';
import { screen, shown } from '../support/screen.ts';

let spinner: Spinner | undefined;
afterEach(() => spinner?.stop());

describe('createSpinner', () => {
  it('replaces its line, writes notes above it, and removes it at the end', async () => {
    const output = screen();
    spinner = await createSpinner(output, true);
    expect(output.written).toEqual([]);
    spinner.text('researching · 8 s');
    expect(shown(output)).toEqual(['⠋ researching · 8 s']);
    spinner.text('researching · 9 s');
    spinner.note('12: located');
    expect(shown(output)).toEqual(['12: located', expect.stringMatching(/^. researching · 9 s$/u)]);
    spinner.stop();
    expect(shown(output)).toEqual(['12: located', '']);
    spinner.text('too late');
    spinner.resume();
    expect(shown(output)).toEqual(['12: located', '']);
  });

  it('hides its line during a pause', async () => {
    const output = screen();
    spinner = await createSpinner(output, true);
    spinner.text('waiting');
    spinner.pause();
    output.write('a record\n');
    spinner.text('still waiting');
    expect(shown(output)).toEqual(['a record', '']);
    spinner.resume();
    expect(shown(output)).toEqual(['a record', expect.stringMatching(/^. still waiting$/u)]);
  });

  it('sanitizes the text and cuts it to one line', async () => {
    const output = screen(20);
    spinner = await createSpinner(output, true);
    spinner.text('a\nb\u001b[2J and a very long status');
    expect(shown(output)).toEqual(['⠋ a b\ufffd[2J and a ve…']);
  });

  it('leaves signals, standard input and the cursor alone', async () => {
    const count = () =>
      ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'].map((name) => process.listenerCount(name));
    const before = count();
    const reading = process.stdin.listenerCount('data');
    const output = screen();
    spinner = await createSpinner(output, true, await loadStyle(1));
    spinner.text('waiting');
    spinner.stop();
    expect(count()).toEqual(before);
    expect(process.stdin.listenerCount('data')).toBe(reading);
    expect(output.written.join('')).not.toContain('?25');
    expect(output.written.join('')).toContain('\u001b[36m⠋\u001b[39m waiting');
  });

  it('writes nothing without a terminal or when it is disabled', async () => {
    const quiet = [screen(40, false), { ...screen(), isAnimated: false }, screen()];
    for (const [index, output] of quiet.entries()) {
      const silent = await createSpinner(output, index < 2);
      for (const act of [silent.text, silent.note]) act('text');
      for (const act of [silent.pause, silent.resume, silent.stop]) act();
      expect(output.written).toEqual([]);
    }
  });
});
