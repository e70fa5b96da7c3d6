/*
 * Where each setting comes from: flag, environment, profile, default, in this order. An empty
 * variable counts as unset. Nothing is read from disk when the environment names both key and base
 * URL.
 */
import { checkBaseUrl, checkKey, showBaseUrl } from '../api/credentials.ts';
import { HintedError, UsageError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { readDuration } from './duration.ts';
import { type Profile, readProfiles } from './profiles.ts';

/** A value and where it was found, such as `--base-url`, `CARBON_BASE_URL` or `profile acme`. */
export interface Sourced<Value> {
  readonly value: Value;
  readonly from: string;
}

/** Flags that decide settings. */
export interface SettingFlags {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** The settings of a run, each with its source. */
export interface Settings {
  readonly profile: Sourced<string>;
  readonly baseUrl: Sourced<string> | undefined;
  readonly apiKey: Sourced<string> | undefined;
  /** The base URL that the key was stored for, when it comes from a profile. */
  readonly keyOrigin: string | undefined;
  readonly timeoutMs: Sourced<number>;
}

type Find = (name: string) => Sourced<string> | undefined;

function inEnvironment({ env }: Context): Find {
  return (name) => (env[name] ? { value: env[name], from: name } : undefined);
}

function inFlag(name: string, value: string | undefined): Sourced<string> | undefined {
  return value === undefined ? undefined : { value, from: name };
}

/** The profile that a run uses, stored or not. */
export function readProfileName(context: Context, flags: SettingFlags): Sourced<string> {
  const profile = inFlag('--profile', flags.profile) ??
    inEnvironment(context)('CARBON_PROFILE') ?? { value: 'default', from: 'default' };
  checkProfileName(profile);
  return profile;
}

/** The base URL that flag or environment name. */
export function readGivenBaseUrl(
  context: Context,
  flags: SettingFlags,
): Sourced<string> | undefined {
  const given = inFlag('--base-url', flags.baseUrl) ?? inEnvironment(context)('CARBON_BASE_URL');
  return given && { ...given, value: checkBaseUrl(given.value, given.from) };
}

/** The longest time for one try of a request, in milliseconds. */
export function readTimeout(context: Context): Sourced<number> {
  const { value, from } = inEnvironment(context)('CARBON_HTTP_TIMEOUT') ?? {
    value: '30s',
    from: 'default',
  };
  return { value: checkTimeout(value), from };
}

/**
 * Finds out the settings of a run.
 * @param warn told of what is odd but no error
 * @throws UsageError for an unknown profile or a value that cannot be used
 */
export function readSettings(
  context: Context,
  flags: SettingFlags,
  warn: (text: string) => void,
): Settings {
  const profile = readProfileName(context, flags);
  const givenUrl = readGivenBaseUrl(context, flags);
  const givenKey = inEnvironment(context)('CARBON_API_KEY');
  // A profile that is asked for by its flag has to exist; one of the environment may be left over.
  const needless = profile.from !== '--profile' && givenUrl !== undefined && givenKey !== undefined;
  const stored = needless ? {} : readProfile(context, profile, warn);
  if (profile.from === '--profile')
    warnOfOverrides(profile.value, stored, givenUrl, givenKey, warn);
  const from = `profile ${profile.value}`;
  const baseUrl =
    givenUrl ?? (stored.baseUrl ? { value: checkBaseUrl(stored.baseUrl, from), from } : undefined);
  const apiKey = givenKey ?? (stored.apiKey ? { value: stored.apiKey, from } : undefined);
  return {
    profile,
    baseUrl,
    apiKey: apiKey && { ...apiKey, value: checkKey(apiKey.value, apiKey.from) },
    keyOrigin:
      givenKey || apiKey === undefined
        ? undefined
        : stored.baseUrl
          ? originOf(stored.baseUrl)
          : 'no address',
    timeoutMs: readTimeout(context),
  };
}

function originOf(stored: string): string {
  const shown = showBaseUrl(stored);
  return URL.canParse(shown) ? new URL(shown).origin : shown;
}

function readProfile(
  context: Context,
  profile: Sourced<string>,
  warn: (text: string) => void,
): Profile {
  const profiles = readProfiles(context, warn);
  const stored = Object.hasOwn(profiles, profile.value) ? profiles[profile.value] : undefined;
  if (stored !== undefined || profile.from === 'default') return stored ?? {};
  const known = Object.keys(profiles);
  throw new UsageError(
    `There is no profile ${profile.value} (${profile.from})`,
    known.length > 0
      ? `Stored profiles: ${known.join(', ')}. \`carbon login --profile ${profile.value}\` adds one.`
      : `\`carbon login --profile ${profile.value}\` adds it.`,
  );
}

function warnOfOverrides(
  name: string,
  stored: Profile,
  baseUrl: Sourced<string> | undefined,
  apiKey: Sourced<string> | undefined,
  warn: (text: string) => void,
): void {
  const over = [
    ...(stored.apiKey !== undefined && apiKey ? [apiKey.from] : []),
    ...(stored.baseUrl !== undefined && baseUrl?.from === 'CARBON_BASE_URL' ? [baseUrl.from] : []),
  ];
  if (over.length > 0)
    warn(`${over.join(' and ')} of the environment is used instead of that of profile ${name}.`);
}

function checkProfileName({ value, from }: Sourced<string>): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value) && value !== 'env') return;
  throw new UsageError(
    value === '' ? `${from} is empty` : `${from}: "${value}" cannot be the name of a profile`,
    'Names have letters, digits, dots, hyphens and underscores, and are not "env".',
  );
}

function checkTimeout(text: string): number {
  const ms = readDuration(text, 'CARBON_HTTP_TIMEOUT');
  if (ms > 0) return ms;
  throw new UsageError(
    'CARBON_HTTP_TIMEOUT must be longer than 0',
    'Durations are written like 30s or 2m.',
  );
}

/** The address and the key that requests use. */
export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * The address and key to use, when there are both and the key may go there.
 * @throws UsageError without a base URL, HintedError without a key for its origin
 */
export function requireAccess({ baseUrl, apiKey, keyOrigin, profile }: Settings): Access {
  if (baseUrl === undefined) {
    throw new UsageError(
      'No service is configured: there is no base URL',
      '`carbon login --base-url https://...` stores one with its key; --sandbox needs neither.',
      'no_base_url',
    );
  }
  if (apiKey === undefined) {
    throw new HintedError('no_key', `There is no API key for ${baseUrl.value}`, {
      hint: '`carbon login` stores one; in scripts, set CARBON_API_KEY. --sandbox needs none.',
    });
  }
  if (keyOrigin !== undefined && keyOrigin !== new URL(baseUrl.value).origin) {
    throw new HintedError(
      'no_key',
      `The key of profile ${profile.value} was stored for ${keyOrigin} and is not sent to ${baseUrl.value}`,
      {
        hint: 'Store a key for that address (`carbon login --base-url ...`), or set CARBON_API_KEY.',
      },
    );
  }
  return { baseUrl: baseUrl.value, apiKey: apiKey.value };
}
