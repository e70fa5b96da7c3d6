/*
 * States what a report means by a second, plain computation from the records: it shares no code
 * with src/, and follows docs/report.md and the table of rules instead.
 */
import type { Made, MadePerformance, MadeRecord } from './portfolios.ts';

interface Stated {
  readonly rule: string;
  readonly text: string;
  readonly base: number;
  readonly of: number;
  readonly [number: string]: unknown;
}

const methods = ['total_market_based', 'total_location_based', 'total', 'sum'];

function amountsOf({ emissions }: MadePerformance, scope: string): Record<string, number> {
  const amounts = emissions?.[scope];
  const numbers = Object.entries(typeof amounts === 'object' ? amounts : {}).filter(
    (pair): pair is [string, number] => typeof pair[1] === 'number',
  );
  return Object.fromEntries(numbers);
}

/* The first of the wanted figures of a scope: its place in the order, and its value. */
function figureOf(performance: MadePerformance, scope: string): [number, number] | undefined {
  const amounts = amountsOf(performance, scope);
  const place = methods.findIndex((method) => method in amounts);
  return place < 0 ? undefined : [place, amounts[methods[place] ?? ''] ?? Number.NaN];
}

const scopeNames = ['scope_1', 'scope_2', 'scope_1_and_2', 'scope_3'];

function discloses(performance: MadePerformance): boolean {
  const { total } = performance.emissions ?? {};
  return (
    typeof total === 'number' ||
    scopeNames.some((scope) => figureOf(performance, scope) !== undefined)
  );
}

function bothOf(performance: MadePerformance): number | undefined {
  const [first, second] = [figureOf(performance, 'scope_1'), figureOf(performance, 'scope_2')];
  const joint = figureOf(performance, 'scope_1_and_2');
  if (first === undefined || second === undefined) return joint?.[1];
  return joint !== undefined && joint[0] <= second[0] ? joint[1] : first[1] + second[1];
}

/* The global region, that of the headquarters, or the first one. */
function standIn(all: readonly MadePerformance[], country: string): MadePerformance | undefined {
  return (
    all.find(({ region }) => region === 'GLOBAL') ??
    all.find(({ region }) => region === country) ??
    all[0]
  );
}

function inYear({ performances }: MadeRecord, year: number): readonly MadePerformance[] {
  return performances.filter((each) => each.year === year && discloses(each));
}

function yearsOf({ record, wrongYears }: Made): number[] {
  const all = record.performances.filter(discloses).map(({ year }) => year);
  return [...new Set(all)].filter((year) => !wrongYears.includes(year));
}

/* Scopes 1 and 2 of each of the years from the same figures of one region. */
function sameOf({ record, wrongYears }: Made, years: readonly number[]): number[] | undefined {
  const choices = years.map((year) => (wrongYears.includes(year) ? [] : inYear(record, year)));
  const common = (choices.at(-1) ?? []).filter(({ region }) =>
    choices.every((all) => all.some((other) => other.region === region)),
  );
  const chosen = standIn(common, record.hq_region);
  if (chosen === undefined) return undefined;
  const run = choices.flatMap((all) => all.find(({ region }) => region === chosen.region) ?? []);
  const valuesOf = (scope: string, method: string) => {
    const values = run.flatMap((each) => amountsOf(each, scope)[method] ?? []);
    return values.length === years.length ? values : undefined;
  };
  for (const method of methods) {
    const joint = valuesOf('scope_1_and_2', method);
    if (joint !== undefined) return joint;
    const second = valuesOf('scope_2', method);
    const first = valuesOf('scope_1', 'total') ?? valuesOf('scope_1', 'sum');
    if (first !== undefined && second !== undefined)
      return first.map((value, index) => value + (second[index] ?? Number.NaN));
  }
  return undefined;
}

/* Rounded half up; a double is at most a hair below the half that was meant. */
const rounded = (value: number) => Math.floor(value + 0.5 + 1e-9);
const grouped = (value: number) => value.toLocaleString('en-US');
const companies = (value: number) => (value === 1 ? '1 company' : `${grouped(value)} companies`);

function percent(share: number): string {
  const whole = rounded(100 * share);
  if (share > 0 && whole === 0) return '<1%';
  return share < 1 && whole === 100 ? '>99%' : `${whole}%`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/*
 * Of the records of one matched organization, the newest one with figures: each replaces the one
 * before it, unless both have a time and its own is earlier.
 */
function countedOf(all: readonly Made[]): readonly Made[] {
  const certain = all.filter(({ isOther }) => !isOther);
  const withFigures = certain.filter((made) => yearsOf(made).length > 0);
  const newestOf = (match: number | undefined) =>
    withFigures
      .filter(({ record }) => record.matching_organization?.id === match)
      .reduce((known, made) => {
        const [time, knownTime] = [made.retrievedAt, known.retrievedAt];
        return time !== undefined && knownTime !== undefined && time < knownTime ? known : made;
      });
  return certain.filter(
    (made) =>
      !withFigures.includes(made) || newestOf(made.record.matching_organization?.id) === made,
  );
}

const isHalf = (part: number, whole: number) => part >= whole / 2;

/** Returns the year, the values of its organizations, and the values of those of several years. */
export function populationOf(all: readonly Made[]) {
  const counted = countedOf(all);
  const valueIn = (made: Made, year: number) => {
    const chosen = standIn(inYear(made.record, year), made.record.hq_region);
    return made.wrongYears.includes(year) || chosen === undefined ? undefined : bothOf(chosen);
  };
  const years = [...new Set(counted.flatMap(yearsOf))].sort((a, b) => b - a);
  const numberIn = (year: number) =>
    counted.filter((made) => valueIn(made, year) !== undefined).length;
  const most = Math.max(0, ...years.map(numberIn));
  const year =
    years.find((each) => numberIn(each) > 0 && isHalf(numberIn(each), all.length)) ??
    years.find((each) => numberIn(each) > 0 && isHalf(numberIn(each), most));
  if (year === undefined) return undefined;
  const members = counted.flatMap((made) => {
    const value = valueIn(made, year);
    return value === undefined ? [] : [{ made, value }];
  });
  const runs = [3, 2].map((length) => {
    const run = Array.from({ length }, (_, index) => year - length + 1 + index);
    const values = counted.flatMap((made) => {
      const found = sameOf(made, run);
      return found === undefined ? [] : [found];
    });
    return { years: run, values };
  });
  const compared = [all.length, members.length].flatMap((whole) =>
    runs.filter(({ values }) => values.length > 0 && isHalf(values.length, whole)),
  );
  return { year, members, compared: compared[0] };
}

type Population = NonNullable<ReturnType<typeof populationOf>>;

/* The change of the last two years, as a share of the larger one. */
function moveOf(run: readonly number[]): number {
  const [before = Number.NaN, after = Number.NaN] = run.slice(-2);
  return before === after ? 0 : (after - before) / Math.max(Math.abs(before), Math.abs(after));
}

function breadthOf(base: number, rose: number, fell: number): string {
  if (base === 1) return '';
  const numbers = { rose, fell, unchanged: base - rose - fell };
  const parts = Object.entries(numbers).filter(([, number]) => number > 0);
  const words = parts.map(
    ([word, number]) => `${number === base ? 'all' : grouped(number)} ${word}`,
  );
  return `: ${words.join(', ')}`;
}

/* The fewest of the largest rises that are half of the net rise, unless half of them are. */
function riseOf(values: readonly (readonly number[])[], net: number) {
  const rises = values
    .filter((run) => moveOf(run) > 1e-12)
    .map((run) => (run.at(-1) ?? Number.NaN) - (run.at(-2) ?? Number.NaN))
    .sort((a, b) => b - a);
  const at = rises.findIndex((_, index) => sum(rises.slice(0, index + 1)) >= net / 2 - 1e-9 * net);
  const number = at + 1;
  return number < rises.length / 2
    ? { number, share: sum(rises.slice(0, number)) / net }
    : undefined;
}

function trendOf({ compared }: Population, of: number): Stated | undefined {
  if (compared === undefined) return undefined;
  const { years, values } = compared;
  const [before, after] = [-2, -1].map((at) => sum(values.map((run) => run.at(at) ?? Number.NaN)));
  if (!before || after === undefined) return undefined;
  const change = after / before - 1;
  const tenths = rounded(Math.abs(1_000 * change));
  const whole = tenths >= 10 ** 7 ? '>1,000,000' : grouped(rounded(Math.abs(100 * change)));
  const size = tenths < 10_000 ? (tenths / 10).toFixed(1) : whole;
  const moved = tenths === 0 ? 'did not change' : `${change > 0 ? 'rose' : 'fell'} ${size}%`;
  const base = values.length;
  const who = base === 1 ? '1 company that discloses' : `${companies(base)} that disclose`;
  const list =
    years.length === 3 ? `${years[0]}, ${years[1]} and ${years[2]}` : years.join(' and ');
  const [from, to] = years.slice(-2);
  const [rose, fell] = [1, -1].map(
    (sign) => values.filter((run) => sign * moveOf(run) > 1e-12).length,
  ) as [number, number];
  const breadth = breadthOf(base, rose, fell);
  const most = tenths > 0 && change > 0 ? riseOf(values, after - before) : undefined;
  const isFew = most !== undefined && most.number < rose;
  const some = isFew ? `; ${grouped(most.number)} made ${percent(most.share)} of the net rise` : '';
  const text = `Scope 1 and 2 ${moved} since ${from} (the ${who} both scopes in ${list}${breadth}${some})`;
  const numbers = isFew ? { made_most: most.number, of_rise: most.share } : {};
  return { rule: 'trend', text, base, of, change, from, to, rose, fell, ...numbers };
}

function concentrationOf({ members, year }: Population, of: number): Stated | undefined {
  const total = sum(members.map(({ value }) => value));
  const values = members.map(({ value }) => value).sort((a, b) => b - a);
  const organizations = values.findIndex(
    (_, index) => sum(values.slice(0, index + 1)) >= (2 / 3) * total * (1 - 1e-13),
  );
  const number = organizations + 1;
  const base = members.length;
  if (!(total > 0) || number === base || !isHalf(base, of)) return undefined;
  const share = sum(values.slice(0, number)) / total;
  const part = percent(share) === '67%' ? 'two thirds' : percent(share);
  const text = `${grouped(number)} of the ${companies(base)} that disclose scope 1 and 2 for ${year} ${number === 1 ? 'makes' : 'make'} up ${part} of these emissions`;
  return { rule: 'concentration', text, base, of, organizations: number, share, year };
}

function targetOf({ sbti, status }: MadeRecord): string {
  const latest = sbti?.data.at(-1) as { near_term?: Record<string, unknown> } | undefined;
  if (sbti === null) return 'unknown';
  const word = latest === undefined ? 'none' : latest.near_term?.['target_status'];
  if (word === 'none') return status === 'synced' ? 'none' : 'unknown';
  if (word === 'Commitment removed') return 'removed';
  return word === undefined ? 'with_target' : String(word);
}

function targetsOf(
  { members, year }: Population,
  of: number,
  isAfter: boolean,
): Stated | undefined {
  const total = sum(members.map(({ value }) => value));
  if (!(total > 0)) return undefined;
  const shareOf = (wanted: string) =>
    sum(members.flatMap(({ made, value }) => (targetOf(made.record) === wanted ? value : []))) /
    total;
  const [set, removed] = [shareOf('set'), shareOf('removed')];
  const number = members.length;
  const base = members.filter(({ made }) => targetOf(made.record) !== 'unknown').length;
  const disclose =
    number === 1 ? 'the 1 company that discloses' : `the ${companies(number)} that disclose`;
  const whose = isAfter ? `these ${grouped(number)}` : `${disclose} scope 1 and 2 for ${year}`;
  const others =
    removed > 0
      ? `, ${percent(removed)} from companies whose target or commitment was removed at any time`
      : '';
  const text = `${percent(set)} of the emissions of ${whose} are from companies with a validated near-term target${others}`;
  return { rule: 'targets', text, base, of, set, removed, year };
}

const isUnreadable = ({ performances }: MadeRecord) =>
  JSON.stringify(performances).includes('"n/a"');

/*
 * The newest year with a figure of scope 1 or 2, and the latest sum of both that is no error and
 * that no other record of the same organization has.
 */
function newestOf({ record, wrongYears }: Made, isCounted: boolean) {
  const years = [...new Set(record.performances.filter(discloses).map(({ year }) => year))];
  const figures = years
    .sort((a, b) => b - a)
    .flatMap((year) => {
      const chosen = standIn(inYear(record, year), record.hq_region);
      return chosen === undefined ? [] : [{ year, chosen }];
    });
  const complete = figures.find(({ chosen }) => bothOf(chosen) !== undefined);
  const some = figures.find(({ chosen }) =>
    scopeNames.slice(0, 3).some((scope) => figureOf(chosen, scope) !== undefined),
  );
  const [sumOfBoth] = figures.flatMap(({ year, chosen }) => {
    return wrongYears.includes(year) || !isCounted ? [] : (bothOf(chosen) ?? []);
  });
  return { year: some?.year, complete: complete?.year, sum: sumOfBoth };
}

function missingOf(all: readonly Made[], population: Population | undefined): Stated | undefined {
  const of = all.length;
  const since = population?.compared?.years[0] ?? population?.year ?? null;
  const counted = countedOf(all);
  const newest = (made: Made) => newestOf(made, counted.includes(made));
  const silent = all.filter(
    ({ record }) => !record.performances.some(discloses) && !isUnreadable(record),
  );
  const silentAs = (wanted: string) =>
    silent.filter(({ record: { status, matching_organization: match } }) => {
      const ended = match === null ? 'unmatched' : 'none';
      return (status === 'synced' ? ended : status) === wanted;
    });
  const ended = all.filter(({ record }) => ['synced', 'errored'].includes(record.status));
  const old = ended.filter((made) => {
    const { year } = newest(made);
    return year !== undefined && since !== null && year < since;
  });
  const incomplete = ended.filter((made) => {
    const { complete } = newest(made);
    const isLacking = complete === undefined || (since !== null && complete < since);
    return made.record.performances.some(discloses) && isLacking && !old.includes(made);
  });
  const isSince = (year: number | undefined) =>
    year !== undefined && (since === null || year >= since);
  const open = all.filter((made) => {
    const { status, performances } = made.record;
    const isLacking = performances.some(discloses) && !isSince(newest(made).complete);
    return status === 'locating' && isLacking;
  });
  const groups = [
    { key: 'no_emissions', made: silentAs('none') },
    { key: 'old', made: old },
    { key: 'incomplete', made: incomplete },
    { key: 'unmatched', made: silentAs('unmatched') },
    { key: 'in_progress', made: [...silentAs('locating'), ...open] },
    { key: 'failed', made: silentAs('errored') },
  ];
  const years = old.map((made) => newest(made).year ?? 0);
  const words: Record<string, (number: number) => string> = {
    no_emissions: () => 'without emissions in the record',
    old: () => `with figures up to ${Math.max(...years)} only`,
    incomplete: () => 'with incomplete figures',
    unmatched: () => 'not matched',
    in_progress: () => 'in research',
    failed: () => 'with failed research',
  };
  const ranked = groups
    .filter(({ made }) => made.length > 0)
    .map((group) => {
      const sums = group.made.flatMap((made) => newest(made).sum ?? []);
      return { ...group, emissions: sums.length === 0 ? -1 : sum(sums) };
    })
    .sort((a, b) => b.made.length - a.made.length || b.emissions - a.emissions);
  if (ranked.length === 0) return undefined;
  const number = ranked.reduce((count, { made }) => count + made.length, 0);
  const parts = ranked.map(({ key, made }) => `${made.length} ${words[key]?.(made.length)}`);
  const when = since === null ? '' : ` for ${since} or later`;
  const text = `${number} of ${companies(of)} ${number === 1 ? 'has' : 'have'} no scope 1 and 2${when}: ${parts.join(', ')}`;
  const numbers = Object.fromEntries(groups.map(({ key, made }) => [key, made.length]));
  return { rule: 'missing', text, base: of, of, ...numbers, since };
}

/** Returns the records with an error of carbon check about figures that they have. */
export function leftOutOf(all: readonly Made[]): readonly Made[] {
  return all.filter(({ record, wrongYears, isOther }) =>
    record.performances.some(
      (each) => discloses(each) && (isOther || wrongYears.includes(each.year)),
    ),
  );
}

function errorsOf(all: readonly Made[]): Stated | undefined {
  const left = leftOutOf(all);
  if (left.length === 0) return undefined;
  const names = left.slice(0, 3).map(({ record }) => record.name);
  const more = left.length > 3 ? ` and ${left.length - 3} more` : '';
  const whose = left.length === 1 ? 'company whose record' : 'companies whose records';
  const text = `Left out: ${left.length} ${whose} cannot be right, ${names.join(', ')}${more} (carbon check)`;
  return { rule: 'errors', text, base: all.length, of: all.length, left_out: left.length };
}

function countOf(all: readonly Made[]): Stated {
  const [of, disclosing] = [
    all.length,
    all.filter((made) => !made.isOther && yearsOf(made).length > 0).length,
  ];
  const who = disclosing === 0 ? 'none' : disclosing === of ? 'all' : grouped(disclosing);
  const text =
    of === 1
      ? `1 company, which discloses ${disclosing === 1 ? '' : 'no '}emissions`
      : `${companies(of)}, ${who} of them ${disclosing > 1 ? 'disclose' : 'discloses'} emissions`;
  return { rule: 'count', text, base: of, of, disclosing };
}

/** States what these records mean. */
export function recount(all: readonly Made[]): readonly Stated[] {
  const of = all.length;
  const population = populationOf(all);
  const concentration = population && concentrationOf(population, of);
  const about = population && [
    trendOf(population, of),
    concentration,
    targetsOf(population, of, concentration !== undefined),
  ];
  const shown = (about ?? []).filter((each) => each !== undefined && isHalf(each.base, of));
  const first = shown.length > 0 ? shown : [countOf(all)];
  return [...first, missingOf(all, population), errorsOf(all)].filter((each) => each !== undefined);
}

/* States who emits two thirds, of the companies with both scopes for the year of most of them. */
function largestOf(all: readonly Made[], of: number, whose = ''): readonly Stated[] {
  const rows = all.map((made) => {
    const year = Math.max(...made.record.performances.filter(discloses).map((each) => each.year));
    const chosen = standIn(inYear(made.record, year), made.record.hq_region);
    const isWrong = made.isOther || made.wrongYears.includes(year);
    return { made, year, value: isWrong || chosen === undefined ? undefined : bothOf(chosen) };
  });
  const known = rows.filter(({ value }) => value !== undefined);
  const counted = known.filter((row) => {
    const { record } = row.made;
    const same = known.filter((other) => {
      return other.made.record.matching_organization?.id === record.matching_organization?.id;
    });
    const isOlder = (a: Made, b: Made) =>
      a.retrievedAt !== undefined && b.retrievedAt !== undefined && a.retrievedAt < b.retrievedAt;
    return same.reduce((last, next) => (isOlder(next.made, last.made) ? last : next)) === row;
  });
  const numberOf = (year: number) => counted.filter((row) => row.year === year).length;
  const [year] = [...new Set(counted.map((row) => row.year))].sort(
    (a, b) => numberOf(b) - numberOf(a) || b - a,
  );
  const members = counted
    .filter((row) => row.year === year)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const values = members.map(({ value }) => value ?? 0);
  const total = sum(values);
  const number =
    1 + values.findIndex((_, at) => sum(values.slice(0, at + 1)) >= (2 / 3) * total * (1 - 1e-13));
  const base = members.length;
  if (!(total > 0 && number < base && isHalf(base, of))) return [];
  const share = sum(values.slice(0, number)) / total;
  const part = percent(share) === '67%' ? 'two thirds' : percent(share);
  const names = members.slice(0, number).map(({ made }) => made.record.name);
  const named =
    number > 3 ? `${names.slice(0, 2).join(', ')} and ${number - 2} more` : names.join(', ');
  const text = `${named} ${number === 1 ? 'makes' : 'make'} up ${part} of${whose} scope 1 + 2 of ${year} (of ${companies(base)} that disclose both)`;
  return [{ rule: 'concentration', text, base, of, organizations: number, share, year }];
}

/* Counts what the records have, with the words of targets and of missing emissions. */
function countsOf(all: readonly Made[]) {
  const disclosing = all.filter(({ record }) => record.performances.some(discloses)).length;
  const targetsKnown = all.map(({ record }) => {
    const isNobodys = record.matching_organization === null && record.status === 'synced';
    const hasNone = record.sbti?.data.length === 0;
    const isMeant = !hasNone || record.performances.some(discloses) || !isNobodys;
    return isMeant ? targetOf(record) : 'unknown';
  });
  const validated = targetsKnown.filter((target) => target === 'set').length;
  const unknown = targetsKnown.filter((target) => target === 'unknown').length;
  const silent = all.length - disclosing;
  const target = `${validated > 1 ? 'have' : 'has'} a validated near-term target`;
  const doubt = unknown > 0 ? ` (${unknown} unknown)` : '';
  return { disclosing, validated, unknown, silent, words: `${target}${doubt}` };
}

/* States who has no emissions, by the status and the match of each record. */
function silentOf(all: readonly Made[]): readonly Stated[] {
  const silent = all.filter(({ record }) => !record.performances.some(discloses));
  if (silent.length === 0 || all.length < 2) return [];
  const whyOf = ({ record: { status, matching_organization: match } }: Made) => {
    if (status === 'errored') return 'failed research';
    if (status !== 'synced') return 'in research';
    return match === null ? 'not matched' : 'none in the record';
  };
  const numbers = ['none in the record', 'failed research', 'not matched', 'in research']
    .map((why) => ({ why, number: silent.filter((made) => whyOf(made) === why).length }))
    .filter(({ number }) => number > 0)
    .sort((a, b) => b.number - a.number);
  const [first] = numbers;
  const only = first?.why === 'none in the record' ? ' in the record' : ` (${first?.why})`;
  const reasons =
    numbers.length === 1
      ? only
      : `: ${numbers.map((each) => `${each.number} ${each.why}`).join(', ')}`;
  const base = all.length;
  const who = `${silent.length === base ? 'All' : `${silent.length} of`} ${companies(base)}`;
  const text = `${who} ${silent.length === 1 ? 'has' : 'have'} no emissions${reasons}`;
  return [{ rule: 'missing', text, base, of: base, without: silent.length }];
}

/** States what the companies mean that meet a condition which is not about targets. */
export function recountMatching(
  all: readonly Made[],
  condition: string,
  matches: (made: Made) => boolean,
): readonly Stated[] {
  const met = all.filter(matches);
  const base = met.length;
  const verb = base <= 1 ? 'meets' : 'meet';
  const text = `${base || 'None'} of ${companies(all.length)} ${verb} ${condition}`;
  const numbers = { base: all.length, of: all.length, matching: base };
  const said = [{ rule: 'count', text, ...numbers }];
  if (base < 2) return said;
  const { disclosing, validated, unknown, words } = countsOf(met);
  const who = validated === base ? 'All' : `${validated || 'None'} of these ${base}`;
  const ofTargets = { rule: 'matching', text: `${who} ${words}`, base, of: base };
  return [
    ...said,
    ...largestOf(met, disclosing, ' their'),
    ...(unknown === base ? [] : [{ ...ofTargets, disclosing, validated }]),
    ...silentOf(met),
  ];
}

/** States what a list of all organizations means, besides what `carbon check` finds. */
export function recountList(all: readonly Made[]): readonly Stated[] {
  const of = all.length;
  const said = largestOf(all, of);
  const { disclosing, validated, unknown, silent, words } = countsOf(all);
  const numbers = { base: of, of, disclosing };
  if (of === 1) {
    const text = `1 company ${disclosing === 1 ? 'with' : 'without'} emissions`;
    return [{ rule: 'count', text, ...numbers }];
  }
  if (unknown === of) {
    const some = silent === 0 ? 'all' : disclosing || 'none';
    const text = `${companies(of)}, ${some} of them with emissions`;
    return [...said, { rule: 'count', text, ...numbers }, ...silentOf(all)];
  }
  const who =
    validated === of ? `All ${companies(of)}` : `${validated || 'None'} of ${companies(of)}`;
  const text = `${who} ${words}`;
  return [...said, { rule: 'count', text, ...numbers, validated, unknown }, ...silentOf(all)];
}
