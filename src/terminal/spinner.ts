import { clearLine, cursorTo, type Direction, moveCursor } from 'node:readline';
import { Writable } from 'node:stream';
import type { Output } from '../runtime/context.ts';
import { sanitize } from './sanitize.ts';
import { plainStyle } from './style.ts';
import { truncate } from './text.ts';

/** One line at the bottom of a terminal that says what is going on. */
export interface Spinner {
  /** Replaces what the line says; the text need not be safe and is cut to one line. */
  text(text: string): void;
  /** Writes a line above; the text must be safe. */
  note(line: string): void;
  /** Takes the line away while something else is written. */
  pause(): void;
  /** Shows the line again. */
  resume(): void;
  /** Takes the line away for good. */
  stop(): void;
}

const silent: Spinner = { text() {}, note() {}, pause() {}, resume() {}, stop() {} };

/**
 * Starts a spinner, or a silent one when it is not enabled or the output is no terminal that can
 * move its cursor. It touches neither signals, nor standard input, nor the visibility of the
 * cursor, so that nothing has to be repaired when the process is killed.
 */
export async function createSpinner(
  output: Output,
  enabled: boolean,
  style = plainStyle,
): Promise<Spinner> {
  if (!enabled || !output.isTerminal || !output.isAnimated) return silent;
  const { default: ora, spinners } = await import('ora');
  const stream = terminalOf(output);
  const { frames, interval } = spinners.dots;
  const spinner = ora({
    stream,
    spinner: { frames: frames.map(style.cyan), interval: interval ?? 80 },
    color: false,
    isEnabled: true,
    discardStdin: false,
    hideCursor: false,
  });
  let state: 'shown' | 'hidden' | 'ended' = 'shown';
  const show = () => {
    if (state !== 'shown' || spinner.text === '') return;
    if (spinner.isSpinning) spinner.render();
    else spinner.start();
  };
  const become = (next: typeof state) => {
    if (state === 'ended') return;
    state = next;
    if (state !== 'shown') spinner.stop();
    show();
  };
  return {
    text(text) {
      spinner.text = truncate(sanitize(text), Math.max(1, output.columns - 3));
      show();
    },
    note: (line) => void stream.write(`${line}\n`),
    pause: () => become('hidden'),
    resume: () => become('shown'),
    stop: () => become('ended'),
  };
}

/*
 * What ora needs of a terminal; while the spinner turns, ora lets other writes to it through above
 * the line.
 */
function terminalOf(output: Output): NodeJS.WritableStream {
  const stream = Object.assign(new Writable(), {
    isTTY: true,
    write(text: string | Uint8Array) {
      output.write(String(text));
      return true;
    },
    cursorTo: (x: number) => cursorTo(stream, x),
    clearLine: (direction: Direction) => clearLine(stream, direction),
    moveCursor: (dx: number, dy: number) => moveCursor(stream, dx, dy),
  });
  return Object.defineProperty(stream, 'columns', { get: () => output.columns });
}
