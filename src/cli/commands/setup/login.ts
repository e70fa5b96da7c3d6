import { buffer } from 'node:stream/consumers';
import { checkBaseUrl, checkKey } from '../../../client/api/credentials.ts';
import { NotFoundError } from '../../../client/api/errors.ts';
import { createRedactor } from '../../../client/api/redact.ts';
import { readRegistration } from '../../../client/api/responses.ts';
import {
  changeProfile,
  loadProfileReader,
  type Profile,
  readProfiles,
} from '../../../config/profiles.ts';
import { keyLines } from '../../../config/read-key.ts';
import {
  type Access,
  readGivenBaseUrl,
  readGivenKeys,
  readProfileName,
} from '../../../config/settings.ts';
import { sanitize } from '../../../display/terminal/sanitize.ts';
import {
  CarbonError,
  HintedError,
  invalidInput,
  UsageError,
} from '../../../runtime/carbon-error.ts';
import type { Context } from '../../../runtime/context.ts';
import { command, hint, hintText } from '../../../runtime/hint.ts';
import { hintOf } from '../../errors.ts';
import {
  type CommandDeclaration,
  type OptionGroups,
  type OptionValues,
  serviceOptions,
} from '../../options.ts';
import { show } from '../../output/show.ts';
import type { Session } from '../../session.ts';

const options = {
  Options: [
    {
      flags: '--with-key',
      description: 'read the API key from standard input instead of prompting for it',
    },
    {
      flags: '--key-command <command>',
      description:
        'store a command that prints the API key, such as "pass show carbon", instead of the key',
    },
  ],
} as const satisfies OptionGroups;

const howItWorks = `
carbon asks for the key, checks it with one request, and stores it in a file
that only you can read. For another account, add --profile <name>.

Exit codes: 0 stored (with a warning if the key could not be checked), 1 or 2
not stored, 4 no key, or the service rejected it.
More: docs/keys.md (carbon help docs)`;

type LoginOptions = OptionValues<typeof options>;

export const loginCommand: CommandDeclaration<typeof options> = {
  name: 'login',
  group: 'Set up',
  summary: 'Store the base URL of a service and an API key for it',
  options,
  examples: [
    'carbon login --base-url https://api.example.com',
    'carbon login --profile acme --with-key < key.txt',
    'carbon login --key-command "pass show carbon"',
  ],
  notes: howItWorks,
  formats: ['human', 'json'],
  document: {
    'profile, base_url': 'the stored profile, and the service of its key',
    checked: 'whether the service accepted the key',
    file: 'path of the configuration file',
    key_command: 'the command that prints the key, if one was given',
  },
  service: serviceOptions,
  explains: ['--sandbox'],
  run: (session, _, options) => login(session, options),
};

async function login(session: Session, options: LoginOptions): Promise<number> {
  const { context, flags, messages } = session;
  if (flags.sandbox)
    throw new UsageError(
      'The sandbox needs no login',
      hint`Run ${command`register --sandbox --name "Acme AG"`}.`,
    );
  const { withKey, keyCommand } = options;
  if (withKey && keyCommand !== undefined)
    throw new UsageError('--with-key and --key-command cannot be combined');
  const profile = readProfileName(context, flags).value;
  const baseUrl = await readBaseUrl(session);
  const readKey = () => (withKey ? pipedKey(context) : typedKey(session, baseUrl));
  const apiKey = await (keyCommand === undefined ? readKey() : printedKey(session, keyCommand));
  messages.hide(apiKey);
  const failure = await check(session, profile, { baseUrl, apiKey });
  const key = keyCommand === undefined ? { apiKey } : { keyCommand };
  const warn = (text: string) => messages.warn(text);
  const { file } = await changeProfile(context, profile, { baseUrl, ...key }, warn);
  const checked = failure === undefined;
  if (!checked) {
    const remedy = hintText(hintOf(failure) ?? '');
    warn(`Stored the API key, but could not check it: ${failure.message}. ${remedy}`);
  }
  const stored = { profile, base_url: baseUrl, checked, file, key_command: keyCommand };
  const done = checked ? 'Logged in to' : 'Stored, but not checked:';
  const text = `${done} ${baseUrl} as profile ${profile}. The ${whatOf(key)} is in ${sanitize(file)}\n`;
  await show(session, { document: stored, text });
  for (const { from } of readGivenKeys(context))
    warn(`${from} is set and overrides the stored ${whatOf(key)}.`);
  return 0;
}

function whatOf({ keyCommand }: Profile): string {
  return keyCommand === undefined ? 'API key' : 'key command';
}

async function printedKey(session: Session, keyCommand: string): Promise<string> {
  const from = '--key-command';
  const source = { value: keyCommand, from, kind: 'command', isStored: false } as const;
  const key = await session.readKey(source);
  if (createRedactor(key)(keyCommand) === keyCommand) return key;
  throw new UsageError(
    `${from}: the command contains the API key that it prints; nothing was stored`,
    hint`Use a command that reads the key from a password store, or store the key with ${command`login --with-key`}.`,
  );
}

async function readBaseUrl(session: Session): Promise<string> {
  const { context, flags } = session;
  const given = readGivenBaseUrl(context, flags);
  if (given !== undefined) return given.value;
  const profiles = readProfiles(context, () => undefined, await loadProfileReader(context));
  const stored = profiles[readProfileName(context, flags).value];
  if (stored?.baseUrl !== undefined) return checkBaseUrl(stored.baseUrl, 'the stored profile');
  if (!context.stdin.isTTY)
    throw new UsageError(
      'carbon login needs the base URL of the service',
      hint`Run ${command`login --base-url https://...`}.`,
      'no_base_url',
    );
  const typed = await readTyped(session, 'Base URL of the service (https://...)', false);
  return checkBaseUrl(typed, 'Base URL');
}

async function typedKey(session: Session, baseUrl: string): Promise<string> {
  const { context } = session;
  if (!context.stdin.isTTY)
    throw new UsageError(
      'carbon login cannot prompt for the API key: standard input is not a terminal',
      'To read the key from a file: carbon login --with-key < file. To store a command: --key-command.',
    );
  return checkKey(await readTyped(session, `API key for ${baseUrl}`, true), 'API key');
}

/* Returns an empty text if the user leaves the question. */
async function readTyped(
  { context, messages: { hasColor } }: Session,
  question: string,
  isSecret: boolean,
): Promise<string> {
  const { readLine } = await import('../../prompter.ts');
  return (await readLine({ context, hasColor }, question, isSecret)) ?? '';
}

async function pipedKey({ stdin }: Context): Promise<string> {
  const [line = '', ...others] = keyLines(await buffer(stdin));
  if (others.length === 0) return checkKey(line, 'standard input');
  throw invalidInput(
    `Standard input has ${others.length + 1} lines, but an API key is one line; nothing was stored`,
    'Pipe only the key: printf %s "$KEY" | carbon login --with-key',
  );
}

/*
 * Returns why the key could not be checked; undefined if the service accepts it. A service that
 * accepts the key responds to a request for organization 0 with its record or with the 404 of
 * section 4.2, which contains the id. Anything else may come from a server that read no key. A 402
 * concerns the account: the key may be valid.
 */
async function check(
  session: Session,
  profile: string,
  access: Access,
): Promise<CarbonError | undefined> {
  const { client } = await session.connect({ attempts: 1, access });
  try {
    await client.retrieve(0, {}, undefined, readRegistration);
    return undefined;
  } catch (error) {
    if (!(error instanceof CarbonError)) throw error;
    const { code, message, status, title, detail } = error;
    if (code !== 'unauthorized') return error instanceof NotFoundError ? undefined : error;
    const remedy = `Nothing was stored; profile ${profile} is unchanged. Copy the whole key again, and check that it is for ${access.baseUrl}.`;
    throw new HintedError(code, message, { status, title, detail, hint: remedy });
  }
}

export const logoutCommand: CommandDeclaration = {
  name: 'logout',
  group: 'Set up',
  summary: 'Remove a stored profile and its API key',
  examples: ['carbon logout', 'carbon logout --profile acme'],
  formats: ['human', 'json'],
  document: { profile: 'name of the profile', removed: 'whether it was stored' },
  service: ['--profile'],
  run: logout,
};

async function logout(session: Session): Promise<number> {
  const { context, flags, messages } = session;
  const profile = readProfileName(context, flags).value;
  const warn = (text: string) => messages.warn(text);
  const { replaced } = await changeProfile(context, profile, undefined, warn);
  const removed = replaced !== undefined;
  const text = removed
    ? `Removed profile ${profile} and its ${whatOf(replaced)}\n`
    : `No stored profile is named ${profile}\n`;
  await show(session, { document: { profile, removed }, text });
  return 0;
}
