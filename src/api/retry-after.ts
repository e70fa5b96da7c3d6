/* What a number that is too large to be meant is read as (RFC 9111, section 1.2.2). */
const maxSeconds = 2 ** 31;

/**
 * Reads a Retry-After header: seconds or an HTTP date in one of the three forms (RFC 9110, sections
 * 5.6.7 and 10.2.3).
 * @param now wall time in milliseconds since 1970
 * @returns milliseconds to wait, 0 for a date in the past, undefined for anything that is neither
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), maxSeconds) * 1000;
  if (!/^[A-Z][a-z]+,? /.test(text)) return undefined;
  const moment = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}
