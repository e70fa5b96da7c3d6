import type { Command } from 'commander';
import { type Profiles, readProfiles } from '../../../config/profiles.ts';
import { changeProfiles, hasLeftovers } from '../../../config/profiles-write.ts';
import { readProfileName } from '../../../config/settings.ts';
import type { Run, Session } from '../../session.ts';

/** Declares `carbon logout`: options and help. The work is in `logout`. */
export function addLogout(program: Command, run: Run): Command {
  return program
    .command('logout')
    .description('Remove a stored profile and its API key')
    .action((_: unknown, command: Command) => run(command, ['human', 'json'], logout));
}

async function logout(session: Session): Promise<number> {
  const { context, messages } = session;
  const profile = readProfileName(context, session.flags).value;
  const warn = (text: string) => messages.warn(text);
  const profiles = readProfiles(context, warn);
  const known = Object.hasOwn(profiles, profile);
  const key = known && profiles[profile]?.keyCommand !== undefined ? 'key command' : 'API key';
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
