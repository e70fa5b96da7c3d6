import { type Profiles, readProfiles } from '../../config/profiles.ts';
import { changeProfiles, hasLeftovers } from '../../config/profiles-write.ts';
import { readProfileName } from '../../config/settings.ts';
import type { CommandDeclaration } from '../declaration.ts';
import type { Session } from '../session.ts';

/** `carbon logout` */
export const logoutCommand: CommandDeclaration = {
  name: 'logout',
  group: 'Set up',
  summary: 'Remove a stored profile and its API key',
  examples: ['carbon logout', 'carbon logout --profile acme'],
  formats: ['human', 'json'],
  service: ['--profile'],
  run: logout,
};

async function logout(session: Session): Promise<number> {
  const { context, messages } = session;
  const profile = readProfileName(context, session.flags).value;
  const warn = (text: string) => messages.warn(text);
  const profiles = readProfiles(context, warn);
  const known = Object.hasOwn(profiles, profile);
  const key = profiles[profile]?.keyCommand === undefined ? 'API key' : 'key command';
  const remove = (profiles: Profiles) =>
    Object.hasOwn(profiles, profile)
      ? Object.fromEntries(Object.entries(profiles).filter(([name]) => name !== profile))
      : undefined;
  if (known || hasLeftovers(context)) await changeProfiles(context, remove, warn);
  if (session.format === 'json') session.printJson(JSON.stringify({ profile, removed: known }));
  else
    session.print(
      known
        ? `Removed profile ${profile} and its ${key}\n`
        : `No stored profile is named ${profile}\n`,
    );
  return 0;
}
