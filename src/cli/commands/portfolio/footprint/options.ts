/* The options of `carbon footprint`. */
import { existsSync } from 'node:fs';
import { boundaries, upstreamReadings } from '../../../../portfolio/footprint/line-item.ts';
import { amountScales } from '../../../../portfolio/footprint/spend/columns.ts';
import { UsageError } from '../../../../runtime/carbon-error.ts';
import { tableOptions } from '../../../input-table.ts';
import {
  currencies,
  keepOption,
  type OptionGroups,
  type OptionValues,
  outOption,
  parseYear,
  readCount,
  readDay,
  titleOption,
  unitOption,
  ValueError,
} from '../../../options.ts';

const collect = (text: string, sofar: readonly string[] = []) => [...sofar, text];

export const footprintOptions = {
  Amounts: [
    {
      flags: '--map <field=column>',
      description: 'assign columns to fields: spend=Amount,name=Vendor (repeatable)',
      parse: collect,
    },
    {
      flags: '--rows <column=value>',
      description: 'use only rows with this value, or without it (Status!=Void; repeatable)',
      parse: collect,
    },
    {
      flags: '--year <year>',
      description: 'use only spend of this year',
      parse: parseYear('--year'),
    },
    {
      flags: '--spend-currency <code>',
      description: 'ISO 4217 currency of all amounts, such as EUR',
      offers: currencies,
    },
    {
      flags: '--spend-year <year>',
      description: 'year of all amounts, such as 2024',
      parse: parseYear('--spend-year'),
    },
    {
      flags: '--amounts-in <scale>',
      description:
        'scale of all amounts: units, thousands or millions; required if a header mentions one',
      choices: Object.keys(amountScales) as (keyof typeof amountScales)[],
      alsoCalled: {
        units: ['1', 'one', 'full', 'whole'],
        thousands: ['k', 't', 'tsd', '1000', '1,000', '1.000', 'teur', 't€', 'keur', 'k€', 'kusd'],
        millions: ['m', 'mn', 'mm', 'mio', '1000000', '1,000,000', 'meur', 'm€', 'mioeur', 'musd'],
      },
      advice: 'Their currency: --spend-currency EUR.',
    },
    {
      flags: '--decimal <sign>',
      description: 'decimal sign of the amounts: "," or "."',
      parse: readDecimal,
    },
    { flags: '--invert', description: 'reverse the sign of all amounts' },
    ...tableOptions,
  ],
  Method: [
    {
      flags: '--boundary <name>',
      description: 'emissions to count: cradle-to-gate, scope-1-2 or total',
      choices: boundaries,
      default: 'cradle-to-gate',
    },
    {
      flags: '--upstream-factor <kind>',
      description:
        'additive (without scopes 1 and 2) or nested; required if the records do not show it',
      choices: upstreamReadings,
    },
    {
      flags: '--max-factor-age <years>',
      description: 'maximum age of the figures, in years',
      parse: readCount('--max-factor-age', 0, 300, 5),
      default: 5,
    },
    unitOption,
  ],
  'Targets and changes': [
    {
      flags: '--goal <share>',
      description: 'share with targets: "67% by 2028", "80% of spend"',
    },
    {
      flags: '--compare <base>',
      description: 'compare with an earlier year or a saved footprint',
      parse: readCompared,
    },
    {
      flags: '--since <date>',
      description: 'show what changed since the end of this day (UTC)',
      parse: readDay('--since'),
    },
    {
      flags: '--at <date>',
      description: 'use the records as of the end of this day (UTC)',
      parse: readDay('--at'),
    },
  ],
  'Records and files': [
    {
      flags: '--records <file>',
      description: 'read another synced list, or records (repeatable)',
      parse: collect,
    },
    outOption(['.html', '.xlsx', '.csv']),
    { flags: '--full', description: 'show all steps, tables, and how it read the file' },
    titleOption,
    keepOption,
  ],
} as const satisfies OptionGroups;

export type FootprintFlags = OptionValues<typeof footprintOptions>;

function readDecimal(text: string): ',' | '.' {
  if (text === ',' || text === '.') return text;
  throw new UsageError(
    `--decimal: "${text}" is neither , nor .`,
    'Use --decimal "," for 1.234,50 and --decimal "." for 1,234.50.',
  );
}

/* Reads an earlier year, or the path of a saved footprint. */
function readCompared(text: string): string {
  const isYear = /^\d{4}$/.test(text) || !/^\W*(?:FY|CY)?\W*(?:\d\d){1,2}\W*$/i.test(text);
  if (isYear || existsSync(text)) return text;
  const [flag, problem] = ['--compare', 'is neither a year nor a file'];
  throw new ValueError(`${flag}: "${text}" ${problem}`, { flag, text, year: true });
}
