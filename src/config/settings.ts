/*
 * The settings of a run. Flags override environment variables, which override the stored profile.
 * An empty variable counts as unset. If the environment sets both key and base URL, no file is
 * read.
 */
import { checkBaseUrl, checkKey, showBaseUrl } from '../client/api/credentials.ts';
import { CarbonError, HintedError, UsageError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { command, type Hint, hint } from '../runtime/hint.ts';
import { loadProfileReader, type Profile, type ReadFile, readProfiles } from './profiles.ts';

/** A value with its source, such as `--base-url`, `CARBON_BASE_URL` or `profile acme`. */
export interface Sourced<Value> {
  readonly value: Value;
  readonly from: string;
}

export interface SettingFlags {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** Where the API key comes from; `value` is the key, the path of a file, or a command. */
export interface KeySource extends Sourced<string> {
  readonly kind: 'key' | 'file' | 'command';
  /** Whether the profile contains it. */
  readonly isStored: boolean;
}

export interface Settings {
  readonly profile: Sourced<string>;
  readonly baseUrl: Sourced<string> | undefined;
  readonly apiKey: KeySource | undefined;
  /** Origin that the key was stored for; undefined if the key does not come from a profile. */
  readonly keyOrigin: string | undefined;
  readonly timeoutMs: Sourced<number>;
}

function fromEnvironment({ env }: Context, from: string): Sourced<string> | undefined {
  const value = env[from];
  return value ? { value, from } : undefined;
}

/** Returns the name of the profile that a run uses, whether it is stored or not. */
export function readProfileName(context: Context, flags: SettingFlags): Sourced<string> {
  const profile = flags.profile
    ? { value: flags.profile, from: '--profile' }
    : (fromEnvironment(context, 'CARBON_PROFILE') ?? { value: 'default', from: 'default' });
  const { value, from } = profile;
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value) && value !== 'env') return profile;
  throw new UsageError(
    `${from}: "${value}" is not a valid profile name`,
    'Use letters, digits, dots, hyphens and underscores; start with a letter or digit. "env" is reserved.',
  );
}

export function readGivenBaseUrl(
  context: Context,
  flags: SettingFlags,
): Sourced<string> | undefined {
  const baseUrl = flags.baseUrl
    ? { value: flags.baseUrl, from: '--base-url' }
    : fromEnvironment(context, 'CARBON_BASE_URL');
  return baseUrl && { ...baseUrl, value: checkBaseUrl(baseUrl.value, baseUrl.from) };
}

/** Returns the maximum time for one attempt of a request, in milliseconds. */
export function readTimeout(context: Context): Sourced<number> {
  const given = fromEnvironment(context, 'CARBON_HTTP_TIMEOUT');
  if (given === undefined) return { value: 30_000, from: 'default' };
  const value = readDuration(given.value, given.from);
  if (value > 0) return { value, from: given.from };
  throw new UsageError(`${given.from} must be greater than 0`);
}

/** Loads what reads the stored profiles, if a run with these options needs them. */
export async function loadStored(
  context: Context,
  { profile, baseUrl }: SettingFlags,
): Promise<ReadFile | undefined> {
  const isGiven = (name: string) => fromEnvironment(context, name) !== undefined;
  const hasUrl = baseUrl !== undefined || isGiven('CARBON_BASE_URL');
  const hasKey = Object.keys(keyVariables).some(isGiven);
  return profile === undefined && hasUrl && hasKey ? undefined : loadProfileReader(context);
}

/**
 * Reads the settings of a run.
 * @param warn called for file modes and settings that are probably mistakes
 * @param read what `loadStored` returns
 * @throws UsageError for an unknown profile or an invalid value
 */
export function readSettings(
  context: Context,
  flags: SettingFlags,
  warn: (text: string) => void,
  read: ReadFile | undefined,
): Settings {
  const profile = readProfileName(context, flags);
  const givenUrl = readGivenBaseUrl(context, flags);
  const givenKey = readGivenKey(context);
  // The profile of a flag must exist; the one of a variable may be left over from another service.
  const isNamed = profile.from === '--profile';
  const isNeeded = isNamed || givenUrl === undefined || givenKey === undefined;
  const stored = isNeeded ? readProfile(context, profile, warn, read) : {};
  const from = `profile ${profile.value}`;
  const ofProfile = storedKey(stored, from);
  const overrides = [ofProfile && givenKey?.from, stored.baseUrl && givenUrl?.from].filter((name) =>
    name?.startsWith('CARBON_'),
  );
  if (isNamed && overrides.length > 0)
    warn(`${overrides.join(' and ')} in the environment overrides ${from}.`);
  let apiKey = givenKey ?? ofProfile;
  if (apiKey?.kind === 'key') apiKey = { ...apiKey, value: checkKey(apiKey.value, apiKey.from) };
  return {
    profile,
    baseUrl:
      givenUrl ??
      (stored.baseUrl ? { value: checkBaseUrl(stored.baseUrl, from), from } : undefined),
    apiKey,
    keyOrigin: apiKey?.isStored ? originOf(stored) : undefined,
    timeoutMs: readTimeout(context),
  };
}

const keyVariables = {
  CARBON_API_KEY: 'key',
  CARBON_API_KEY_FILE: 'file',
  CARBON_API_KEY_COMMAND: 'command',
} as const;

/** Returns the sources of a key that the environment names; more than one is an error. */
export function readGivenKeys(context: Context): readonly KeySource[] {
  return Object.entries(keyVariables).flatMap(([name, kind]) => {
    const set = fromEnvironment(context, name);
    return set === undefined ? [] : [{ ...set, kind, isStored: false }];
  });
}

/* Rejects several sources, because one may be left over. */
function readGivenKey(context: Context): KeySource | undefined {
  const [given, ...others] = readGivenKeys(context);
  if (given === undefined || others.length === 0) return given;
  const names = [given, ...others].map(({ from }) => from).join(', ');
  throw new UsageError(`Several variables set the API key: ${names}`, 'Unset all but one of them.');
}

function storedKey({ apiKey, keyCommand }: Profile, from: string): KeySource | undefined {
  if (keyCommand) return { value: keyCommand, from, kind: 'command', isStored: true };
  return apiKey ? { value: apiKey, from, kind: 'key', isStored: true } : undefined;
}

function originOf({ baseUrl }: Profile): string {
  if (!baseUrl) return 'no address';
  const shown = showBaseUrl(baseUrl);
  return URL.canParse(shown) ? new URL(shown).origin : shown;
}

function readProfile(
  context: Context,
  profile: Sourced<string>,
  warn: (text: string) => void,
  read: ReadFile | undefined,
): Profile {
  const profiles = readProfiles(context, warn, read);
  const stored = Object.hasOwn(profiles, profile.value) ? profiles[profile.value] : undefined;
  if (stored !== undefined || profile.from === 'default') return stored ?? {};
  const known = Object.keys(profiles).join(', ') || 'none';
  throw new UsageError(
    `No profile named ${profile.value} is stored (${profile.from})`,
    hint`Stored profiles: ${known}. To add one, run ${command`login --profile ${profile.value}`}.`,
  );
}

export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
}

interface AccessSource {
  readonly baseUrl: string;
  readonly key: KeySource;
}

/** Returns the base URL and the source of its key; throws the error for a missing one. */
export function requireAccess(settings: Settings): AccessSource {
  const access = findAccess(settings);
  if (access instanceof CarbonError) throw access;
  return access;
}

/** Returns the same, or the error for a missing one. */
export function findAccess({
  baseUrl,
  apiKey,
  keyOrigin,
  profile,
}: Settings): AccessSource | CarbonError {
  if (baseUrl === undefined) {
    return new UsageError(
      'No service is configured: there is no base URL',
      hint`Run ${command`login --base-url https://...`} to store a base URL and its API key, or use --sandbox, which needs neither.`,
      'no_base_url',
    );
  }
  const refuse = (problem: string, remedy: Hint) =>
    new HintedError('no_key', problem, { hint: remedy });
  if (apiKey === undefined)
    return refuse(
      `There is no API key for ${baseUrl.value}`,
      hint`Run ${command`login`} to store one. In scripts, set CARBON_API_KEY or CARBON_API_KEY_FILE. --sandbox needs no key.`,
    );
  if (keyOrigin !== undefined && keyOrigin !== new URL(baseUrl.value).origin)
    return refuse(
      `The key of profile ${profile.value} was stored for ${keyOrigin} and is not sent to ${baseUrl.value}`,
      hint`Store a key for that base URL with ${command`login --base-url ...`}, or set CARBON_API_KEY.`,
    );
  return { baseUrl: baseUrl.value, key: apiKey };
}

const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Parses a duration such as `500ms`, `30s`, `10m`, `1h30m`, `2d` or `0` to milliseconds.
 * @param where source of the value for the error, such as `--timeout`
 */
export function readDuration(text: string, where: string): number {
  if (text === '0') return 0;
  if (/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) {
    const parts = [...text.matchAll(/([\d.]+)(\D+)/g)].map(
      ([, amount, unit = '']) => Number(amount) * (unitsMs[unit] ?? 0),
    );
    const ms = parts.reduce((sum, part) => sum + part);
    if (Number.isFinite(ms)) return ms;
  }
  throw new UsageError(
    `${where}: "${text}" is not a duration`,
    'Write a duration such as 30s, 10m, 1h or 7d.',
  );
}
