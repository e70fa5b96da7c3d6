/*
 * The one door for results: a command describes what it found, and `show` decides what becomes of
 * it, by the format of the session, the file of -o and the terminal.
 */
import type { Items } from '../../client/api/scheduler.ts';
import type { Column } from '../../display/query/query.ts';
import type { Screen } from '../../display/terminal/section.ts';
import type { RecordView } from '../../display/terminal/style.ts';
import type { CsvValue } from '../../lists/table/output-cell.ts';
import type { SheetContent } from '../../lists/workbook/sheet-xml.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import type { Session } from '../session.ts';
import type { OutExtension, OutFile, OutOptions, OutTable } from './out-file.ts';

/** What a result becomes: text for people, lines for programs, or a file. */
type Form = 'terminal' | 'pipe' | 'csv' | 'json' | 'ids' | 'workbook' | 'ndjson' | 'page';

/* A file of CSV has what --csv prints. */
const formsOfFiles: Readonly<Record<OutExtension, Form>> = {
  '.csv': 'csv',
  '.xlsx': 'workbook',
  '.ndjson': 'ndjson',
  '.html': 'page',
};

export interface Table<Row> {
  readonly name: string;
  /** The columns of CSV, workbooks and pipes; a terminal has those with a title. */
  readonly columns: readonly Column<Row>[];
  readonly rows: Items<Row>;
  /** Returns the ID for -q; nothing is printed if it is missing, or twice. */
  idOf?(row: Row): CsvValue;
  /** Whether nobody chose the columns. */
  readonly isUsual?: boolean;
  /** Whether a terminal says that the data is synthetic. */
  readonly synthetic?: boolean;
  /** That of the emissions, if nothing else says it: null is unknown. */
  readonly unit?: string | null;
}

/** What the file of -o has, where it is not the rows of the table in its columns. */
export interface FileTable<Row> extends Partial<OutTable> {
  /** The rows in other columns. */
  readonly table?: Table<Row>;
  /** Further sheets of a workbook. */
  readonly sheets?: readonly SheetContent[] | undefined;
  /** Called when the file was written, or failed. */
  close?(): void;
}

export interface Page {
  readonly html: string;
  /** Number of what the message counts: companies, or others with a `noun`. */
  readonly size: number;
  readonly noun?: string;
}

type Lazy<Value> = Value | (() => Value | Promise<Value>);

/**
 * What a command found, in each form that it has. `show` reads only what it needs, and prints
 * nothing in a form that is missing.
 */
export interface Result<Row = never> {
  /** What CSV, files, pipes and terminals have; undefined if there is nothing to show. */
  readonly table?: Lazy<Table<Row> | undefined>;
  /** What --json prints in place of lines: one document. */
  readonly document?: object;
  /** The lines of JSON: texts, or objects; by default, the rows of the table. */
  readonly json?: Items<string | object>;
  /** The lines of CSV; by default, the head and the rows of the table. */
  readonly csv?: Items<string> | undefined;
  /** The lines of -q; by default, each ID of the table once. */
  readonly ids?: Items<CsvValue>;
  /** What people read in place of a table, in a terminal and in a pipe. */
  readonly text?: Shown | ((view: RecordView) => Shown);
  /** What a terminal has in place of `text`. */
  readonly terminal?: Shown | ((view: RecordView) => Shown);
  page?(): Page | Promise<Page>;
  /** The lines of a file of JSON; none, and there is no file. */
  readonly fileLines?: Lazy<Items<string> | undefined>;
  readonly csvFile?: Lazy<FileTable<Row>>;
  readonly workbook?: Lazy<FileTable<Row> | undefined>;
}

type Shown = string | Screen | Promise<string | Screen> | AsyncIterable<string>;

export async function openOut(
  session: Session,
  path: string | undefined,
  options: OutOptions,
): Promise<OutFile | undefined> {
  if (path === undefined) return undefined;
  const { OutFile } = await import('./out-file.ts');
  return OutFile.open(session, path, options);
}

/** Opens the file of -o for records. */
export function openRecordFile(
  session: Session,
  path: string | undefined,
  inputs: readonly string[] = [],
): Promise<OutFile | undefined> {
  return openOut(session, path, { extensions: ['.xlsx', '.csv', '.ndjson'], inputs });
}

/**
 * Checks that a title has a page to stand on.
 * @throws UsageError if the output is no page
 */
export function checkTitle(title: string | undefined, out: OutFile | undefined): void {
  if (title !== undefined && (out === undefined || formsOfFiles[out.extension] !== 'page'))
    throw new UsageError('--title applies only to a page', 'Name the page: -o page.html.');
}

function formOf({ format, context }: Session, out: OutFile | undefined): Form {
  if (out !== undefined) return formsOfFiles[out.extension];
  if (format !== 'human') return format;
  return context.stdout.isTerminal ? 'terminal' : 'pipe';
}

/** Returns what belongs to the form of a result, for what a command decides before it has one. */
export function byForm<Value>(
  session: Session,
  values: { readonly [form in Form]?: Value } & { readonly other: Value },
  out?: OutFile,
): Value {
  const form = formOf(session, out);
  return form in values ? (values[form] as Value) : values.other;
}

/** Tells whether a result takes a form, as `byForm` does. */
export function isForm(session: Session, form: Form, out?: OutFile): boolean {
  return formOf(session, out) === form;
}

/**
 * Prints a result, and what it says: in a terminal before the rows, which may be more than a screen
 * shows; otherwise after them.
 */
export async function showSummarized<Row>(
  session: Session,
  result: Result<Row>,
  { out, summarize }: { readonly out: OutFile | undefined; readonly summarize: () => void },
): Promise<void> {
  const isFirst = isForm(session, 'terminal', out);
  if (isFirst) summarize();
  await show(session, result, out);
  if (!isFirst) summarize();
}

/**
 * Prints a result in the format of the session, or writes it to a file. Rows and lines go out as
 * they arrive; only a table in a terminal waits for the last one.
 * @param out the file of -o, if there is one
 */
export async function show<Row>(
  session: Session,
  result: Result<Row>,
  out?: OutFile,
): Promise<void> {
  if (out !== undefined) return write(out, formsOfFiles[out.extension], result);
  await byForm<Print>(session, { ...printers, other: () => undefined })(session, result);
}

type Print = <Row>(session: Session, result: Result<Row>) => void | Promise<void>;

/* What standard output has of a result, in each of its forms. */
const printers = {
  terminal(session, { text, terminal = text, table }) {
    if (terminal !== undefined) return printText(session, terminal);
    return printRowsOf(table, (found, lines) => lines.printTable(session, found));
  },
  pipe(session, { text, table }) {
    if (text !== undefined) return printText(session, text);
    return printRowsOf(table, ({ columns, rows }, lines) =>
      lines.printRows(session, rows, (row) => lines.renderTabbed(columns, row)),
    );
  },
  json(session, { document, json, table }) {
    const line = (row: string | object) => session.jsonLine(row);
    if (document !== undefined) return session.printJson(JSON.stringify(document));
    if (json !== undefined) return printLines(session, json, line);
    return printRowsOf(table, ({ rows }, lines) =>
      lines.printRows(session, rows as Items<object>, line),
    );
  },
  csv(session, { csv, table }) {
    if (csv !== undefined) return printLines(session, csv, (line) => line);
    return printRowsOf(table, ({ columns, rows }, lines) =>
      lines.printRows(session, rows, lines.csvLine(columns), lines.csvHead(columns)),
    );
  },
  async ids(session, { ids, table }) {
    if (ids !== undefined) {
      const lines = await import('./print-rows.ts');
      return lines.printRows(session, ids, lines.idLine);
    }
    return printRowsOf(
      table,
      ({ rows, idOf }, lines) => idOf && lines.printRows(session, rows, lines.newIdLine(idOf)),
    );
  },
} satisfies Partial<Record<Form, Print>>;

async function printText(
  session: Session,
  text: Shown | ((view: RecordView) => Shown),
): Promise<void> {
  const shown = await (typeof text === 'function' ? text(session.view) : text);
  if (typeof shown === 'string') session.print(shown);
  else if ('more' in shown) {
    session.print(shown.text);
    if (shown.more === '') return;
    // Nothing stands below what to add for more.
    session.messages.end();
    session.print(shown.more);
  } else for await (const part of shown) session.print(part);
}

type Lines = typeof import('./print-rows.ts');

async function printLines<Line>(
  session: Session,
  lines: Items<Line>,
  toText: (line: Line) => string,
): Promise<void> {
  const { printRows } = await import('./print-rows.ts');
  await printRows(session, lines, toText);
}

async function printRowsOf<Row>(
  table: Result<Row>['table'],
  print: (table: Table<Row>, lines: Lines) => void | Promise<void>,
): Promise<void> {
  const found = await read(table);
  if (found !== undefined) await print(found, await import('./print-rows.ts'));
}

async function write<Row>(out: OutFile, form: Form, result: Result<Row>): Promise<void> {
  if (form === 'page') {
    const page = await result.page?.();
    return page && out.writePage(page.html, page.size, page.noun);
  }
  if (form === 'ndjson') {
    const lines = await read(result.fileLines);
    return lines && out.writeLines(lines);
  }
  const { csvFile = {}, workbook = {} } = result;
  const file = await read(form === 'csv' ? csvFile : workbook);
  if (file === undefined) return;
  try {
    const { sheets, close: _, table: other, ...own } = file;
    const table = other ?? (own.rows === undefined ? await read(result.table) : undefined);
    const given = form === 'csv' ? tableOf : sheetOf;
    const { columns, rows, ...content } = { ...(table && (await given(table))), ...own };
    if (columns !== undefined && rows !== undefined)
      await out.writeTable({ name: '', ...content, columns, rows }, sheets);
  } finally {
    file.close?.();
  }
}

async function read<Value>(lazy: Lazy<Value>): Promise<Value> {
  return typeof lazy === 'function' ? (lazy as () => Value | Promise<Value>)() : lazy;
}

/* A workbook is for people, who read words. */
async function sheetOf<Row>(table: Table<Row>): Promise<OutTable> {
  const { headersOf } = await import('../../lists/table/sheet-headers.ts');
  const headers = headersOf(table.columns);
  const columns = table.columns.map((column, index) => ({ ...column, header: headers[index] }));
  return { ...tableOf(table), columns };
}

/** Returns a table as the cells of a file. */
function tableOf<Row>({ name, columns, rows }: Table<Row>): OutTable {
  async function* cells() {
    for await (const row of rows) yield columns.map(({ value }) => value(row));
  }
  return { name, columns, rows: cells() };
}
