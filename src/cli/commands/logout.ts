import {
  changeProfiles,
  type Profiles,
  readProfiles,
  removeLeftovers,
} from '../../config/profiles.ts';
import { readProfileName } from '../../config/settings.ts';
import type { CommandDeclaration } from '../declaration.ts';
import type { Session } from '../session.ts';

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
    Object.fromEntries(Object.entries(profiles).filter(([name]) => name !== profile));
  if (known) await changeProfiles(context, remove, warn);
  removeLeftovers(context);
  if (session.format === 'json') session.printJson(JSON.stringify({ profile, removed: known }));
  else
    session.print(
      known
        ? `Removed profile ${profile} and its ${key}\n`
        : `No stored profile is named ${profile}\n`,
    );
  return 0;
}
