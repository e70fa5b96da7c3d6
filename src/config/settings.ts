/*
 * Reads the settings of a run. Flags override environment variables, which override the stored
 * profile. An empty variable counts as unset. If the environment sets both key and base URL, no
 * file is read.
 */
import { checkBaseUrl, checkKey, showBaseUrl } from '../api/credentials.ts';
import { HintedError, UsageError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { readDuration } from './duration.ts';
import { type Profile, readProfiles } from './profiles.ts';

/** Pairs a value with its source, such as `--base-url`, `CARBON_BASE_URL` or `profile acme`. */
export interface Sourced<Value> {
  readonly value: Value;
  readonly from: string;
}

/** Flags that override settings. */
export interface SettingFlags {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** Contains the settings of a run, each with its source. */
export interface Settings {
  readonly profile: Sourced<string>;
  readonly baseUrl: Sourced<string> | undefined;
  readonly apiKey: Sourced<string> | undefined;
  /** Origin that the key was stored for; undefined if the key does not come from a profile. */
  readonly keyOrigin: string | undefined;
  readonly timeoutMs: Sourced<number>;
}

type Lookup = (name: string) => Sourced<string> | undefined;

function inEnvironment({ env }: Context): Lookup {
  return (name) => (env[name] ? { value: env[name], from: name } : undefined);
}

function inFlag(name: string, value: string | undefined): Sourced<string> | undefined {
  return value === undefined ? undefined : { value, from: name };
}

/** Returns the name of the profile that a run uses, whether it is stored or not. */
export function readProfileName(context: Context, flags: SettingFlags): Sourced<string> {
  const profile = inFlag('--profile', flags.profile) ??
    inEnvironment(context)('CARBON_PROFILE') ?? { value: 'default', from: 'default' };
  checkProfileName(profile);
  return profile;
}

/** Returns the base URL of the flag or the environment. */
export function readGivenBaseUrl(
  context: Context,
  flags: SettingFlags,
): Sourced<string> | undefined {
  const baseUrl = inFlag('--base-url', flags.baseUrl) ?? inEnvironment(context)('CARBON_BASE_URL');
  return baseUrl && { ...baseUrl, value: checkBaseUrl(baseUrl.value, baseUrl.from) };
}

/** Returns the maximum time for one attempt of a request, in milliseconds. */
export function readTimeout(context: Context): Sourced<number> {
  const { value, from } = inEnvironment(context)('CARBON_HTTP_TIMEOUT') ?? {
    value: '30s',
    from: 'default',
  };
  return { value: checkTimeout(value), from };
}

/**
 * Reads the settings of a run.
 * @param warn called for file modes and settings that are probably mistakes
 * @throws UsageError for an unknown profile or an invalid value
 */
export function readSettings(
  context: Context,
  flags: SettingFlags,
  warn: (text: string) => void,
): Settings {
  const profile = readProfileName(context, flags);
  const givenUrl = readGivenBaseUrl(context, flags);
  const givenKey = inEnvironment(context)('CARBON_API_KEY');
  // The profile of a flag must exist; the one of a variable may be left over from another service.
  const isUnneeded =
    profile.from !== '--profile' && givenUrl !== undefined && givenKey !== undefined;
  const stored = isUnneeded ? {} : readProfile(context, profile, warn);
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
      ? `Stored profiles: ${known.join(', ')}. To add one, run \`carbon login --profile ${profile.value}\`.`
      : `To add it, run \`carbon login --profile ${profile.value}\`.`,
  );
}

function warnOfOverrides(
  name: string,
  stored: Profile,
  baseUrl: Sourced<string> | undefined,
  apiKey: Sourced<string> | undefined,
  warn: (text: string) => void,
): void {
  const overrides = [
    ...(stored.apiKey !== undefined && apiKey ? [apiKey.from] : []),
    ...(stored.baseUrl !== undefined && baseUrl?.from === 'CARBON_BASE_URL' ? [baseUrl.from] : []),
  ];
  if (overrides.length > 0)
    warn(`${overrides.join(' and ')} in the environment overrides profile ${name}.`);
}

function checkProfileName({ value, from }: Sourced<string>): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value) && value !== 'env') return;
  throw new UsageError(
    value === '' ? `${from} is empty` : `${from}: "${value}" is not a valid profile name`,
    'Use letters, digits, dots, hyphens and underscores; start with a letter or digit. "env" is reserved.',
  );
}

function checkTimeout(text: string): number {
  const ms = readDuration(text, 'CARBON_HTTP_TIMEOUT');
  if (ms > 0) return ms;
  throw new UsageError(
    'CARBON_HTTP_TIMEOUT must be longer than 0',
    'Write a duration such as 30s or 2m.',
  );
}

/** Contains the base URL and the key of all requests. */
export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * Returns the base URL and the key if both are set and the key belongs to that origin.
 * @throws UsageError without a base URL
 * @throws HintedError without a key for its origin
 */
export function requireAccess({ baseUrl, apiKey, keyOrigin, profile }: Settings): Access {
  if (baseUrl === undefined) {
    throw new UsageError(
      'No service is configured: there is no base URL',
      'Run `carbon login --base-url https://...` to store one with its key, or use --sandbox, which needs neither.',
      'no_base_url',
    );
  }
  if (apiKey === undefined) {
    throw new HintedError('no_key', `There is no API key for ${baseUrl.value}`, {
      hint: 'Run `carbon login` to store one. In scripts, set CARBON_API_KEY. --sandbox needs no key.',
    });
  }
  if (keyOrigin !== undefined && keyOrigin !== new URL(baseUrl.value).origin) {
    throw new HintedError(
      'no_key',
      `The key of profile ${profile.value} was stored for ${keyOrigin} and is not sent to ${baseUrl.value}`,
      {
        hint: 'Store a key for that address with `carbon login --base-url ...`, or set CARBON_API_KEY.',
      },
    );
  }
  return { baseUrl: baseUrl.value, apiKey: apiKey.value };
}
