import { type Command, Option } from 'commander';
import { checkKey } from '../../../api/credentials.ts';
import { readDuration } from '../../../config/duration.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { faultMeanings, parseFault } from '../../../sandbox/faults.ts';
import { scenarioMeanings } from '../../../sandbox/scenarios.ts';
import type { RequestLine } from '../../../sandbox/server.ts';
import { renderColumns } from '../../../terminal/columns.ts';
import { quoteWords } from '../../../terminal/quote-words.ts';
import { openSandbox } from '../../open-sandbox.ts';
import { readCount, readRate } from '../../option-parsers.ts';
import type { Run, Session } from '../../session.ts';

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
  readonly upstream: 'additive' | 'nested';
}

/* No message contains this text for another reason, so redaction hides only the key. */
const defaultKey = 'sandbox-0123456789';

/** Declares `carbon sandbox`: options and help. The work is in `serveSandbox`. */
export function addSandbox(program: Command, run: Run): Command {
  return program
    .command('sandbox')
    .description('Serve the sandbox on this machine to any HTTP client until Ctrl-C')
    .option(
      '--port <n>',
      'port on 127.0.0.1, 0 for any free port',
      readCount('--port', 0, 65_535),
      8787,
    )
    .option('--key <key>', 'API key that the sandbox accepts', defaultKey)
    .option(
      '--rate <n>',
      'maximum requests per second; the others get 429 with Retry-After',
      readRate('--rate'),
    )
    .option(
      '--burst <n>',
      'with --rate: maximum requests in a burst',
      readCount('--burst', 1, 1_000_000),
    )
    .option('--rate-limit-headers', 'send RateLimit headers with every response')
    .option(
      '--quota <n>',
      'maximum new organizations; further ones get 429 without Retry-After',
      readCount('--quota', 0, 1e9),
    )
    .option('--latency <duration>', 'delay before every response, such as 200ms', (text) =>
      readDuration(text, '--latency'),
    )
    .option('--research <duration>', 'typical duration of research (default: 10s)', (text) =>
      readDuration(text, '--research'),
    )
    .option(
      '--fault <kind[:share]>',
      'inject a fault, such as 500:5% or reset:0.01 (repeatable)',
      (text: string, sofar: readonly string[] = []) => [...sofar, text],
    )
    .addOption(
      new Option(
        '--upstream <reading>',
        'upstream factors that exclude (additive) or contain (nested) scopes 1 and 2',
      )
        .choices(['additive', 'nested'])
        .default('additive'),
    )
    .addHelpText('after', whatItDoes())
    .action((options: SandboxCommandOptions, command: Command) =>
      run(command, ['human', 'json', 'ids'], (session) => serveSandbox(session, options)),
    );
}

function whatItDoes(): string {
  return [
    '',
    'Fault kinds (applied to every request unless a share is given):',
    ...renderColumns(faultMeanings.map(({ kinds, meaning }) => [kinds.join(' '), meaning])),
    '',
    'Names that select a behavior of the sandbox, such as --name "Sandbox errored":',
    ...renderColumns(
      scenarioMeanings.map(({ words, meaning }) => [`Sandbox ${words.join(' ')}`, meaning]),
    ),
    '',
    'carbon sandbox and --sandbox store registrations in sandbox.log in the sandbox',
    'directory, which carbon whoami shows. To start over, remove that file.',
    '',
    'As soon as it accepts requests, the sandbox prints its base URL and API key:',
    'with --json as one document, with -q only the base URL.',
  ].join('\n');
}

async function serveSandbox(session: Session, options: SandboxCommandOptions): Promise<number> {
  const { context } = session;
  if (options.burst !== undefined && options.rate === undefined)
    throw new UsageError('--burst requires --rate');
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
    upstream: options.upstream,
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
  const outcome = status === 0 ? 'no response' : status;
  messages.print({
    level: 'result',
    text: `${time} ${method} ${path} ${outcome} ${ms} ms`,
    event: { event: 'request', at: now.toISOString(), method, path, status, ms },
  });
}

function announcement({ format }: Session, url: string, key: string): string {
  if (format === 'json') return `${JSON.stringify({ url, key })}\n`;
  if (format === 'ids') return `${url}\n`;
  return [
    `The sandbox serves synthetic data at ${url} until Ctrl-C.`,
    '',
    `  export CARBON_BASE_URL=${url}`,
    `  export CARBON_API_KEY=${quoteWords([key], 'linux')}`,
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
