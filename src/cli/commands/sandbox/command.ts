import type { Command } from 'commander';
import { checkKey } from '../../../api/credentials.ts';
import { readDuration } from '../../../config/duration.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { faultMeanings, parseFault } from '../../../sandbox/faults.ts';
import { scenarioMeanings } from '../../../sandbox/scenarios.ts';
import type { RequestLine } from '../../../sandbox/server.ts';
import { renderColumns } from '../../../terminal/indented-list.ts';
import { readCount, readRate } from '../../option-parsers.ts';
import type { Run } from '../../runner.ts';
import type { Session } from '../../session.ts';
import { openSandbox } from '../../start-sandbox.ts';

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

/* Nothing that a message could say by itself: keys are hidden wherever they appear. */
const defaultKey = 'sandbox-0123456789';

/** Declares `carbon sandbox`: flags and help. The work is in `serveSandbox`. */
export function addSandbox(program: Command, run: Run): Command {
  return program
    .command('sandbox')
    .description('Serve the sandbox on this machine, for any HTTP client, until Ctrl-C')
    .option(
      '--port <n>',
      'port on 127.0.0.1, 0 for any free one',
      readCount('--port', 0, 65_535),
      8787,
    )
    .option('--key <key>', 'the API key that it accepts; its figures are no secret', defaultKey)
    .option('--rate <n>', 'requests per second; above: 429 with Retry-After', readRate('--rate'))
    .option('--burst <n>', 'requests at once under --rate', readCount('--burst', 1, 1_000_000))
    .option('--rate-limit-headers', 'send RateLimit headers with every answer')
    .option(
      '--quota <n>',
      'new organizations at most; above: 429 without Retry-After',
      readCount('--quota', 0, 1e9),
    )
    .option('--latency <duration>', 'wait before every answer', (text) =>
      readDuration(text, '--latency'),
    )
    .option('--research <duration>', 'typical length of research (default: 10s)', (text) =>
      readDuration(text, '--research'),
    )
    .option(
      '--fault <kind[:share]>',
      'fail on purpose, such as 500:5% or reset:0.01 (repeatable)',
      (text: string, sofar: readonly string[] = []) => [...sofar, text],
    )
    .addHelpText('after', whatItDoes())
    .action((options: SandboxCommandOptions, command: Command) =>
      run(command, ['human', 'json', 'ids'], (session) => serveSandbox(session, options)),
    );
}

function whatItDoes(): string {
  return [
    '',
    'Kinds of --fault; without a share, every request is struck:',
    ...renderColumns(faultMeanings.map(({ kinds, meaning }) => [kinds.join(' '), meaning])),
    '',
    'Names that ask for something, such as --name "Sandbox errored":',
    ...renderColumns(
      scenarioMeanings.map(({ words, meaning }) => [`Sandbox ${words.join(' ')}`, meaning]),
    ),
    '',
    'What is registered stays in sandbox.log of the sandbox folder, which carbon',
    'whoami shows; --sandbox uses the same. To start afresh, remove that file.',
  ].join('\n');
}

async function serveSandbox(session: Session, options: SandboxCommandOptions): Promise<number> {
  const { context } = session;
  if (options.burst !== undefined && options.rate === undefined)
    throw new UsageError('--burst needs --rate');
  const faults = (options.fault ?? []).map(parseFault);
  const sandbox = await openSandbox(context, session.messages, {
    random: () => context.random(),
    key: checkKey(options.key, '--key'),
    port: options.port,
    rate: options.rate,
    burst: options.burst,
    rateLimitHeaders: options.rateLimitHeaders,
    quota: options.quota,
    latencyMs: options.latency,
    researchMs: options.research,
    faults,
    onRequest: (line) => logRequest(session, line),
  });
  try {
    session.print(announcement(session, sandbox.url, options.key));
    await until(context.signal);
    return 0;
  } finally {
    await sandbox.close();
  }
}

function logRequest(
  { context, messages }: Session,
  { method, path, status, ms }: RequestLine,
): void {
  const now = new Date(context.clock.now());
  const time = now.toTimeString().slice(0, 8);
  const outcome = status === 0 ? 'no answer' : status;
  messages.note(`${time} ${method} ${path} ${outcome} ${Math.round(ms)} ms`, {
    at: now.toISOString(),
    method,
    path,
    status,
    ms,
  });
}

function announcement({ format }: Session, url: string, key: string): string {
  if (format === 'json') return `${JSON.stringify({ url, key })}\n`;
  if (format === 'ids') return `${url}\n`;
  return [
    `The sandbox serves ${url} until Ctrl-C; figures are synthetic.`,
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
