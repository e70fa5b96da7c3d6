/* Says after a dry run where a run would register, what that costs, and which command does it. */
import type { Session } from './session.ts';

/** Prints it for a person at a terminal; elsewhere, a dry run says the same with any account. */
export function printRegistering(session: Session): void {
  const { context, flags, messages } = session;
  if (!context.stderr.isTerminal || !messages.isForPeople) return;
  const without = ['--dry-run', '--json'];
  const baseUrl = flags.sandbox ? undefined : session.settings().baseUrl?.value;
  const where =
    baseUrl === undefined
      ? `${flags.sandbox ? '' : 'No service is set: carbon login sets one. '}To register in the sandbox`
      : `A registration at ${new URL(baseUrl).host} uses quota and can't be undone. To register`;
  const add = baseUrl === undefined && !flags.sandbox ? ['--sandbox'] : [];
  const commands = [session.again({ add, without })];
  messages.print({ level: 'progress', text: `${where}, run:`, commands });
}
