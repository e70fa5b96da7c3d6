import { hideUserInfo } from '../../../client/api/redact.ts';
import {
  configFile,
  dataDirectory,
  loadProfileReader,
  readProfiles,
} from '../../../config/profiles.ts';
import type { KeySource } from '../../../config/settings.ts';
import { sanitize } from '../../../display/terminal/sanitize.ts';
import { findProxy } from '../../../runtime/proxy.ts';
import { type CommandDeclaration, readCurrency, serviceOptions } from '../../options.ts';
import { show } from '../../output/show.ts';
import type { Session } from '../../session.ts';

export const whoamiCommand: CommandDeclaration = {
  name: 'whoami',
  group: 'Set up',
  summary: 'Show the current settings and where each one comes from',
  examples: ['carbon whoami', 'carbon whoami --profile acme --json'],
  formats: ['human', 'json'],
  document: {
    'profile, base_url, currency, http_timeout_ms, proxy': '`value`, and where it is `from`',
    api_key: 'whether it is `set`, `from` where, and the only `origin` it is sent to',
    profiles: 'names of the stored profiles',
    'configuration_file, sandbox_directory': 'the path, as `value`',
  },
  service: serviceOptions,
  run: whoami,
};

interface Shown {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly from?: string | undefined;
  /** Replaces value and source in JSON. */
  readonly json?: unknown;
}

async function whoami(session: Session): Promise<number> {
  const shown = session.flags.sandbox ? ofSandbox(session) : await ofService(session);
  const entries = shown.map(({ name, value = null, from = null, json }) => [
    name,
    json ?? { value, from },
  ]);
  const lines = shown.map(({ label, value = 'none', from }) => {
    const source = from === undefined ? '' : ` (${from})`;
    return `${label}: ${sanitize(value + source)}\n`;
  });
  await show(session, { document: Object.fromEntries(entries), text: lines.join('') });
  return 0;
}

async function ofService(session: Session): Promise<Shown[]> {
  const { context } = session;
  const { profile, baseUrl, apiKey, keyOrigin: origin, timeoutMs } = session.settings();
  const currency = await readCurrency(session, undefined);
  const proxy = baseUrl && findProxy(baseUrl.value, context.env);
  const known = Object.keys(
    readProfiles(context, () => undefined, await loadProfileReader(context)),
  );
  const { kind = 'key', value: source = '', from } = apiKey ?? {};
  const key = apiKey && describeKey(apiKey);
  return [
    { name: 'profile', label: 'Profile', ...profile },
    { name: 'base_url', label: 'Base URL', ...baseUrl },
    {
      name: 'api_key',
      label: 'API key',
      value: origin === undefined ? key : `${key}, sent only to ${origin}`,
      from,
      json: {
        set: apiKey !== undefined,
        origin,
        from,
        ...(kind === 'key' ? {} : { [kind]: hideUserInfo(source) }),
      },
    },
    { name: 'currency', label: 'Currency', value: currency, from: currency && 'CARBON_CURRENCY' },
    {
      name: 'http_timeout_ms',
      label: 'HTTP timeout',
      value: `${timeoutMs.value / 1000} s`,
      from: timeoutMs.from,
      json: timeoutMs,
    },
    { name: 'proxy', label: 'Proxy', value: proxy?.url, from: proxy?.from },
    {
      name: 'profiles',
      label: 'Stored profiles',
      value: known.join(', ') || undefined,
      json: known,
    },
    { name: 'configuration_file', label: 'Configuration file', value: configFile(context) },
    { name: 'sandbox_directory', label: 'Sandbox directory', value: dataDirectory(context) },
  ];
}

/* Shows the file or command, which carbon neither reads nor runs here. */
function describeKey({ kind, value }: KeySource): string {
  if (kind === 'key') return 'set';
  return kind === 'file' ? `in the file ${value}` : `printed by \`${hideUserInfo(value.trim())}\``;
}

function ofSandbox(session: Session): Shown[] {
  const from = '--sandbox';
  const key = { set: true, from };
  return [
    { name: 'base_url', label: 'Base URL', value: 'the embedded sandbox', from },
    { name: 'api_key', label: 'API key', value: 'a new one for each run', from, json: key },
    {
      name: 'sandbox_directory',
      label: 'Sandbox directory',
      value: dataDirectory(session.context),
    },
  ];
}
