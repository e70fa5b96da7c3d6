import type { Command } from 'commander';
import type { Format } from './output-format.ts';
import type { Session } from './session.ts';

/**
 * Runs a command in a session and records its exit code.
 * @param formats the output formats that the command supports; any other is a usage error
 */
export type Run = (
  command: Command,
  formats: readonly Format[],
  work: (session: Session) => Promise<number>,
) => Promise<void>;

/** Every output format. */
export const everyFormat: readonly Format[] = ['human', 'json', 'csv', 'ids'];
