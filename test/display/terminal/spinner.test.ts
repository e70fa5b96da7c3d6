import { afterEach, describe, expect, it } from 'vitest';
import { createSpinner, type Spinner } from '../../../src/display/terminal/spinner.ts';
import { loadStyle } from '../../../src/display/terminal/style.ts';
import { screen, shown } from '../../support/screen.ts';

let spinner: Spinner | undefined;
afterEach(() => spinner?.show());

describe('createSpinner', () => {
  it('replaces its line, writes notes above it, and removes it at the end', async () => {
    const output = screen();
    spinner = await createSpinner(output);
    expect(output.written).toEqual([]);
    spinner.show('researching · 8 s');
    expect(shown(output)).toEqual(['⠋ researching · 8 s']);
    spinner.show('researching · 9 s');
    spinner.note('12: located');
    expect(shown(output)).toEqual(['12: located', expect.stringMatching(/^. researching · 9 s$/u)]);
    spinner.show();
    expect(shown(output)).toEqual(['12: located', '']);
    spinner.show('waiting');
    expect(shown(output)).toEqual(['12: located', expect.stringMatching(/^. waiting$/u)]);
  });

  it('sanitizes the text and cuts it to one line', async () => {
    const output = screen(20);
    spinner = await createSpinner(output);
    spinner.show('a\nb\u001b[2J and a very long status');
    expect(shown(output)).toEqual(['⠋ a b\ufffd[2J and a ve…']);
  });

  it('leaves signals, standard input and the cursor alone', async () => {
    const count = () =>
      ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'].map((name) => process.listenerCount(name));
    const before = count();
    const reading = process.stdin.listenerCount('data');
    const output = screen();
    spinner = await createSpinner(output, await loadStyle(1));
    spinner.show('waiting');
    spinner.show();
    expect(count()).toEqual(before);
    expect(process.stdin.listenerCount('data')).toBe(reading);
    expect(output.written.join('')).not.toContain('?25');
    expect(output.written.join('')).toContain('\u001b[36m⠋\u001b[39m waiting');
  });
});
