import type { Command } from 'commander';
import { readDuration } from '../duration.ts';
import { UsageError } from '../errors.ts';
import { dataFolder } from '../folders.ts';
import type { Fault } from '../sandbox/faults.ts';
import { readCount, readRate } from '../session/numbers.ts';
import type { Session } from '../session/session.ts';
import { checkKey } from '../settings.ts';
import type { Run } from './run.ts';

interface SandboxCommandOptions {
  readonly port: number;
  readonly key: string;
  readonly rate?: number;
  readonly burst?: number;
  readonly rateLimitHeaders?: boolean;
  readonly quota?: number;
  readonly latency?: number;
  readonly research?: number;
  readonly fault?: readonly string[];
}

/** Declares `carbon sandbox`: flags and help. The work is in `serveSandbox`. */
export function addSandbox(program: Command, run: Run): Command {
  return program
    .command('sandbox')
    .description('Serve the sandbox on this machine, for any HTTP client, until Ctrl-C')
    .option('--port <n>', 'port on 127.0.0.1, 0 for any free one', readCount('--port', 0, 65_535), 8787)
    .option('--key <key>', 'the API key that it accepts; its figures are no secret', 'sandbox')
    .option('--rate <n>', 'requests per second; above: 429 with Retry-After', readRate('--rate'))
    .option('--burst <n>', 'requests at once under --rate', readCount('--burst', 1, 1_000_000))
    .option('--rate-limit-headers', 'send RateLimit headers with every answer')
    .option(
      '--quota <n>',
      'new organizations at most; above: 429 without Retry-After',
      readCount('--quota', 0, 1e9),
    )
    .option('--latency <duration>', 'wait before every answer', (text) => readDuration(text, '--latency'))
    .option('--research <duration>', 'typical length of research (default: 10s)', (text) =>
      readDuration(text, '--research'),
    )
    .option(
      '--fault <kind[:share]>',
      'fail on purpose, such as 500:5% or reset:0.01 (repeatable; a wrong kind lists all)',
      (text: string, sofar: readonly string[] = []) => [...sofar, text],
    )
    .action((options: SandboxCommandOptions, command: Command) =>
      run(command, ['human', 'json', 'ids'], (session) => serveSandbox(session, options)),
    );
}

async function serveSandbox(session: Session, options: SandboxCommandOptions): Promise<number> {
  const { context } = session;
  if (options.burst !== undefined && options.rate === undefined) throw new UsageError('--burst needs --rate');
  const [{ startSandbox }, { parseFault }] = await Promise.all([
    import('../sandbox/server.ts'),
    import('../sandbox/faults.ts'),
  ]);
  const faults: Fault[] = (options.fault ?? []).map(parseFault);
  const sandbox = await startSandbox({
    clock: context.clock,
    random: () => context.random(),
    dataDir: dataFolder(context),
    key: checkKey(options.key, '--key'),
    port: options.port,
    rate: options.rate,
    burst: options.burst,
    rateLimitHeaders: options.rateLimitHeaders,
    quota: options.quota,
    latencyMs: options.latency,
    researchMs: options.research,
    faults,
    onRequest: ({ method, path, status, ms }) =>
      session.messages.note(`${method} ${path} ${status} ${Math.round(ms)} ms`, { method, path, status, ms }),
  });
  try {
    session.print(announcement(session, sandbox.url, options.key));
    await until(context.signal);
    return 0;
  } finally {
    await sandbox.close();
  }
}

function announcement({ format }: Session, url: string, key: string): string {
  if (format === 'json') return `${JSON.stringify({ url, key })}\n`;
  if (format === 'ids') return `${url}\n`;
  return [
    `The sandbox serves ${url} until Ctrl-C. Its figures are synthetic.`,
    '',
    `  export CARBON_BASE_URL=${url}`,
    `  export CARBON_API_KEY=${key}`,
    '',
  ].join('\n');
}

function until(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
