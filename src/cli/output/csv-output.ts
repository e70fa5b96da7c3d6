import type { Organization } from '../../api/schema.ts';
import type { CsvFormat, CsvValue } from '../../table/output-cell.ts';
import { renderCsvLine } from '../../table/output-cell.ts';
import { renderCsvHeader, renderCsvRow } from './csv.ts';
import { type CsvFlags, readCsvFormat } from './csv-format.ts';

const byteOrderMark = '\ufeff';

/** Writes the CSV table of one run: the byte order mark if there is one, a header, and rows. */
export class CsvOutput {
  readonly format: CsvFormat;
  readonly #write: (text: string) => void;
  #isHeaded = false;
  #isStarted = false;

  /** @throws UsageError for an unknown locale or delimiter */
  constructor(flags: CsvFlags, write: (text: string) => void) {
    this.format = readCsvFormat(flags);
    this.#write = write;
  }

  /** Writes the header of a table of records, unless it is already written. */
  writeHeader(leading: readonly string[] = []): void {
    if (this.#isHeaded) return;
    this.#isHeaded = true;
    this.writeText(renderCsvHeader(leading, this.format));
  }

  /** Writes the row of a record. */
  writeRecord(record: Organization, leading: readonly CsvValue[] = []): void {
    this.writeText(renderCsvRow(record, leading, this.format));
  }

  /** Writes a line of any table. */
  writeCells(cells: readonly CsvValue[]): void {
    this.writeText(renderCsvLine(cells, this.format));
  }

  /** Writes lines that were rendered in the format of this output. */
  writeText(text: string): void {
    this.#write(this.format.hasMark && !this.#isStarted ? byteOrderMark + text : text);
    this.#isStarted = true;
  }
}
