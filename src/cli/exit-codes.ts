/** Exit codes that a shell reports for signals: 128 plus the number of the signal. */
export const signalExits = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Returns the exit code that a shell reports for a signal; 0 for any other reason to stop, such as
 * a closed output.
 */
export function exitOfSignal(name: string): number {
  return Object.entries(signalExits).find(([signal]) => signal === name)?.[1] ?? 0;
}

/**
 * Combines the exit codes of several items: 0 if all succeeded, the code that all failed items
 * share, else 9.
 * @param codes the exit code of each item
 */
export function combineExits(codes: Iterable<number>): number {
  const failures = new Set(codes);
  failures.delete(0);
  const [first = 0, second] = failures;
  return second === undefined ? first : 9;
}
