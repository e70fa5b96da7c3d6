/* The flags of `carbon footprint`, and what they mean together. */
import type { Boundary, UpstreamReading } from '../../../footprint/register-row.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import type { Session } from '../../session.ts';

/** The flags of `carbon footprint`, as commander parses them. */
export interface FootprintFlags {
  readonly records?: readonly string[];
  readonly save?: string;
  readonly out?: string;
  readonly map?: readonly string[];
  readonly currency?: string;
  readonly spendYear?: number;
  readonly spendFactor?: number;
  readonly decimal?: ',' | '.';
  readonly boundary: Boundary;
  readonly upstream?: UpstreamReading;
  readonly fallback: 'industry' | 'none';
  readonly unit?: 'kg' | 't';
  readonly whatIf?: number;
  readonly journal?: string;
  readonly encoding?: string;
  readonly skipLines?: number;
  readonly header?: boolean;
  readonly sheet?: string;
}

const maxSuppliers = 1_000_000_000;

/** Parses `--what-if set:10` to the number of suppliers. */
export function readWhatIf(text: string): number {
  const number = /^set:(\d{1,9})$/.exec(text)?.[1];
  if (number !== undefined && Number(number) > 0) return Math.min(Number(number), maxSuppliers);
  throw new UsageError(
    `--what-if: "${text}" is not set:<n>`,
    'Write the number of suppliers that set a target, such as --what-if set:10.',
  );
}

/** Parses `--decimal`. */
export function readDecimal(text: string): ',' | '.' {
  if (text === ',' || text === '.') return text;
  throw new UsageError(
    `--decimal: "${text}" is neither , nor .`,
    'Use --decimal , for 1.234,50 and --decimal . for 1,234.50.',
  );
}

/** Parses `--spend-factor`, the power of ten that multiplies every amount. */
export function readSpendFactor(text: string): number {
  if (/^10{0,12}$/.test(text)) return Number(text);
  throw new UsageError(
    `--spend-factor: "${text}" is not a power of ten`,
    'Use 1000 for amounts in thousands, 1000000 for amounts in millions, 1 for single units.',
  );
}

/**
 * Checks that flags fit together, before any file, the sandbox or the service is used.
 * @throws UsageError for flags that exclude each other, and for output files that carbon cannot
 * write
 */
export async function checkFlags(
  session: Session,
  file: string,
  { out, save, records = [] }: FootprintFlags,
): Promise<void> {
  if (save !== undefined && records.length > 0) {
    throw new UsageError(
      '--save cannot be combined with --records',
      '--save writes the records that carbon retrieves; with --records, it retrieves none.',
    );
  }
  if ([file, ...records].filter((path) => path === '-').length > 1)
    throw new UsageError('Standard input can be read only once, but - was given twice');
  const inputs = [file, ...records];
  if (out !== undefined) {
    const { checkOut } = await import('../../output/workbook-file.ts');
    await checkOut(session, out, inputs, { isOnlyWorkbook: false, example: 'footprint.html' });
  }
  if (save === undefined) return;
  const { checkTarget } = await import('../../../page/write-page.ts');
  await checkTarget(save, inputs, { flag: '--save', example: 'records.ndjson' });
  if (save === out) throw new UsageError('--save and --out name the same file');
}
