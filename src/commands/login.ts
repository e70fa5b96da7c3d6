import type { Command } from 'commander';
import { singleTry } from '../api/retry.ts';
import { CarbonError, NotFoundError, UnauthorizedError, UsageError } from '../errors.ts';
import { changeProfiles, readProfiles } from '../profiles.ts';
import { readFirstLine } from '../session/first-line.ts';
import type { Session } from '../session/session.ts';
import { checkBaseUrl, checkKey, readGivenBaseUrl, readProfileName } from '../settings.ts';
import type { Run } from './run.ts';

interface LoginOptions {
  readonly withToken?: boolean;
}

/** Declares `carbon login`: flags and help. The work is in `login`. */
export function addLogin(program: Command, run: Run): Command {
  return program
    .command('login')
    .description('Store the address of the service and an API key for it')
    .option('--with-token', 'read the key from standard input instead of asking for it')
    .action((options: LoginOptions, command: Command) =>
      run(command, ['human', 'json'], (session) => login(session, options)),
    );
}

async function login(session: Session, options: LoginOptions): Promise<number> {
  const { context, flags, messages } = session;
  if (flags.sandbox)
    throw new UsageError('The sandbox needs no login', 'carbon register --sandbox --name "Acme AG"');
  const profile = readProfileName(context, flags).value;
  const baseUrl = await readBaseUrl(session);
  const apiKey = await readKey(session, options, baseUrl);
  messages.hide(apiKey);
  const checked = await check(session, { baseUrl, apiKey });
  const file = await changeProfiles(context, (profiles) => ({ ...profiles, [profile]: { baseUrl, apiKey } }));
  if (session.format === 'json')
    session.printJson(JSON.stringify({ profile, base_url: baseUrl, checked, file }));
  else session.print(`Logged in to ${baseUrl} as profile ${profile}. The key is in ${file}\n`);
  if (context.env['CARBON_API_KEY'])
    messages.warn('CARBON_API_KEY is set and is used instead of the stored key.');
  return 0;
}

async function readBaseUrl(session: Session): Promise<string> {
  const { context, flags } = session;
  const given = readGivenBaseUrl(context, flags);
  if (given !== undefined) return given.value;
  const stored = readProfiles(context, () => undefined)[readProfileName(context, flags).value];
  if (stored?.baseUrl !== undefined) return checkBaseUrl(stored.baseUrl, 'the stored profile');
  if (!context.stdin.isTTY) {
    throw new UsageError(
      'login needs the address of the service',
      'carbon login --base-url https://...',
      'no_base_url',
    );
  }
  return checkBaseUrl(await context.ask('Address of the service (https://...): ', false), 'Address');
}

async function readKey({ context }: Session, options: LoginOptions, baseUrl: string): Promise<string> {
  if (options.withToken) return checkKey(await readFirstLine(context), 'standard input');
  if (!context.stdin.isTTY) {
    throw new UsageError(
      'login asks for the key at a terminal, and standard input is none',
      'To pipe a key in: carbon login --with-token < file',
    );
  }
  return checkKey(await context.ask(`API key for ${baseUrl} (hidden): `, true), 'API key');
}

/* An organization with the id 0 is answered 404 by a service that accepts the key (sections 4.2 and 5). */
async function check(session: Session, access: { baseUrl: string; apiKey: string }): Promise<boolean> {
  const { client } = await session.connect({ retries: singleTry, access });
  try {
    await client.retrieve(0);
    return true;
  } catch (error) {
    if (!(error instanceof CarbonError) || error instanceof UnauthorizedError) throw error;
    if (error instanceof NotFoundError) return true;
    session.messages.warn(`The key could not be checked, but is stored: ${error.message}`);
    return false;
  }
}
