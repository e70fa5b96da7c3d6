/** The exit codes that a shell shows for runs that ended by a signal. */
export const signalExits = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * The exit code that a shell shows for a run that ended by a signal; 0 for any other reason to
 * stop, as of a closed output.
 */
export function exitOfSignal(name: string): number {
  return Object.entries(signalExits).find(([signal]) => signal === name)?.[1] ?? 0;
}

/**
 * The exit code of several items: 0 when all were done, the code that all failed items share, else
 * 9.
 * @param codes the exit code of each item
 */
export function combineExits(codes: Iterable<number>): number {
  const failures = new Set(codes);
  failures.delete(0);
  const [first = 0, second] = failures;
  return second === undefined ? first : 9;
}
