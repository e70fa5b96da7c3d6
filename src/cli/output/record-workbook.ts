/* Collects records for the workbook of `--out`. Like `carbon report`, it keeps rows on the disk. */
import packageJson from '../../../package.json' with { type: 'json' };
import type { Organization } from '../../api/schema.ts';
import type { CsvValue } from '../../batch/csv/output-cell.ts';
import { methodSheet, outputSheet, type Statements } from '../../batch/sheet/output-sheet.ts';
import type { Key } from '../../organizations/key.ts';
import { LatestRecords } from '../../report/input/latest-records.ts';
import { isSynthetic } from '../../report/summary/digest.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import { plural } from '../../terminal/format.ts';
import type { Session } from '../session.ts';
import { csvColumns } from './csv-columns.ts';
import { csvSource } from './csv-source.ts';
import { checkExtension, writeWorkbookFile } from './workbook-file.ts';

/** A workbook with a row for each organization, and the columns of `--csv`. */
export class RecordWorkbook {
  readonly #session: Session;
  readonly #records: LatestRecords;
  #hasSynthetic = false;

  constructor(session: Session) {
    this.#session = session;
    // After Ctrl-C, the workbook has the records that were received until then.
    this.#records = new LatestRecords({ signal: new AbortController().signal });
  }

  /** Adds a record, which replaces an earlier one with the same key. */
  async add(record: Organization, key?: Key): Promise<void> {
    if (isSynthetic(record)) this.#hasSynthetic = true;
    const source = csvSource(record);
    const row = csvColumns.map(({ value }) => value(source) ?? null);
    await this.#records.add(`${JSON.stringify(row)}\n`, key);
  }

  /**
   * Writes the workbook.
   *
   * @param from where the records come from, such as the names of files
   * @throws LocalError when writing fails
   */
  async write(path: string, from: Statements): Promise<void> {
    const latest = this.#records.latest();
    let organizations = 0;
    async function* rows(): AsyncGenerator<readonly CsvValue[], void, void> {
      for await (const text of latest) {
        organizations += 1;
        yield JSON.parse(text) as readonly CsvValue[];
      }
    }
    const sheets = [
      outputSheet({
        name: 'Organizations',
        columns: csvColumns.map(({ name }) => name),
        rows: rows(),
      }),
      methodSheet([
        ...writtenBy(this.#session),
        ...(this.#hasSynthetic
          ? [['synthetic data', 'figures of the sandbox, not real research'] as const]
          : []),
        ...from,
        ...csvColumns.map(({ name, description }) => [name, description] as const),
      ]),
    ];
    await writeWorkbookFile(this.#session, path, sheets, () => ({
      text: plural(organizations, 'organization'),
      event: { organizations },
    }));
  }

  /** Frees the disk space. */
  close(): Promise<void> {
    return this.#records.close();
  }
}

/**
 * Runs a command whose records go to the workbook of `--out`. If the command fails, the workbook
 * has the records that were received before.
 *
 * @throws UsageError for a path that is not an .xlsx workbook; LocalError when writing fails
 */
export async function withRecordWorkbook(
  session: Session,
  out: string,
  work: () => Promise<number>,
): Promise<number> {
  if (session.format === 'csv') throw new UsageError('--csv cannot be combined with --out');
  checkExtension(out, true);
  const { checkTarget } = await import('../../report/html/write-page.ts');
  await checkTarget(out, [], { flag: '--out', example: 'records.xlsx' });
  const workbook = new RecordWorkbook(session);
  let records = 0;
  session.onRecord = async (record) => {
    records += 1;
    await workbook.add(record);
  };
  try {
    return await work();
  } finally {
    try {
      if (records > 0) await workbook.write(out, [['records', 'retrieved from the service']]);
    } finally {
      await workbook.close();
    }
  }
}

/** Returns the statements that every workbook of records has. */
export function writtenBy({ context }: Session): Statements {
  const at = new Date(context.clock.now()).toISOString();
  return [
    ['written', `${at} by carbon ${packageJson.version}`],
    ['missing values', 'empty cells: the service has no value; they are not zero'],
  ];
}
