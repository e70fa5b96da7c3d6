const days = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/**
 * Renders the day of an ISO 8601 date or time as people write it, such as `3 Mar 2025`; else the
 * text as it is.
 */
export function dateText(text: string | null | undefined): string | undefined {
  const day = /^[1-9]\d{3}-\d\d-\d\d(?![^T ])/.exec(text ?? '')?.[0];
  if (day === undefined) return text ?? undefined;
  const date = new Date(`${day}T00:00:00Z`);
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
  return exists ? days.format(date) : (text ?? undefined);
}
