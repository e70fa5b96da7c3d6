/*
 * Says where a list is registered if a run has no access to that service. Nothing else could use
 * its registrations, least of all the sandbox.
 */
import type { Sourced } from '../../../../config/settings.ts';
import { plural } from '../../../../display/terminal/format.ts';
import type { ListInput } from '../../../../lists/batch/batch.ts';
import { type JournalHeader, readJournalIds } from '../../../../lists/kept/journal.ts';
import { countRegistered } from '../../../../lists/kept/listing.ts';
import { findJournals, stdinList } from '../../../../lists/kept/paths.ts';
import { type Choices, HintedError } from '../../../../runtime/carbon-error.ts';
import { type Hint, hint } from '../../../../runtime/hint.ts';
import type { Session } from '../../../session.ts';

interface Registration extends Pick<JournalHeader, 'service' | 'profile'> {
  readonly organizations: number;
}

/**
 * Finds the service that a list is registered at, other than the sandbox.
 * @throws as `readJournalIds` does
 */
export async function findRegistration(
  { path, file }: ListInput,
  keep: string | undefined,
): Promise<Registration | undefined> {
  const list = file === undefined ? path : stdinList;
  const files = findJournals(list, { keep }).map((each) => ({ path: each, of: 'none' }) as const);
  const journals = await readJournalIds(list, { keeping: { keep }, journals: files });
  const { service, profile } = journals?.current ?? {};
  if (journals === undefined || service === undefined || profile === undefined) return undefined;
  if (service === 'sandbox') return undefined;
  return { service, profile, organizations: countRegistered(journals.rows) };
}

/** Returns the error of a run without access to the service of its list, and the way to it. */
export function registeredElsewhere(
  session: Session,
  { name }: ListInput,
  { service, profile, organizations }: Registration,
  code: 'no_base_url' | 'no_key',
): HintedError {
  const used = session.settings().baseUrl;
  const isOther = used !== undefined && used.value !== service;
  const way =
    isOther && !used.from.startsWith('profile ')
      ? withoutOther(used)
      : wayTo(session, service, profile);
  const { problem, hint: remedy, choice, code: own = code } = way;
  const where = `${name} is registered at ${service} (${plural(organizations, 'organization')})`;
  const choices =
    choice && (() => ({ question: 'How should this run use it?', options: [choice] }));
  return new HintedError(own, `${where}, but ${problem}`, { hint: remedy, choices });
}

interface Way {
  readonly problem: string;
  /** By default, that of a run without a service or key. */
  readonly code?: 'no_key';
  readonly hint: Hint;
  readonly choice?: Choices['options'][number];
}

function withoutOther({ value, from }: Sourced<string>): Way {
  const problem = `this run uses ${value} (${from})`;
  return from === '--base-url'
    ? { problem, hint: 'Run the command without --base-url.' }
    : { problem, hint: `Unset ${from}.` };
}

const withoutKey = { problem: 'no API key is configured for it', code: 'no_key' } as const;

/* A journal belongs to one profile: with another one, a run would stop. */
function wayTo(session: Session, service: string, profile: string): Way {
  if (profile === 'env') {
    const variables = `CARBON_BASE_URL=${service} and CARBON_API_KEY_FILE (a file with the key)`;
    return {
      ...withoutKey,
      hint: `Set ${variables}: the list belongs to these variables, not to a profile of carbon login.`,
    };
  }
  if (session.serviceOfProfile(profile) === service) {
    const change = { add: ['--profile', profile], without: ['--profile', '--base-url'] };
    return {
      problem: `its API key is in profile ${profile}`,
      hint: `Run: ${session.again(change)}`,
      choice: { label: `With profile ${profile}`, ...change },
    };
  }
  const named = profile === session.settings().profile.value ? [] : ['--profile', profile];
  const words = ['login', '--base-url', service, ...named];
  return {
    ...withoutKey,
    hint: hint`Run ${{ words: words.map((word) => session.quote(word)) }} to store one.`,
    choice: { label: 'Log in there', advice: session.quote('carbon', ...words) },
  };
}
