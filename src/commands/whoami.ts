import type { Command } from 'commander';
import { dataFolder } from '../folders.ts';
import { configFile } from '../profiles.ts';
import { renderFacts } from '../render/facts.ts';
import { readCurrency } from '../session/currency.ts';
import type { Session } from '../session/session.ts';
import type { Run } from './run.ts';

/** Declares `carbon whoami`: flags and help. The work is in `whoami`. */
export function addWhoami(program: Command, run: Run): Command {
  return program
    .command('whoami')
    .description('Show every setting in force and where it comes from, without a request')
    .action((_: unknown, command: Command) => run(command, ['human', 'json'], whoami));
}

interface Shown {
  readonly name: string;
  readonly value: string | undefined;
  readonly from: string | undefined;
}

async function whoami(session: Session): Promise<number> {
  const shown = session.flags.sandbox ? ofSandbox(session) : ofService(session);
  if (session.format === 'json') {
    const entries = shown.map(({ name, value, from }) => [
      name,
      { value: value ?? null, from: from ?? null },
    ]);
    session.printJson(JSON.stringify(Object.fromEntries(entries)));
    return 0;
  }
  const facts = shown.map(({ name, value = 'none', from }) => ({
    label: name.replaceAll('_', ' '),
    value: from === undefined ? value : `${value} (${from})`,
  }));
  session.print(await renderFacts(facts, session.view));
  return 0;
}

function ofService(session: Session): Shown[] {
  const { context } = session;
  const { profile, baseUrl, apiKey, keyOrigin, timeoutMs } = session.settings();
  const bound = keyOrigin === undefined ? '' : `, only for ${keyOrigin}`;
  const currency = readCurrency(session, undefined);
  return [
    { name: 'profile', ...profile },
    { name: 'base_url', value: baseUrl?.value, from: baseUrl?.from },
    { name: 'api_key', value: apiKey && `set, not shown${bound}`, from: apiKey?.from },
    { name: 'currency', value: currency, from: currency && 'CARBON_CURRENCY' },
    { name: 'http_timeout', value: `${timeoutMs.value / 1000} s`, from: timeoutMs.from },
    { name: 'configuration_file', value: configFile(context), from: undefined },
    { name: 'sandbox_folder', value: dataFolder(context), from: undefined },
  ];
}

function ofSandbox(session: Session): Shown[] {
  return [
    { name: 'base_url', value: 'the embedded sandbox', from: '--sandbox' },
    { name: 'api_key', value: 'a new one for each run', from: '--sandbox' },
    { name: 'sandbox_folder', value: dataFolder(session.context), from: undefined },
  ];
}
