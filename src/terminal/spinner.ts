import { clearLine, cursorTo, type Direction, moveCursor } from 'node:readline';
import { Writable } from 'node:stream';
import type { Output } from '../runtime/context.ts';
import { sanitize } from './sanitize.ts';
import { plainStyle } from './style.ts';
import { truncate } from './text.ts';

/** A status line at the bottom of a terminal. */
export interface Spinner {
  /** Replaces the status; the text is sanitized and cut to one line. */
  text(text: string): void;
  /** Writes a line above the status; the text must be safe. */
  note(line: string): void;
  /** Removes the status line while other output is written. */
  pause(): void;
  /** Shows the status line again. */
  resume(): void;
  /** Removes the status line permanently. */
  stop(): void;
}

const silent: Spinner = { text() {}, note() {}, pause() {}, resume() {}, stop() {} };

/**
 * Creates a spinner, or a silent one when it is not enabled or the output cannot move its cursor.
 *
 * The spinner leaves signals, standard input and the visibility of the cursor alone, so that a
 * killed process leaves a usable terminal.
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
  const setState = (next: typeof state) => {
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
    pause: () => setState('hidden'),
    resume: () => setState('shown'),
    stop: () => setState('ended'),
  };
}

/*
 * Creates a stream with the members of a terminal that ora uses. While it spins, ora puts other
 * writes above the line.
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
