/* Of when a result is: the days of its records, the day of --at, and the time of writing. */
import { dateText } from '../../display/terminal/format.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import { type Clock, dayAt } from '../../runtime/clock.ts';

export interface ResultDates {
  /** Days of the first and the last retrieval, `YYYY-MM-DD` in UTC; null if no time is known. */
  readonly records_from: string | null;
  readonly records_to: string | null;
  /** The day of --at, `YYYY-MM-DD`; null for the latest records. */
  readonly as_of: string | null;
  /** ISO 8601. */
  readonly written_at: string;
}

/**
 * @param retrievals the times of retrieval, ISO 8601, as far as known
 * @param now milliseconds since 1970
 */
export function datesOf(
  retrievals: Iterable<string | null | undefined>,
  now: number,
  at?: string,
): ResultDates {
  let from: string | undefined;
  let to: string | undefined;
  for (const time of retrievals) {
    if (!time) continue;
    // Comparing takes a fifth of the time of matching, and few of 100,000 times are outside.
    if (from !== undefined && to !== undefined && time >= from && time <= to) continue;
    if (!/^\d{4}-\d\d-\d\d/.test(time)) continue;
    if (from === undefined || time < from) from = time;
    if (to === undefined || time > to) to = time;
  }
  const [records_from = null, records_to = null] = [from, to].map((time) => time?.slice(0, 10));
  const written_at = new Date(now).toISOString();
  return { records_from, records_to, as_of: at ?? null, written_at };
}

/* The last time zone begins a day so long before UTC. */
const firstZone = 14 * 3_600_000;

/**
 * Rejects a day that has not begun anywhere, whose records nobody can have.
 * @param day `YYYY-MM-DD`
 * @throws UsageError
 */
export function checkPast(
  clock: Pick<Clock, 'now'>,
  option: '--at' | '--since',
  day: string | undefined,
): void {
  const latest = dayAt(clock.now() + firstZone);
  if (day !== undefined && day > latest)
    throw new UsageError(`${option}: ${day} is in the future`, 'Use today or an earlier day.');
}

/**
 * Checks the days of a result that may say what changed since an earlier one: nothing changes
 * between a day and the same or an earlier one.
 * @throws UsageError
 */
export function checkDays(
  clock: Pick<Clock, 'now'>,
  { at, since }: { readonly at?: string | undefined; readonly since?: string | undefined },
): void {
  checkPast(clock, '--at', at);
  checkPast(clock, '--since', since);
  const today = at ?? dayAt(clock.now());
  if (since === undefined || since < today) return;
  throw new UsageError(
    `--since ${since} is not before ${at === undefined ? 'today' : `--at ${at}`}`,
    'Choose an earlier day.',
  );
}

/** Says from when the records are: "records retrieved 1 Oct to 27 Nov 2026". */
export function recordDays({
  records_from: from,
  records_to: to,
}: Pick<ResultDates, 'records_from' | 'records_to'>): string {
  const days = daysInWords(from, to);
  return days === undefined ? 'records without dates' : `records retrieved ${days}`;
}

/**
 * Says which records a comparison since a day begins with: the latest ones at its end, which may be
 * of earlier days.
 * @param day `YYYY-MM-DD`
 */
export function recordsThen(day: string, then: ResultDates): string {
  const isOfDay = then.records_from === day && then.records_to === day;
  const latest = isOfDay ? '' : latestAt(day);
  return `Compared with ${recordDays(then)}${latest}`;
}

function latestAt(day: string): string {
  return `, the latest at the end of ${dateText(day)}`;
}

/** Writes two days, `YYYY-MM-DD`, as "1 Oct to 27 Nov 2026"; equal ones are one. */
export function daysInWords(from: string | null, to: string | null): string | undefined {
  const [first, last] = [dateText(from), dateText(to)];
  if (first === undefined || last === undefined || first === last) return first && last;
  const isSameYear = first.slice(-4) === last.slice(-4);
  return `${isSameYear ? first.slice(0, -5) : first} to ${last}`;
}

/** Says when SBTi was looked up, from two days; undefined if no day is known. */
export function lookupsInWords(from: string | null, to: string | null): string | undefined {
  const days = daysInWords(from, to);
  return days && `targets last looked up at SBTi ${from === to ? 'on ' : ''}${days}`;
}

/** Says of when a result is, in words for one line. */
export function datesInWords(dates: ResultDates): readonly string[] {
  return [recordDays(dates), ...(dates.as_of === null ? [] : [`as of ${dateText(dates.as_of)}`])];
}

/** Says from when the records are, and on which day they were the latest; undefined if unknown. */
export function recordDaysAt(dates: ResultDates): string | undefined {
  if (dates.records_from === null) return undefined;
  return `${recordDays(dates)}${dates.as_of === null ? '' : latestAt(dates.as_of)}`;
}

/**
 * Joins statements as sentences in a line.
 * @param dates those of the records, if nothing else says them; unknown ones are left out
 */
export function sentences(
  statements: readonly { readonly text: string }[],
  dates?: ResultDates,
): string {
  const texts = statements.map(({ text }) => text);
  const days = dates && recordDaysAt(dates);
  if (days !== undefined) texts.push(days.replace(/^r/, 'R'));
  return texts.map((text) => `${text}.`).join(' ');
}

/** Says when a file was written; a terminal shows a result at that time. */
export function writtenInWords({ written_at }: ResultDates): string {
  return `written ${dateText(written_at)}`;
}

/** Lists the dates of records for the first sheet of a workbook, which has the time of writing. */
export function datesOnSheet({
  records_from: first,
  records_to: last,
  as_of,
}: Omit<ResultDates, 'written_at'>) {
  const days = `retrieved ${first === last ? 'on' : 'from'} ${daysInWords(first, last)}`;
  return [
    ...(first === null ? [] : [['Records', days] as const]),
    ...(as_of === null ? [] : [['As of', dateText(as_of) ?? as_of] as const]),
  ];
}

/** Lists the dates by name, for a pipe; those that are unknown have no text. */
export function datesByName(
  dates: ResultDates,
): readonly (readonly [label: string, text: string | null])[] {
  return [
    ['records from', dates.records_from],
    ['records to', dates.records_to],
    ['as of', dates.as_of],
    ['written', dates.written_at],
  ];
}
