/*
 * Asks at the terminal with @clack/prompts. Only a question loads this file and the library. Every
 * text is sanitized here, because it may come from a file.
 */
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import * as clack from '@clack/prompts';
import { sanitize } from '../display/terminal/sanitize.ts';
import type { Context } from '../runtime/context.ts';
import type { Terminal } from '../runtime/terminal.ts';

/** Where a question is shown. */
export interface PromptView {
  readonly context: Context;
  readonly hasColor: boolean;
}

interface Streams {
  readonly input: Terminal['keys'];
  readonly output: Writable;
  readonly signal: AbortSignal;
  readonly withGuide: false;
}

/**
 * Asks to choose one of some options.
 * @param initial index of the option that is selected at first
 * @returns its index; undefined if the user leaves the question
 * @throws Stopped on an interrupt
 */
export async function select(
  view: PromptView,
  message: string,
  labels: readonly string[],
  initial = 0,
): Promise<number | undefined> {
  const options = labels.map((label, value) => ({ value, label: sanitize(label) }));
  return ask(view, (streams) =>
    clack.select({
      ...streams,
      message: `${sanitize(message)} (Esc: stop)`,
      options,
      initialValue: initial,
    }),
  );
}

/**
 * Asks to confirm something.
 * @returns whether the user says yes; Enter says no
 * @throws Stopped on an interrupt
 */
export async function confirm(view: PromptView, message: string): Promise<boolean> {
  const answer = await ask(view, (streams) =>
    clack.confirm({ ...streams, message: `${sanitize(message)} (y/N)`, initialValue: false }),
  );
  return answer === true;
}

/**
 * Asks for a line, whose characters are replaced by a mark if it is secret.
 * @returns undefined if the user leaves the question
 * @throws Stopped on an interrupt
 */
export async function readLine(
  view: PromptView,
  message: string,
  isSecret: boolean,
): Promise<string | undefined> {
  const mask = isDumb(view.context) ? { mask: '' } : {};
  return ask(view, (streams) => {
    const options = { ...streams, message: sanitize(message) };
    return isSecret ? clack.password({ ...options, ...mask }) : clack.text(options);
  });
}

async function ask<Answer>(
  { context, hasColor }: PromptView,
  prompt: (streams: Streams) => Promise<Answer | symbol | undefined>,
): Promise<Exclude<Answer, symbol> | undefined> {
  const adapt = isDumb(context)
    ? stripVTControlCharacters
    : (text: string) => (hasColor ? text : text.replace(colors, '')).replaceAll(hideCursor, '');
  const answer = await context.atTerminal(({ keys, screen, signal }) => {
    const output = screenOf(screen, adapt);
    const onResize = () => output.emit('resize');
    screen.on('resize', onResize);
    const streams = { input: keys, output, signal, withGuide: false } as const;
    return prompt(streams).finally(() => screen.off('resize', onResize));
  });
  return typeof answer === 'symbol' ? undefined : (answer as Exclude<Answer, symbol> | undefined);
}

function isDumb({ env }: Context): boolean {
  return env['TERM'] === 'dumb';
}

/* The cursor stays visible, because nothing would show it again after a kill. */
const hideCursor = '\u001b[?25l';
const colors = /\u001b\[(?:[39]\d|2|22)m/g;

function screenOf(screen: Terminal['screen'], adapt: (text: string) => string): Writable {
  const output = new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      screen.write(adapt(String(text)));
      done();
    },
  });
  return Object.defineProperties(output, {
    // A pseudo-terminal may report 0 columns.
    columns: { get: () => screen.columns || 80 },
    rows: { get: () => screen.rows || 24 },
  });
}
