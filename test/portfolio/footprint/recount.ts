/*
 * Random spend with suppliers whose factors are known by the way they were made, and what a
 * footprint of it says by a second, plain computation that shares no code with src/.
 */
import fc from 'fast-check';
import type { Boundary } from '../../../src/portfolio/footprint/line-item.ts';
import '../../support/seed.ts';
import { industry, own, record, service } from './portfolio.ts';

interface Row {
  readonly cents: number;
  readonly currency: 'EUR' | 'USD';
  readonly year: number | null;
  readonly category: string | null;
}

export interface MadeSupplier {
  readonly id: number;
  readonly name: string;
  readonly kind: (typeof kinds)[number];
  /* Suppliers of a group have one matched organization, and are one. */
  readonly group: number;
  /* Thousandths of the emissions per unit of the currency. */
  readonly parts: readonly [scope1: number, scope2: number, upstream: number];
  readonly rows: readonly Row[];
}

export interface MadeSpend {
  readonly boundary: Boundary;
  readonly unit: 'kg' | 't' | undefined;
  readonly suppliers: readonly MadeSupplier[];
}

const kinds = [
  'own',
  'service',
  'industry',
  'open',
  'failed',
  'none',
  'negative',
  'other',
] as const;

const cents = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }).map((whole) => 100 * whole) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 10 ** 9 }) },
  { weight: 1, arbitrary: fc.integer({ min: -(10 ** 6), max: 0 }) },
);
const part = fc.oneof(fc.constantFrom(1, 2, 500), fc.integer({ min: 1, max: 3_000 }));

const supplier = fc.record({
  kind: fc.constantFrom(...kinds, 'own', 'own', 'own', 'own', 'service', 'industry'),
  group: fc.constantFrom(0, 0, 0, 0, 0, 1),
  isZero: fc.constantFrom(false, false, false, false, true),
  parts: fc.tuple(part, part, part),
  rows: fc.array(
    fc.record({
      cents,
      currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'EUR', 'USD'),
      category: fc.constantFrom(null, 'Steel'),
      isEarlier: fc.constantFrom(false, false, true),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

const spend: fc.Arbitrary<MadeSpend> = fc
  .record({
    boundary: fc.constantFrom('cradle-to-gate', 'scope-1-2'),
    unit: fc.constantFrom(undefined, 'kg', 't'),
    currencies: fc.constantFrom(1, 1, 2),
    years: fc.constantFrom<readonly [number | null, number | null]>(
      [2024, 2024],
      [2024, 2024],
      [null, null],
      [2024, 2023],
      [2024, null],
    ),
    suppliers: fc.oneof(
      fc.array(supplier, { minLength: 1, maxLength: 3 }),
      fc.array(supplier, { minLength: 4, maxLength: 12 }),
    ),
  })
  .map(({ currencies, years, suppliers, ...options }) => ({
    ...options,
    suppliers: suppliers.map(({ parts, isZero, rows, ...each }, index) => ({
      ...each,
      id: index + 1,
      name: each.group > 0 ? `Nord Part${index + 1}` : `Firm${index + 1} Works`,
      // Scope 3 is not 0, so that the record is right.
      parts: isZero ? ([0, 0, parts[2]] as const) : parts,
      rows: rows.map(({ isEarlier, currency, ...row }) => ({
        ...row,
        currency: currencies === 1 ? ('EUR' as const) : currency,
        year: years[isEarlier ? 1 : 0],
      })),
    })),
  }));

/** The same spend for every test of a run. */
export const allSpend = (): readonly MadeSpend[] => fc.sample(spend, 300);

/** The rows of the file, and the records. */
export function inputsOf({ suppliers }: MadeSpend) {
  const purchases = suppliers.flatMap(({ id, name, rows }) =>
    rows.map(({ cents: amount, currency, year, category }) => ({
      id,
      name,
      spend: (amount / 100).toFixed(2),
      currency,
      year: year ?? undefined,
      category: category ?? undefined,
    })),
  );
  return { purchases, records: suppliers.flatMap((each) => recordOf(each, suppliers)) };
}

function recordOf(
  { id, name, kind, group, parts }: MadeSupplier,
  all: readonly MadeSupplier[],
): object[] {
  const [first, second, upstream] = parts;
  const aliases = all.filter((each) => each.group === group).map((each) => each.name);
  const alias =
    group > 0
      ? { id: 900, name: 'Nord', names: aliases.map((value) => ({ value })) }
      : { id: 100 + id, name };
  const more = {
    name,
    matching_organization: kind === 'other' ? { id: 500 + id, name: 'Zeppelin' } : alias,
  };
  const figures = own(2024, parts);
  if (kind === 'none') return [];
  if (kind === 'open') return [record(id, [], { ...more, status: 'locating' })];
  if (kind === 'failed') return [record(id, [], { ...more, status: 'errored' })];
  if (kind === 'service')
    return [record(id, [service(2024, (first + second) / 1_000, upstream / 1_000)], more)];
  if (kind === 'industry')
    return [record(id, [], { ...more, ...industry([2024, (first + second + upstream) / 1_000]) })];
  if (kind !== 'negative') return [record(id, [figures], more)];
  const { emissions } = figures;
  const scope_3 = { ...emissions.scope_3, franchises: -1 };
  return [record(id, [{ ...figures, emissions: { ...emissions, scope_3 } }], more)];
}

/* The factor in euros, its basis, and whether the record cannot be right. */
function factorOf({ kind, parts }: MadeSupplier, boundary: Boundary, currency: string) {
  const isPart = boundary === 'scope-1-2';
  const thousandths = parts[0] + parts[1] + (isPart ? 0 : parts[2]);
  if (currency !== 'EUR') return undefined;
  if (kind === 'service')
    return thousandths > 0 && (parts[0] + parts[1] > 0 || isPart)
      ? ({ basis: 'service', thousandths } as const)
      : undefined;
  if (kind === 'industry')
    return isPart ? undefined : ({ basis: 'industry', thousandths } as const);
  if (kind === 'own') return { basis: 'own', thousandths, certain: parts[0] + parts[1] } as const;
  return kind === 'negative' || kind === 'other' ? ('left out' as const) : undefined;
}

interface Counted {
  readonly supplier: string;
  readonly name: string;
  readonly currency: string;
  readonly year: number | null;
  readonly cents: number;
  readonly factor: ReturnType<typeof factorOf>;
  /* The factor in thousandths if the upstream factor contained scopes 1 and 2. */
  readonly nested: number | undefined;
}

/* What counts: rows of one supplier, currency, year and category are one item. */
function itemsOf({ suppliers, boundary }: MadeSpend): readonly Counted[] {
  return suppliers.flatMap((each) => {
    const { id, name, group, kind, rows } = each;
    const sumOf = (some: readonly Row[]) => some.reduce((sum, row) => sum + row.cents, 0);
    const keys = new Set(rows.map(({ cents: _, ...key }) => JSON.stringify(key)));
    return [...keys].flatMap((key) => {
      const own = rows.filter(({ cents: _, ...other }) => JSON.stringify(other) === key);
      const { currency, year } = own[0] as Row;
      const net = sumOf(rows.filter((row) => row.currency === currency && row.year === year));
      const factor = factorOf(each, boundary, currency);
      const hasNothing = sumOf(own) === 0 && typeof factor !== 'object';
      if (net < 0 || hasNothing) return [];
      const isMember =
        group > 0 && kind !== 'other' && kind !== 'none' && !isAlone(each, suppliers);
      const key2 = isMember ? 'Nord' : String(id);
      return [
        {
          supplier: key2,
          name: isMember ? 'Nord' : name,
          currency,
          year,
          cents: sumOf(own),
          factor,
          nested:
            kind === 'service' && boundary === 'cradle-to-gate' && currency === 'EUR'
              ? each.parts[2]
              : undefined,
        },
      ];
    });
  });
}

/* A match that only one record has joins none. */
function isAlone({ id, group }: MadeSupplier, all: readonly MadeSupplier[]): boolean {
  return !all.some(
    (each) =>
      each.id !== id && each.group === group && each.kind !== 'other' && each.kind !== 'none',
  );
}

const grouped = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 20 });
const rounded = (value: number) => Math.floor(value + 0.5 + 1e-9);
const several = (value: number, one: string, many: string) =>
  `${grouped(value)} ${value === 1 ? one : many}`;

function percent(share: number): string {
  const whole = rounded(100 * share);
  if (share <= 0) return '0%';
  return whole === 0 ? '<1%' : whole === 100 && share < 1 ? '>99%' : `${whole}%`;
}

function inWords(value: number): string {
  const short = Number(value.toPrecision(3));
  if (Math.abs(value) < 999_999.5)
    return Math.abs(value) >= 100 ? grouped(Math.round(value)) : grouped(short);
  const [size, word] = Math.abs(short) < 10 ** 9 ? [10 ** 6, 'million'] : [10 ** 9, 'billion'];
  return `${short / size} ${word}`;
}

const emissionsOf = ({ cents: amount, factor }: Counted) =>
  typeof factor === 'object' ? (amount / 100) * (factor.thousandths / 1_000) : 0;
const isCovered = ({ factor }: Counted) => typeof factor === 'object';
const sumOf = (all: readonly Counted[], read: (each: Counted) => number) =>
  all.reduce((sum, each) => sum + read(each), 0);

/** The suppliers on industry averages, with what these make of their emissions. */
export function recountAverages(spendOf: MadeSpend) {
  const covered = itemsOf(spendOf).filter(isCovered);
  const whole = sumOf(covered, emissionsOf);
  const averages = covered.filter(
    ({ factor }) => typeof factor === 'object' && factor.basis === 'industry',
  );
  const amounts = [...new Set(averages.map(({ supplier }) => supplier))]
    .map((key) =>
      sumOf(
        averages.filter(({ supplier }) => supplier === key),
        emissionsOf,
      ),
    )
    .sort((a, b) => b - a);
  return {
    suppliers: amounts.length,
    largest: amounts.slice(0, 10).map((amount) => ({
      emissions: amount,
      share: whole > 0 ? amount / whole : null,
    })),
  };
}

/** States what the footprint means. */
export function recount(
  spendOf: MadeSpend,
): readonly { readonly rule: string; readonly text: string }[] {
  const { unit = null } = spendOf;
  const items = itemsOf(spendOf);
  const covered = items.filter(isCovered);
  const of = new Set(items.map(({ supplier: key }) => key)).size;
  const base = new Set(covered.map(({ supplier: key }) => key)).size;
  const codes = [...new Set(items.map(({ currency }) => currency))].sort();
  const spends = codes.map((code) => {
    const inCode = (all: readonly Counted[]) =>
      sumOf(
        all.filter(({ currency }) => currency === code),
        (each) => each.cents,
      ) / 100;
    return [code, { total: inCode(items), covered: inCode(covered) }] as const;
  });
  const left = new Map(
    items.flatMap(({ supplier: key, name, factor }) =>
      factor === 'left out' ? [[key, name] as const] : [],
    ),
  );
  const names = [...left.values()];
  const errors = {
    rule: 'errors',
    text: `Left out: ${several(left.size, 'company whose record', 'companies whose records')} cannot be right, ${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''} (carbon check)`,
    base: of,
    of,
    left_out: left.size,
  };
  const last = left.size > 0 ? [errors] : [];
  const isMost =
    base > 0 && 2 * base >= of && spends.every(([, each]) => 2 * each.covered >= each.total);
  if (!isMost) {
    const some = base === 0 ? 'none' : grouped(base);
    const text = `${several(of, 'supplier', 'suppliers')}, ${some} of them with emissions`;
    return [{ rule: 'count', text, base: of, of, covered: base } as never, ...last];
  }
  const years = [...new Set(items.map(({ year }) => year))]
    .sort((a, b) => (a ?? 9_999) - (b ?? 9_999))
    .map((year) => {
      const own = covered.filter((each) => each.year === year);
      return { year, emissions: own.length === 0 ? null : sumOf(own, emissionsOf) };
    });
  const amountOf = (emissions: number | null) =>
    `${inWords(emissions ?? Number.NaN)}${unit === null ? '' : ` ${unit}`}`;
  const joined = (all: readonly string[]) =>
    [all.slice(0, -1).join(', '), ...all.slice(-1)].filter(Boolean).join(' and ');
  const ofYear = (year: number | null) => (year === null ? 'without a year' : `of ${year}`);
  const [only, ...otherYears] = years;
  const amounts = years
    .filter(({ emissions }) => emissions !== null)
    .map(({ year, emissions }) => {
      return `${amountOf(emissions)} ${year === null ? 'without a year' : `in ${year}`}`;
    });
  const unknown = years.filter(({ emissions }) => emissions === null);
  const rest = unknown.map(({ year }) => ofYear(year));
  const known = covered.length === items.length ? '' : 'known ';
  const caused =
    only !== undefined && otherYears.length === 0
      ? `Your purchases ${ofYear(only.year)} caused ${known}emissions of ${amountOf(only.emissions)}`
      : `Your purchases caused ${known}emissions of ${joined(amounts)}${rest.length === 0 ? '' : `; those ${joined(rest)} are unknown`}`;
  const shares = spends.map(
    ([code, each]) => `${percent(each.covered / each.total)} of the ${code} spend`,
  );
  const whole =
    covered.length === items.length
      ? 'all spend has'
      : `${joined(shares)} ${shares.length === 1 ? 'has' : 'have'}`;
  const total = {
    rule: 'total',
    text: `${caused}. From ${grouped(base)} of ${several(of, 'supplier', 'suppliers')}; ${whole} emissions`,
    base,
    of,
    unit,
    years,
    spend: Object.fromEntries(spends),
  };
  return [
    total,
    ...originOf(covered, base, of),
    ...concentrationOf(covered, base, of, years.length),
    ...directionOf(
      years.filter(({ year }) => isMostOf(items, year)),
      base,
      of,
      years,
    ),
    ...sensitivityOf(items, base, of),
    ...last,
  ];
}

/* Whether a year has emissions for at least half of its spend in each currency. */
function isMostOf(items: readonly Counted[], year: number | null): boolean {
  const own = items.filter((each) => each.year === year);
  return own.every(({ currency }) => {
    const same = own.filter((each) => each.currency === currency);
    const cents = (all: readonly Counted[]) => sumOf(all, (each) => each.cents);
    return 2 * cents(same.filter(isCovered)) >= cents(same);
  });
}

/* The total if upstream factors, read as additive, contained scopes 1 and 2. */
function sensitivityOf(items: readonly Counted[], base: number, of: number) {
  const nestedOf = (each: Counted) =>
    each.nested === undefined ? emissionsOf(each) : (each.cents / 100) * (each.nested / 1_000);
  const changed = items.filter((each) => nestedOf(each) !== emissionsOf(each));
  const all = sumOf(items, emissionsOf);
  const [before, after] = [sumOf(changed, emissionsOf), sumOf(changed, nestedOf)];
  const change = (after - before) / all;
  if (!(all > 0 && Math.abs(change) >= 0.05)) return [];
  const size = rounded(1_000 * Math.abs(change)) / 10;
  const many = size < 1_000 ? size.toFixed(1) : grouped(rounded(100 * Math.abs(change)));
  const text = `If the service's upstream factors contained scopes 1 and 2 (--upstream-factor nested), the total would be ${size >= 1e6 ? '>1,000,000' : many}% ${change > 0 ? 'higher' : 'lower'}: another choice of method, not an error margin`;
  const replaced_change = before === 0 ? null : (after - before) / before;
  const more = { choice: 'upstream factors nested', line_items: changed.length };
  return [{ rule: 'sensitivity', text, base, of, change, ...more, replaced_change }];
}

/* The totals of the last two years that have one, if both have most of their spend. */
function directionOf(
  years: readonly { readonly year: number | null; readonly emissions: number | null }[],
  base: number,
  of: number,
  all: readonly { readonly year: number | null; readonly emissions: number | null }[],
) {
  const known = all.filter(({ year, emissions }) => year !== null && emissions !== null);
  const [before, after] = [known.at(-2), known.at(-1)];
  if ([before, after].some((each) => each && !years.includes(each))) return [];
  if (before === undefined || after === undefined || !(Number(before.emissions) > 0)) return [];
  const change = (Number(after.emissions) - Number(before.emissions)) / Number(before.emissions);
  const size = rounded(1_000 * Math.abs(change)) / 10;
  const most = grouped(rounded(100 * Math.abs(change)));
  const many = size >= 1e6 ? '>1,000,000' : size < 1_000 ? size.toFixed(1) : most;
  const moved = size === 0 ? 'did not change' : `${change > 0 ? 'rose' : 'fell'} ${many}%`;
  const text = `Not to be quoted: emissions ${moved} from ${before.year} to ${after.year}, including data changes (of method, data and coverage); to see the change without them, and why, add --compare ${before.year} --year ${after.year}`;
  const moves = {
    from: before.year,
    to: after.year,
    change,
    change_without_data: null,
    main_cause: null,
  };
  return [{ rule: 'direction', text, base, of, ...moves }];
}

function originOf(covered: readonly Counted[], base: number, of: number) {
  const all = sumOf(covered, emissionsOf);
  const named = [
    ['own', "the suppliers' own records"],
    ['service', "the service's factors"],
    ['industry', 'industry averages'],
  ] as const;
  const parts = named.flatMap(([basis, words]) => {
    const some = covered.filter(
      ({ factor }) => typeof factor === 'object' && factor.basis === basis,
    );
    const share = sumOf(some, emissionsOf) / all;
    // Scopes 1 and 2 are certain; with upstream emissions it is the whole factor.
    const least =
      sumOf(some, ({ cents: amount, factor }) =>
        typeof factor === 'object' && 'certain' in factor
          ? (amount / 100) * (factor.certain / 1_000)
          : 0,
      ) / all;
    const range = basis === 'own' && percent(least) !== percent(share);
    const part = percent(range && least > 0 ? least : share);
    const inside = `${percent(share - least)} from other figures in them, usually modeled`;
    const certain = `scopes 1 and 2 in ${words}, ${inside}`;
    const modeled = `figures in ${words}, usually modeled`;
    const said = range ? (least > 0 ? certain : modeled) : words;
    return share === 0 ? [] : [{ basis, words: said, share, part }];
  });
  if (!(all > 0) || parts.some(({ share }) => share < 0 || share > 1)) return [];
  parts.sort((a, b) => b.share - a.share);
  const industryPart = parts.find(({ basis }) => basis === 'industry')?.share ?? 0;
  const use =
    industryPart >= 0.5
      ? 'Good for choosing whom to ask first, not for quoting'
      : 'When quoting, say how much is estimated';
  const text = parts.map(({ words, part }) => `${part} from ${words}`).join(', ');
  return [
    {
      rule: 'origin',
      text: industryPart > 0 ? `${use}: ${text}` : text,
      base,
      of,
      ...Object.fromEntries(parts.map(({ basis, share }) => [basis, share])),
    },
  ];
}

function concentrationOf(covered: readonly Counted[], base: number, of: number, years: number) {
  const keys = [...new Set(covered.map(({ supplier: key }) => key))];
  const amounts = keys
    .map((key) =>
      sumOf(
        covered.filter((each) => each.supplier === key),
        emissionsOf,
      ),
    )
    .sort((a, b) => b - a);
  const all = amounts.reduce((sum, amount) => sum + amount, 0);
  if (years > 1 || !(all > 0) || amounts.some((amount) => amount < 0)) return [];
  let [number, sum] = [0, 0];
  while (sum < (2 / 3) * all * (1 - 1e-13)) sum += amounts[number++] ?? Number.NaN;
  if (number >= base) return [];
  const who =
    base === of
      ? several(of, 'supplier', 'suppliers')
      : `the ${several(base, 'supplier', 'suppliers')} with emissions`;
  const text = `${number} of ${who} ${number === 1 ? 'makes' : 'make'} up ${percent(sum / all)} of the emissions`;
  return [{ rule: 'concentration', text, base, of, suppliers: number, share: sum / all }];
}
