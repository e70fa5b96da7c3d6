import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';

interface PromptOptions {
  readonly input: ReadStream;
  readonly output: NodeJS.WriteStream & Partial<WriteStream>;
  readonly secret: boolean;
  readonly signal: AbortSignal;
  /** Aborts `signal`: Ctrl-C raises no signal while the terminal is in raw mode. */
  readonly onInterrupt: () => void;
}

/**
 * Reads one line from a terminal, then restores the terminal with the cursor in column 1. Returns
 * undefined if the input ends before one, such as by Ctrl-D.
 */
export function prompt(
  question: string,
  { input, output, secret, signal, onInterrupt }: PromptOptions,
): Promise<string | undefined> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Turns echo off before it prints the question, so that no early key is shown.
  const lines = createInterface({
    input,
    output: secret ? discard : output,
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
      // With echo, the typed line break already ended the line.
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
