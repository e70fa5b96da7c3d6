/** Checks whether research with this status has ended: `synced` or `errored` (section 3). */
export function hasEnded(status: string | null | undefined): boolean {
  return status === 'synced' || status === 'errored';
}
