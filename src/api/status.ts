/** Whether research on an organization with this status has ended (section 3, rule 1). */
export function hasEnded(status: string | null | undefined): boolean {
  return status === 'synced' || status === 'errored';
}
