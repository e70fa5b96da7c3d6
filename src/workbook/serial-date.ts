/*
 * Dates of workbooks are numbers of days (ECMA-376 part 1, 18.17.4). Day 60 of the 1900 epoch is
 * 1900-02-29, a day that never was: Lotus 1-2-3 had it, and so has Excel.
 */

/** What a number format shows of a number. */
export type DateKind = 'date' | 'date-time' | 'time' | 'duration';

const dayMs = 24 * 60 * 60 * 1000;
const secondsPerDay = 24 * 60 * 60;
const epoch1900 = Date.UTC(1899, 11, 30);
const epoch1904 = Date.UTC(1904, 0, 1);
/* 9999-12-31, the last date of Excel, counted from 1900. */
const maxSerial = 2_958_466;
const firstAfterLeapDay = 61;

/**
 * Formats a day number as `2026-01-31`, `2026-01-31T14:30:00` if it has a time that its format
 * shows, `14:30:00`, or `36:00:00` for a duration. Rounds to seconds.
 *
 * @param serial the number of days since the epoch
 * @param is1904 whether the workbook counts from 1904-01-01
 * @returns undefined for a number that is no date, which Excel shows as #####
 */
export function formatSerial(serial: number, kind: DateKind, is1904: boolean): string | undefined {
  if (!(serial >= 0)) return undefined;
  const seconds = Math.round(serial * secondsPerDay);
  const time = seconds % secondsPerDay;
  if (kind === 'duration') return formatTime(seconds);
  if (kind === 'time') return formatTime(time);
  const day = kind === 'date' ? Math.floor(serial) : Math.floor(seconds / secondsPerDay);
  const last = is1904 ? maxSerial - 1_462 : maxSerial;
  if (day >= last) return undefined;
  const date = is1904 ? isoDate(epoch1904 + day * dayMs) : date1900(day);
  return kind === 'date' || time === 0 ? date : `${date}T${formatTime(time)}`;
}

/** Converts a date in UTC to a day number since 1900, or undefined before 1900-03-01. */
export function serialOf(date: Date): number | undefined {
  const serial = (date.getTime() - epoch1900) / dayMs;
  return serial >= firstAfterLeapDay && serial < maxSerial ? serial : undefined;
}

function date1900(day: number): string {
  if (day === firstAfterLeapDay - 1) return '1900-02-29';
  return isoDate(epoch1900 + (day < firstAfterLeapDay ? day + 1 : day) * dayMs);
}

function isoDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function formatTime(seconds: number): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map(pad)
    .join(':');
}
