import type { RecordResponse } from '../../api/http/response.ts';
import type { Organization } from '../../api/schema.ts';
import { hasQuery, type QueryOptions } from '../option-parsers.ts';
import type { Session } from '../session.ts';
import { checked, printRecord, printTable } from './print-records.ts';

/** Prints the records of several organizations. */
export interface RecordOutput {
  /** Prints what precedes the first record, such as the header of CSV. */
  begin(): Promise<void>;
  add(received: RecordResponse): Promise<void>;
  /** Prints what waits for the last record, such as a table. */
  end(): Promise<void>;
}

/**
 * Opens the output of several records: all of them, or those that a query selects.
 * @throws UsageError for an invalid query
 */
export async function openOutput(session: Session, query: QueryOptions): Promise<RecordOutput> {
  return hasQuery(query) ? openSelection(session, query) : allRecords(session);
}

function allRecords(session: Session): RecordOutput {
  const isTable = session.format === 'human' && session.view.terminal;
  const table: Organization[] = [];
  return {
    async begin() {
      if (session.format === 'csv') await session.printCsv();
    },
    async add(received) {
      if (isTable) table.push(received.record);
      else await printRecord(session, received, true);
    },
    async end() {
      if (table.length > 0) await printTable(session, table);
    },
  };
}

async function openSelection(session: Session, query: QueryOptions): Promise<RecordOutput> {
  const { RecordSelection } = await import('../selection/record-selection.ts');
  const selection = await RecordSelection.open(session, query);
  return {
    begin: async () => selection.begin(),
    async add({ record, json }) {
      const read = await checked(session, record);
      await selection.add(selection.read(read, () => json));
    },
    async end() {
      try {
        await selection.end();
      } finally {
        await selection.close();
      }
    },
  };
}
