import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';

/** How a question is asked. */
export interface Asking {
  readonly input: ReadStream;
  readonly output: NodeJS.WriteStream & Partial<WriteStream>;
  /** Whether what is typed stays hidden. */
  readonly secret: boolean;
  /** Ends the question with its reason. */
  readonly signal: AbortSignal;
  /**
   * Called when Ctrl-C is typed, which raises no signal while a terminal is read key by key; it
   * aborts `signal`.
   */
  readonly onInterrupt: () => void;
}

/**
 * Asks a person at a terminal for one line, and leaves the terminal as it was, at the beginning of
 * a line.
 * @returns the line; undefined when the input ended without one, as by Ctrl-D
 */
export function prompt(
  question: string,
  { input, output, secret, signal, onInterrupt }: Asking,
): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // First the terminal is told not to echo, then the question is asked: nobody types before it.
  const lines = createInterface({
    input,
    output: secret ? nowhere : output,
    terminal: true,
    historySize: 0,
  });
  return new Promise((resolve, reject) => {
    let typed: string | undefined;
    const abort = () => lines.close();
    signal.addEventListener('abort', abort, { once: true });
    lines.on('line', (line) => {
      typed ??= line;
      lines.close();
    });
    lines.on('SIGINT', onInterrupt);
    lines.on('close', () => {
      signal.removeEventListener('abort', abort);
      // Whoever types in the open has ended the line already.
      if (secret || typed === undefined) output.write('\n');
      if (signal.aborted) reject(signal.reason);
      else resolve(typed);
    });
    lines.setPrompt(question);
    lines.prompt();
    if (secret) output.write(question);
    if (signal.aborted) abort();
  });
}
