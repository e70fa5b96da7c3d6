import type { Command } from 'commander';
import type { Format, Session } from './session.ts';

/**
 * Runs the work of a command in a session of its own and keeps its exit code.
 * @param formats the forms of output that mean something here; any other is a usage error
 */
export type Run = (
  command: Command,
  formats: readonly Format[],
  work: (session: Session) => Promise<number>,
) => Promise<void>;

/** Every form of output. */
export const everyFormat: readonly Format[] = ['human', 'json', 'csv', 'ids'];
