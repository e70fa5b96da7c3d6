/**
 * Returns a name for a sheet that no other one has. Excel shows names as they are, and rejects
 * equal ones.
 * @param taken names of the other sheets, which Excel compares without case
 */
export function freeName(wanted: string, taken: readonly string[]): string {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!used.has(name.toLowerCase())) return name;
  }
}
