/*
 * What a column is. Its kind decides how values are compared, written, aligned, cut, left out,
 * added up and formatted in a workbook, so that nothing is concluded from a name. Columns of a
 * user's file have no kind: nothing is known of them.
 */

/** How values are compared. A rank has words in an order, such as `low` and `high`. */
export type ColumnType = 'text' | 'number' | 'boolean' | 'date' | 'rank';

/** Formats of a number by its size: `large` from `from` on, whatever its sign, and for 0. */
interface CellFormat {
  readonly from: number;
  readonly large: string;
  /** By default, the general format. */
  readonly small?: string;
}

/** Formats of a whole column, whose largest number is at least `largest`; the largest first. */
type ColumnFormats = readonly (CellFormat & { readonly largest: number })[];

export interface Kind {
  readonly type: ColumnType;
  /**
   * How a number is written for people: `figure` with separators, or short with a unit; `plain`
   * with neither; `tenths` with one decimal; `percent` as a share of 1.
   */
  readonly written?: 'figure' | 'plain' | 'tenths' | 'percent';
  readonly align: 'left' | 'right';
  /** What a terminal does with a value that has no room: a long text wraps, a name is cut. */
  readonly room: 'keeps' | 'wraps' | 'cuts';
  /** Whether a table that is too wide for a terminal may leave the column out; the lowest first. */
  readonly leavesOut?: number;
  /** The number format of its cells in a workbook (ECMA-376, part 1, section 18.8.30). */
  readonly cellFormat?: string | CellFormat | ColumnFormats;
  /** Whether its unit is the one that the user declares. */
  readonly hasUnit?: true;
  /** Whether its texts may be sentences, which wrap in a workbook. */
  readonly isSentence?: true;
  /** Why values are not added up; numbers without a reason are. */
  readonly noSum?: string;
}

const words = { type: 'text', align: 'left' } as const;
const number = { type: 'number', align: 'right', room: 'keeps', written: 'figure' } as const;

/*
 * Decimals next to large amounts are noise, and a column has the same number of them in all cells,
 * which have all digits. With a minus sign, "<" would say the opposite.
 */
const amounts = [
  { largest: 10_000, from: 0.5, large: '#,##0', small: '"<1";"−0"' },
  { largest: 100, from: 0.05, large: '#,##0.0', small: '"<0.1";"−0.0"' },
  { largest: 0, from: 0.005, large: '#,##0.00' },
];

/* A change has its sign. */
const signed = (format: string) => `+${format};"−"${format};0`;
const changes = amounts.map(({ large, small, ...sizes }) => ({
  ...sizes,
  large: signed(large),
  ...(small && { small: `"+${small.slice(1)}` }),
}));

/* Four digits or more of each; the cell has all. */
const factors = { from: 0.001, large: '#,##0.0000', small: '0.00000000' };

/* A smaller number may be a year, a score or a percentile. */
const fieldValues = { from: 10_000, large: '#,##0' };

/* As texts write them; the cell has all digits. */
const shares = { from: 0.000_5, large: '0.0%', small: '"<0.1%";"−0.0%"' };

const shareChanges = {
  from: 0.000_5,
  large: '+0.0%;"−"0.0%;0.0%',
  small: '+0.00%;"−"0.00%',
};

const isNoAmount = 'it is not an amount';
const hasNoSum = 'a sum of scores or factors has no meaning';
const scope3IsShared =
  "one organization's scope 3 is another one's scope 1, so a sum counts emissions twice";

export const kinds = {
  text: { ...words, room: 'wraps', noSum: isNoAmount },
  /** A value of any field, such as what a field was and is. */
  value: {
    ...words,
    room: 'wraps',
    isSentence: true,
    cellFormat: fieldValues,
    noSum: isNoAmount,
  },
  /** Years, such as `2019 to 2025`. */
  span: { ...words, room: 'keeps', noSum: isNoAmount },
  id: { type: 'text', align: 'right', room: 'wraps', noSum: isNoAmount },
  name: { ...words, room: 'cuts', noSum: isNoAmount },
  status: { ...words, room: 'keeps', noSum: isNoAmount },
  /** What is wrong with a row, which a table that nobody chose shows as a mark before the name. */
  error: { ...words, room: 'keeps', noSum: isNoAmount },
  severity: { ...words, room: 'keeps', noSum: isNoAmount },
  note: { ...words, room: 'wraps', isSentence: true, noSum: isNoAmount },
  flag: { ...words, type: 'boolean', room: 'keeps', noSum: isNoAmount },
  /** Whether a row is synthetic data; a pipe shows a word instead of the value. */
  synthetic: { ...words, type: 'boolean', room: 'keeps', noSum: isNoAmount },
  date: { ...words, type: 'date', room: 'keeps', noSum: isNoAmount },
  rank: { ...words, type: 'rank', room: 'keeps', noSum: isNoAmount },
  year: { ...number, written: 'plain', cellFormat: '0', noSum: isNoAmount },
  count: { ...number, cellFormat: '#,##0' },
  /** A number of different things, such as regions, which rows may have in common. */
  distinct: { ...number, cellFormat: '#,##0', noSum: isNoAmount },
  /** A place in an order, 1 for the first. */
  place: { ...number, cellFormat: '#,##0', noSum: isNoAmount },
  amount: { ...number, cellFormat: amounts },
  emissions: { ...number, hasUnit: true, cellFormat: amounts },
  /** A difference of emissions. */
  emissions_change: { ...number, hasUnit: true, cellFormat: changes },
  scope: { ...number, hasUnit: true, leavesOut: 4, cellFormat: amounts },
  scope_3: {
    ...number,
    hasUnit: true,
    leavesOut: 3,
    cellFormat: amounts,
    noSum: scope3IsShared,
  },
  total: {
    ...number,
    hasUnit: true,
    cellFormat: amounts,
    noSum: 'a total contains scope 3, which a sum counts twice',
  },
  score: { ...number, written: 'tenths', cellFormat: '0.0', noSum: hasNoSum },
  percentile: { ...number, cellFormat: '0', noSum: hasNoSum },
  factor: { ...number, cellFormat: factors, noSum: hasNoSum },
  /** A difference of shares in percentage points. */
  points: { ...number, written: 'tenths', cellFormat: '+0.0;"−"0.0;0.0', noSum: hasNoSum },
  share: { ...number, written: 'percent', cellFormat: shares, noSum: hasNoSum },
  /** What something changed by, as a share of what it was. */
  share_change: { ...number, written: 'percent', cellFormat: shareChanges, noSum: hasNoSum },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof kinds;

/** Returns the kind of a name. */
export function kindOf(name: KindName): Kind {
  return kinds[name];
}

/** Returns the heading of a column, with the unit of its emissions if it is known. */
export function headingOf(title: string, kind: KindName, unit: string | null | undefined): string {
  return unit && kindOf(kind).hasUnit ? `${title} (${unit})` : title;
}

/** Returns the word of a boolean: Excel and LibreOffice show one in the reader's language, or 1. */
export function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
