/* What a result has of each record, by where it goes: cells of columns, or the record itself. */
import { compactJson } from '../../client/api/json-tokens.ts';
import type { RecordColumn } from '../../portfolio/organizations/columns.ts';
import {
  organizationTable,
  type RecordTable,
  type Shape,
  sourceSheet,
  yearTable,
} from '../../portfolio/organizations/tables.ts';
import { recordLine } from '../../portfolio/records/envelope.ts';
import type { RecordSource } from '../../portfolio/records/records.ts';
import { ValueFile } from '../../runtime/temporary-file.ts';
import type { Session } from '../session.ts';
import type { OutFile } from './out-file.ts';
import { byForm } from './show.ts';

export type RecordShape = Shape<RecordSource>;

/** Returns the column of a workbook, which has words in place of codes. */
export function readable({ inWords, ...column }: RecordColumn): RecordColumn {
  return inWords === undefined
    ? column
    : { ...column, description: inWords.description, value: inWords.value };
}

/** Returns what to keep of each record if nobody chose the columns. */
export function usualShape(
  session: Session,
  table: RecordTable,
  out: OutFile | undefined,
): RecordShape {
  const { written, read, terminal, pipe } = table;
  const sheets = (table === organizationTable ? [yearTable, sourceSheet] : []).map((sheet) => ({
    ...sheet,
    written: sheet.read.map(readable),
  }));
  return byForm<RecordShape>(
    session,
    {
      terminal: { columns: terminal, texts: 'compact' },
      pipe: { columns: pipe },
      workbook: { columns: read.map(readable), sheets, values: new ValueFile() },
      json: { columns: [], line: (_, source) => source.json() },
      ndjson: {
        columns: [],
        line: ({ record }, source) =>
          recordLine(record.id ?? undefined, source, compactJson(source.json())),
      },
      other: { columns: written },
    },
    out,
  );
}
