/* Reads the form of `--csv` from its options. */

import { UsageError } from '../../runtime/carbon-error.ts';
import { type CsvFormat, standardCsv } from '../../table/output-cell.ts';

/** The options of the form of `--csv`. */
export interface CsvFlags {
  readonly excel?: boolean;
  readonly locale?: string;
  readonly delimiter?: string;
}

/* The words and signs of the delimiters that carbon guards against formulas. */
const delimiters: Readonly<Record<string, string>> = {
  ',': ',',
  comma: ',',
  ';': ';',
  semicolon: ';',
  '\t': '\t',
  '\\t': '\t',
  tab: '\t',
  '|': '|',
  pipe: '|',
};

/* Regions where Windows separates lists with a semicolon although the decimal sign is a point. */
const semicolonRegions = new Set(['CH', 'LI']);

const semicolon = ';';

/**
 * Returns the form of `--csv`.
 *
 * A locale with a decimal comma has the delimiter `;`, as Excel expects there.
 * @throws UsageError for an unknown locale or delimiter
 */
export function readCsvFormat({ excel, locale, delimiter }: CsvFlags): CsvFormat {
  const ofLocale = locale === undefined ? standardCsv : localeFormat(locale);
  const given = delimiter === undefined ? undefined : readDelimiter(delimiter);
  return {
    delimiter: given ?? ofLocale.delimiter,
    decimalSign: ofLocale.decimalSign,
    hasMark: excel === true,
  };
}

function localeFormat(text: string): CsvFormat {
  const tag = text.replace(/\..*$/, '').replaceAll('_', '-');
  const known = supported(tag);
  if (known === undefined)
    throw new UsageError(
      `--locale: "${text}" is not a known locale`,
      'Use a language, or a language and a region, such as de, fr-CH or en-US.',
    );
  const sign = new Intl.NumberFormat(known, { numberingSystem: 'latn' })
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value;
  const decimalSign = sign === ',' ? ',' : '.';
  const region = new Intl.Locale(known).region ?? '';
  const isSemicolon = decimalSign === ',' || semicolonRegions.has(region);
  return { ...standardCsv, decimalSign, delimiter: isSemicolon ? semicolon : ',' };
}

function supported(tag: string): string | undefined {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0];
  } catch {
    return undefined;
  }
}

function readDelimiter(text: string): string {
  const name = text.toLowerCase();
  const delimiter = Object.hasOwn(delimiters, name) ? delimiters[name] : undefined;
  if (delimiter !== undefined) return delimiter;
  throw new UsageError(
    `--delimiter: "${text}" is not a delimiter`,
    'Use comma, semicolon, tab or pipe, or the character itself in quotes.',
  );
}
