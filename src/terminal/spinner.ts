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

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 80;
/* Moves to the start of the line and erases it. */
const erase = '\r\u001b[K';

/**
 * Creates a spinner, or a silent one when it is not enabled or the output cannot move its cursor.
 *
 * The spinner leaves signals, standard input and the visibility of the cursor alone, so that a
 * killed process leaves a usable terminal.
 */
export function createSpinner(output: Output, enabled: boolean, style = plainStyle): Spinner {
  if (!enabled || !output.isTerminal || !output.isAnimated) return silent;
  let status = '';
  let state: 'shown' | 'hidden' | 'ended' = 'shown';
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = () =>
    output.write(`${erase}${style.cyan(frames[frame % frames.length] ?? '')} ${status}`);
  const update = () => {
    if (state === 'shown' && status !== '') {
      draw();
      timer ??= setInterval(() => {
        frame += 1;
        draw();
      }, frameMs).unref();
    } else if (timer !== undefined) {
      clearInterval(timer);
      timer = undefined;
      output.write(erase);
    }
  };
  const setState = (next: typeof state) => {
    if (state === 'ended') return;
    state = next;
    update();
  };
  return {
    text(text) {
      status = truncate(sanitize(text), Math.max(1, output.columns - 3));
      update();
    },
    note(line) {
      output.write(timer === undefined ? `${line}\n` : `${erase}${line}\n`);
      update();
    },
    pause: () => setState('hidden'),
    resume: () => setState('shown'),
    stop: () => setState('ended'),
  };
}
