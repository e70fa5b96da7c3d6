import { clearLine, cursorTo, type Direction, moveCursor } from 'node:readline';
import { Writable } from 'node:stream';
import type { Output } from '../../runtime/context.ts';
import { sanitize } from './sanitize.ts';
import { plainStyle } from './style.ts';
import { truncate } from './text.ts';

export interface Spinner {
  /** Replaces the status; the text is sanitized and cut to one line. Without text, hides it. */
  show(text?: string): void;
  note(line: string): void;
}

/**
 * Creates a spinner on an output that can move its cursor.
 *
 * The spinner leaves signals, standard input and the visibility of the cursor alone, so that a
 * killed process leaves a usable terminal.
 */
export async function createSpinner(output: Output, style = plainStyle): Promise<Spinner> {
  const { default: ora, spinners } = await import('ora');
  const stream = terminalOf(output);
  const { frames } = spinners.dots;
  const spinner = ora({
    stream,
    // The text changes once a second, and more often is a flood over a slow connection.
    spinner: { frames: frames.map(style.cyan), interval: 1_000 },
    color: false,
    isEnabled: true,
    discardStdin: false,
    hideCursor: false,
  });
  return {
    show(text) {
      if (text) {
        spinner.text = truncate(sanitize(text), Math.max(1, output.columns - 3));
        if (spinner.isSpinning) spinner.render();
        else spinner.start();
      } else if (spinner.isSpinning) spinner.stop();
    },
    note: (line) => void stream.write(`${line}\n`),
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
