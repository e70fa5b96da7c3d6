/*
 * The terminal during a question. Keys arrive one by one and without echo, so no key raises a
 * signal: Ctrl-C, Ctrl-D and Ctrl-Z are handled here, as the terminal does at other times.
 */
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';

/** What a question reads and shows. */
export interface Terminal {
  /** The keys, but neither Ctrl-C, Ctrl-D nor Ctrl-Z. */
  readonly keys: Readable;
  readonly screen: NodeJS.WriteStream & Partial<WriteStream>;
  /** Aborts when the question must end without an answer. */
  readonly signal: AbortSignal;
}

interface TerminalProcess {
  readonly host: Pick<NodeJS.Process, 'kill' | 'emit' | 'once' | 'off' | 'platform' | 'stderr'>;
  readonly stdin: Readable & { setRawMode?(isRaw: boolean): unknown };
  readonly signal: AbortSignal;
}

/**
 * Asks a question at the terminal, and again when the user continues a run that Ctrl-Z suspended.
 * The terminal is then as it was before.
 * @returns undefined if the input ends, such as by Ctrl-D
 * @throws the reason of `signal`, which Ctrl-C aborts
 */
export async function atTerminal<Answer>(
  { host, stdin, signal }: TerminalProcess,
  ask: (terminal: Terminal) => Promise<Answer>,
): Promise<Answer | undefined> {
  for (;;) {
    signal.throwIfAborted();
    const ended = new AbortController();
    const keys = new PassThrough();
    const onEnd = () => ended.abort();
    const onData = (bytes: Buffer | string) => {
      for (const part of String(bytes).split(/([\x03\x04\x1a])/))
        if (part === '\x03') interrupt(host);
        else if (part === '\x04') ended.abort();
        else if (part === '\x1a') ended.abort('suspended');
        else if (part !== '') keys.write(part);
    };
    stdin.setRawMode?.(true);
    stdin.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd).resume();
    try {
      const answer = await ask({
        keys,
        screen: host.stderr,
        signal: AbortSignal.any([signal, ended.signal]),
      });
      signal.throwIfAborted();
      if (!ended.signal.aborted) return answer;
      if (ended.signal.reason !== 'suspended') return undefined;
    } finally {
      stdin.off('data', onData).off('end', onEnd).off('close', onEnd).pause();
      if (!stdin.destroyed) stdin.setRawMode?.(false);
      // A closed terminal rejects the change of its mode.
      setImmediate(() => stdin.off('error', onEnd));
    }
    await suspend(host);
  }
}

/*
 * Signals every process in the foreground, so that a shell loop stops too. On Windows, a signal
 * would end this process and leave its console as it is now.
 */
function interrupt(host: TerminalProcess['host']): void {
  if (host.platform === 'win32') host.emit('SIGINT');
  else host.kill(0, 'SIGINT');
}

/* Without a shell that can continue it, the kernel does not suspend a process. */
const maxUnsuspendedMs = 50;

async function suspend(host: TerminalProcess['host']): Promise<void> {
  if (host.platform === 'win32') return;
  let onContinue = () => {};
  const continued = new Promise<void>((resolve) => {
    onContinue = resolve;
    host.once('SIGCONT', onContinue);
  });
  host.kill(0, 'SIGTSTP');
  await Promise.race([continued, sleep(maxUnsuspendedMs)]);
  host.off('SIGCONT', onContinue);
}
