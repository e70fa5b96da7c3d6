import { renderColumns } from '../../../display/terminal/columns.ts';
import { faultKinds, faultMeanings, parseFault } from '../../../sandbox/faults.ts';
import {
  type CommandDeclaration,
  type OptionGroups,
  type OptionValues,
  readCount,
  readRate,
  readTime,
} from '../../options.ts';
import { show } from '../../output/show.ts';
import type { Session } from '../../session.ts';

/* No message contains this text for another reason, so redaction hides only the key. */
const key = 'sandbox-0123456789';

const options = {
  Server: [
    {
      flags: '--port <n>',
      description: 'port on 127.0.0.1, 0 for any free port',
      parse: readCount('--port', 0, 65_535, 8787),
      default: 8787,
    },
    {
      flags: '--research <duration>',
      description: 'typical duration of research (default: 10s)',
      parse: readTime('--research'),
    },
  ],
  'Limits and faults': [
    {
      flags: '--rate <n>',
      description: 'maximum requests per second; the others get 429 with Retry-After',
      parse: readRate('--rate'),
    },
    {
      flags: '--quota <n>',
      description: 'maximum new organizations; further ones get 429 without Retry-After',
      parse: readCount('--quota', 0, 1e9, 100),
    },
    {
      flags: '--latency <duration>',
      description: 'delay before every response, such as 200ms',
      parse: readTime('--latency'),
    },
    {
      flags: '--fault <kind[:share]>',
      description: 'inject a fault, such as 500:5% or reset:0.01 (repeatable)',
      offers: async () => faultKinds,
      parse: (text, sofar: readonly string[] = []) => [...sofar, text],
    },
  ],
} as const satisfies OptionGroups;

type SandboxCommandOptions = OptionValues<typeof options>;

export const sandboxCommand: CommandDeclaration<typeof options> = {
  name: 'sandbox',
  group: 'Developers',
  summary: 'Run the sandbox as a local HTTP server',
  options,
  examples: [
    'carbon sandbox --port 0',
    'carbon sandbox --rate 50 --latency 200ms',
    'carbon sandbox --fault 500:5% --fault reset:0.01 --research 1m',
  ],
  notes: whatItDoes(),
  formats: ['human', 'json', 'ids'],
  document: { url: 'base URL of the sandbox', key: 'API key that it accepts' },
  run: (session, _, options) => serveSandbox(session, options),
};

function whatItDoes(): string {
  return [
    '',
    'Fault kinds (applied to every request unless a share is given):',
    ...renderColumns(faultMeanings.map(({ kinds, meaning }) => [kinds.join(' '), meaning])),
    '',
    'Names select a behavior: --name "Sandbox errored", "Sandbox 422", "Sandbox 500"',
    'and others that docs/reference/sandbox.md lists (carbon help docs).',
    '',
    'carbon sandbox and --sandbox store registrations in sandbox.log in the sandbox',
    'directory, which carbon whoami shows. To start over, remove that file.',
    '',
    'As soon as it accepts requests, the sandbox prints its base URL and API key:',
    'with --json as one document, with -q only the base URL.',
  ].join('\n');
}

async function serveSandbox(session: Session, options: SandboxCommandOptions): Promise<number> {
  const { context, messages } = session;
  const { signal } = context;
  const { url } = await session.openSandbox({
    random: () => context.random(),
    key,
    port: options.port,
    rate: options.rate,
    quota: options.quota,
    latencyMs: options.latency,
    researchMs: options.research,
    faults: (options.fault ?? []).map(parseFault),
    onRequest({ method, path, status, ms }) {
      const time = new Date(context.clock.now()).toTimeString().slice(0, 8);
      const text = `${time} ${method} ${path} ${status || 'no response'} ${ms} ms`;
      messages.print({ level: 'result', text });
    },
  });
  const text = `The sandbox serves synthetic data at ${url} until Ctrl-C.\n\n  export CARBON_BASE_URL=${url}\n  export CARBON_API_KEY=${key}\n`;
  await show(session, { document: { url, key }, ids: [url], text });
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
