import type { RecordResponse } from '../../api/responses.ts';
import type { Organization } from '../../api/schema.ts';
import { hasQuery, type OutputOptions, type QueryOptions } from '../option-parsers.ts';
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

/**
 * Opens the output of several records: all of them, or those that a query selects. With `--out`,
 * they go to a workbook; then standard output has only what --json and -q print.
 * @throws UsageError for an invalid query or path
 */
export async function openOutput(session: Session, options: OutputOptions): Promise<RecordOutput> {
  const { out } = options;
  if (out !== undefined) {
    const [{ openRecordWorkbook }, { checked }] = await Promise.all([
      import('./record-workbook.ts'),
      import('./checked-record.ts'),
    ]);
    const opened = await openRecordWorkbook(session, out, options);
    const workbook: RecordOutput = {
      ...opened,
      add: async (received) =>
        opened.add({ ...received, record: checked(session, received.record) }),
    };
    if (session.format === 'human') return workbook;
    return both(await openPrinted(session, options), workbook);
  }
  return openPrinted(session, options);
}

async function openPrinted(session: Session, query: QueryOptions): Promise<RecordOutput> {
  return hasQuery(query) ? openSelection(session, query) : allRecords(session);
}

/* The workbook ends last, and also if the other output fails. */
function both(printed: RecordOutput, workbook: RecordOutput): RecordOutput {
  return {
    begin: () => printed.begin(),
    async add(received) {
      await workbook.add(received);
      await printed.add(received);
    },
    async end() {
      try {
        await printed.end();
      } finally {
        await workbook.end();
      }
    },
  };
}

function allRecords(session: Session): RecordOutput {
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

async function openSelection(session: Session, query: QueryOptions): Promise<RecordOutput> {
  const [{ RecordSelection }, { checked }] = await Promise.all([
    import('../selection/record-selection.ts'),
    import('./checked-record.ts'),
  ]);
  const selection = await RecordSelection.open(session, query);
  return {
    begin: async () => selection.begin(),
    async add({ record, json }) {
      await selection.add(checked(session, record), () => json);
    },
    async end() {
      await selection.end();
    },
  };
}
