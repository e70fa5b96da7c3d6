/*
 * Writes the records that a query selects to the workbook of `--out`. Like `carbon report`, it
 * keeps rows on the disk.
 */

import packageJson from '../../../package.json' with { type: 'json' };
import type { OrganizationId } from '../../api/ids.ts';
import type { Organization } from '../../api/schema.ts';
import type { Query } from '../../query/query.ts';
import type { CsvValue } from '../../table/output-cell.ts';
import { methodSheet, outputSheet, type Statements } from '../../table/output-sheet.ts';
import { count, plural } from '../../terminal/format.ts';
import type { QueryOptions } from '../option-parsers.ts';
import { LatestRows } from '../selection/latest-rows.ts';
import { readQuery } from '../selection/read-query.ts';
import { type ReadSelected, selectedReader } from '../selection/read-row.ts';
import type { Session } from '../session.ts';
import { type CsvColumn, csvColumns, everyColumn } from './csv-columns.ts';
import type { CsvSource } from './csv-source.ts';
import type { RecordOutput } from './record-output.ts';
import { checkOut, writeWorkbookFile } from './workbook-file.ts';

type Row = readonly CsvValue[];

/** What a workbook of records needs. */
export interface RecordWorkbookOptions {
  /** The path of the workbook. */
  readonly out: string;
  readonly query: QueryOptions;
  /** Input files, which the workbook must not replace. */
  readonly inputs: readonly string[];
  /** Whether another output reports how many organizations the query selected. */
  readonly isSecond?: boolean;
}

/** Collects records for a workbook with the columns of `--csv`. */
export class RecordWorkbook {
  readonly #session: Session;
  readonly #options: RecordWorkbookOptions;
  readonly #columns: readonly CsvColumn[];
  readonly #read: ReadSelected<Row>;
  readonly #rows: LatestRows<Row>;
  #isEmpty = true;
  #isSynthetic = false;

  private constructor(
    session: Session,
    options: RecordWorkbookOptions,
    query: Query<CsvSource>,
    columns: readonly CsvColumn[],
  ) {
    this.#session = session;
    this.#options = options;
    this.#columns = columns;
    const read = (source: CsvSource) => columns.map(({ value }) => value(source) ?? null);
    this.#read = selectedReader(query, read);
    this.#rows = new LatestRows(query);
  }

  /**
   * Checks the path and the query.
   *
   * @throws UsageError for an invalid query, for a path that is not an .xlsx workbook, and with
   * --csv; LocalError for a directory in which carbon cannot write
   */
  static async open(session: Session, options: RecordWorkbookOptions): Promise<RecordWorkbook> {
    const { out, inputs } = options;
    await checkOut(session, out, inputs, { isOnlyWorkbook: true, example: 'records.xlsx' });
    const query = await readQuery(options.query, session.format);
    const columns =
      query.columns?.flatMap(
        ({ name }) => everyColumn.find((column) => column.name === name) ?? [],
      ) ?? csvColumns;
    return new RecordWorkbook(session, options, query, columns);
  }

  /** Whether it received no record. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /**
   * Adds a record, which replaces an earlier one with the same key.
   *
   * @throws LocalError when the disk of the temporary file is full
   */
  async add(record: Organization, key?: OrganizationId): Promise<void> {
    this.#isEmpty = false;
    this.#rows.add(
      this.#read(record, () => ''),
      key,
    );
  }

  /**
   * Writes the workbook.
   *
   * @param from where the records come from, such as the names of files
   * @throws LocalError when writing fails
   */
  async write(from: Statements): Promise<void> {
    const session = this.#session;
    const { counts } = this.#rows;
    const columns = this.#columns;
    const sheets = [
      outputSheet({
        name: 'Organizations',
        columns: columns.map(({ name }) => name),
        rows: this.#items(),
      }),
      // The rows decide some of the statements, so carbon reads them first.
      methodSheet(() => [
        ...writtenBy(session),
        ...(this.#isSynthetic
          ? [['synthetic data', 'figures of the sandbox, not real research'] as const]
          : []),
        ...from,
        ...this.#selection(),
        ...columns.map(({ name, description }) => [name, description] as const),
      ]),
    ];
    const { out, isSecond } = this.#options;
    await writeWorkbookFile(session, out, sheets, () => {
      if (!isSecond) counts.report(session, 'writes');
      const { selected } = counts;
      return {
        text: plural(selected, 'organization'),
        event: { organizations: selected },
      };
    });
  }

  async *#items(): AsyncGenerator<Row, void, void> {
    for await (const { item, isSynthetic } of this.#rows.rows()) {
      this.#isSynthetic ||= isSynthetic;
      yield item;
    }
  }

  /* States how the rows were selected, because the file may travel without its command. */
  #selection(): Statements {
    const { where = [], sort, top } = this.#options.query;
    const { organizations, selected } = this.#rows.counts;
    return [
      ...where.map((condition) => ['condition', condition] as const),
      ...(sort === undefined ? [] : [['order', sort] as const]),
      ...(top === undefined ? [] : [['maximum rows', String(top)] as const]),
      ...(selected === organizations
        ? []
        : [
            [
              'selected',
              `${count.format(selected)} of ${plural(organizations, 'organization')}`,
            ] as const,
          ]),
    ];
  }
}

/**
 * Opens a workbook as the output of records from the service. If the command fails, the workbook
 * has the records that arrived before; without any, no file is written. It adds records unchecked.
 *
 * @throws as `RecordWorkbook.open` does
 */
export async function openRecordWorkbook(
  session: Session,
  out: string,
  query: QueryOptions,
): Promise<RecordOutput> {
  const isSecond = session.format !== 'human';
  const options = { out, query, inputs: [], isSecond };
  const workbook = await RecordWorkbook.open(session, options);
  return {
    begin: async () => undefined,
    add: ({ record }) => workbook.add(record),
    async end() {
      if (!workbook.isEmpty) await workbook.write([['records', 'retrieved from the service']]);
    },
  };
}

/** Returns the statements that every workbook of records has. */
export function writtenBy({ context }: Session): Statements {
  const writtenAt = new Date(context.clock.now()).toISOString();
  return [
    ['written', `${writtenAt} by carbon ${packageJson.version}`],
    ['missing values', 'empty cells: the service has no value; they are not zero'],
  ];
}
