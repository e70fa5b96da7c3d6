import { readReference } from '../../api/ids.ts';
import type { RecordResponse } from '../../api/responses.ts';
import type { Organization } from '../../api/schema.ts';
import type { Session } from '../session.ts';
import { type PrintRecord, printTable, recordPrinter } from './print-records.ts';

/** Prints the records of several organizations. */
export interface RecordOutput {
  /** Prints what precedes the first record, such as the header of CSV. */
  begin(): Promise<void>;
  add(received: RecordResponse): Promise<void>;
  /** Prints what waits for the last record, such as a table. */
  end(): Promise<void>;
}

/** Where records that a command retrieves go. */
export interface OutputOptions {
  /** The file of `-o`; undefined for standard output. */
  readonly out: string | undefined;
  readonly currency: string | undefined;
}

/**
 * Opens the output of several records.
 * @throws as `OutFile.open` does
 */
export async function openOutput(
  session: Session,
  { out, currency }: OutputOptions,
): Promise<RecordOutput> {
  if (out === undefined) return standardOutput(session);
  const [{ RetrievedFile }, { checked }] = await Promise.all([
    import('./record-file.ts'),
    import('./checked-record.ts'),
  ]);
  const file = await RetrievedFile.open(session, out, currency);
  return {
    begin: async () => undefined,
    add: async ({ record, json }) =>
      file.add(checked(session, record), readReference(record).id, json),
    end: () => file.end(),
  };
}

function standardOutput(session: Session): RecordOutput {
  const { stdout } = session.context;
  const isTable = session.format === 'human' && session.view.terminal;
  const table: Organization[] = [];
  let print: PrintRecord = ({ record }) => void table.push(record);
  return {
    async begin() {
      if (session.format === 'csv') await session.printCsv();
      if (!isTable) print = await recordPrinter(session, true);
    },
    async add(received) {
      print(received);
      await stdout.drained;
    },
    async end() {
      if (table.length > 0) await printTable(session, table);
    },
  };
}
