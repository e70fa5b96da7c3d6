/* The rows of a list: their identity, and the registration that each one is. */
import { countryCode } from '../../client/registration/countries.ts';
import {
  type Field,
  identifierFields,
  isAddress,
  type Problem,
  type Registration,
} from '../../client/registration/fields.ts';
import type { Checked } from '../../client/registration/iso-codes.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import { cellValue, normalizeCell, readBoolean } from '../table/cell.ts';
import type { CsvDialect } from '../table/dialect.ts';
import type { InputFile } from '../table/input-file.ts';
import { type Row, type RowGroup, type RowOptions, readRows } from '../table/rows.ts';
import type { CellKind } from '../workbook/cells.ts';
import type { Mapping } from './columns.ts';
import {
  type DoubtfulRows,
  doubtfulKind,
  firstText,
  type HeldBackRow,
  isIdentified,
  ListShape,
} from './doubtful-rows.ts';
import { chooseKey, type FormerCells } from './former-readings.ts';

export interface IdentifiedRow extends Row {
  readonly key: string;
  readonly mapping: Mapping;
  /** The values to send. The key is a hash of all mapped cells, including those left out here. */
  readonly values: Values;
  /** The number in a D-U-N-S cell whose leading zeros were restored. */
  readonly restored?: string | undefined;
}

export interface IdentifiedGroup extends Omit<RowGroup, 'rows'> {
  readonly rows: readonly IdentifiedRow[];
  /** Rows that are left out, because they seem to be no organizations. */
  readonly heldBack: readonly HeldBackRow[];
}

export interface IdentifiedTable {
  readonly source: InputFile;
  readonly dialect: CsvDialect;
  readonly mapping: Mapping;
  /**
   * The base URL, `sandbox`, or an empty text while none is known. It is part of each row's key;
   * if undefined, rows have no key.
   */
  readonly service: string | undefined;
  /** Fields whose columns are not sent, although they are mapped. */
  readonly unsent?: readonly Field[] | undefined;
  /** Which rows are held back; undefined if none is, not even a total. */
  readonly doubtful?: DoubtfulRows | undefined;
  /** The cells of a row as an earlier run may have read them. */
  readonly formerCells?: FormerCells | undefined;
  /**
   * Whether an earlier run registered the row with a key, which then is never held back, and keeps
   * the key of its former reading.
   */
  readonly wasRegistered?: ((key: string) => boolean) | undefined;
  /** Whether rows have what a copy of their cells needs. */
  readonly withStored?: boolean | undefined;
}

/**
 * Reads the rows of a list with their identities.
 * @throws UsageError if the text is not a table; LocalError if the file changed since it was first
 * read
 */
export async function* identifyRows(
  table: IdentifiedTable,
): AsyncGenerator<IdentifiedGroup, void, void> {
  const { source, dialect, mapping, service, doubtful, withStored } = table;
  // Loading node:crypto takes a thirtieth of an everyday command.
  const keys = service === undefined ? undefined : await import('./keys.ts');
  const dunsAt = mapping.columns.find(({ field }) => field === 'duns_number')?.index ?? -1;
  const how = { ...rowOptions(mapping), withStored };
  for await (const group of readRows(source, dialect, how)) {
    const rows: IdentifiedRow[] = [];
    const heldBack: HeldBackRow[] = [];
    for (const row of group.rows) {
      const { line, cells, problem, kinds } = row;
      const values = readShown(row, mapping) ?? readValues(cells, mapping);
      const sent = withoutMissing(values, table.unsent);
      const restored = shortDuns(sent, kinds === undefined ? 'CSV' : kinds[dunsAt]);
      const complete = restored ? { ...sent, duns_number: restored.padStart(9, '0') } : sent;
      const key = keys && service !== undefined ? keyOf(table, row, values, keys.identityKey) : '';
      const kind =
        doubtful && doubtfulKind({ line, cells, problem, values: sent }, mapping, doubtful);
      if (kind !== undefined && !table.wasRegistered?.(key)) {
        heldBack.push({ line, kind, text: sent.name ?? firstText(row) });
        continue;
      }
      // A copy by `...row` would double the time and the memory of a check.
      rows.push({
        line,
        cells,
        problem,
        kinds,
        key,
        mapping,
        values: complete,
        restored,
        shown: withStored ? row.shown : undefined,
        stored: row.stored,
      });
    }
    const { headers, afterBlank, completed } = group;
    yield { rows, headers, afterBlank, completed, heldBack };
  }
}

/** Returns how to read the rows of a list with these columns. */
export function rowOptions(mapping: Mapping): RowOptions {
  return {
    isOwnRow: (cells) => isIdentified(readValues(cells, mapping)),
    withLinks: mapping.columns.some(({ field }) => field === 'website'),
  };
}

/*
 * Reads the values of a row of a workbook as a person sees them: numbers with the zeros that their
 * formats show, and the address of a link in the column of the website if the text is no address.
 * Returns undefined if the cells have the same values; earlier keys were made of these.
 */
function readShown(row: Row, mapping: Mapping): Values | undefined {
  const { cells, shown, links } = row;
  if (shown === undefined && links === undefined) return undefined;
  const seen = [...cells];
  let isDifferent = false;
  for (const { field, index } of mapping.columns) {
    const isLink = field === 'website' && !isAddress(normalizeCell(cells[index] ?? ''));
    const text = (isLink ? links?.get(index) : undefined) ?? shown?.get(index);
    if (text === undefined) continue;
    seen[index] = text;
    isDifferent = true;
  }
  return isDifferent ? readValues(seen, mapping) : undefined;
}

/** Reads a list to find which of its rows seem to be no organizations. */
export async function findDoubtfulRows(table: IdentifiedTable): Promise<DoubtfulRows> {
  const shapeWithout = async (doubtful: DoubtfulRows) => {
    const shape = new ListShape(table);
    for await (const group of identifyRows({ ...table, doubtful })) shape.addGroup(group);
    return shape;
  };
  const shape = await shapeWithout({});
  const { limits } = shape;
  if (limits === undefined) return { hasGroups: shape.hasGroups };
  return { ...limits, hasGroups: (await shapeWithout(limits)).hasGroups };
}

/**
 * Reads the rows again after the check of the list.
 * @throws LocalError when the file has changed or is missing: something may have been sent
 */
export async function* rereadRows(
  table: IdentifiedTable,
): AsyncGenerator<IdentifiedGroup, void, void> {
  try {
    yield* identifyRows(table);
  } catch (error) {
    throw error instanceof UsageError ? table.source.removed(error) : error;
  }
}

/* Computes the key of a row; the keys of its former readings count, too. */
function keyOf(
  { service = '', mapping, formerCells, wasRegistered = () => true }: IdentifiedTable,
  row: Row,
  values: Values,
  identityKey: (service: string, values: Values) => string,
): string {
  const formers = () => [
    ...formerReadings(row, mapping),
    ...(formerCells?.(row.cells) ?? []).map((each) => readValues(each, mapping)),
  ];
  return chooseKey((each) => identityKey(service, each), values, formers, wasRegistered);
}

/*
 * Returns the values of a row as earlier versions read its cells; empty if they are the same. A row
 * with a registered key of these is registered.
 */
function formerReadings(row: Row, mapping: Mapping): readonly Values[] {
  return row.shown === undefined && row.links === undefined ? [] : [readValues(row.cells, mapping)];
}

/*
 * A spreadsheet stores a D-U-N-S number as a number without leading zeros, and exports it so. The
 * key of the row does not change, because it may have been registered without them. In a workbook,
 * a number of five digits is enough, and a text is as it was typed.
 */
function shortDuns(
  { duns_number: duns = '' }: Values,
  kind: CellKind | 'CSV' | undefined,
): string | undefined {
  const isShort =
    kind === 'number' ? /^[1-9]\d{4,7}$/ : kind === 'CSV' ? /^[1-9]\d{6,7}$/ : undefined;
  return isShort?.test(duns) ? duns : undefined;
}

/* Excel's errors of failed formulas in English, German, French, Spanish and Italian. */
const excelError =
  /^#(?:REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|GETTING_DATA|NV|WERT!|BEZUG!|ZAHL!|N\/D|VALEUR!|NOM\?|NOMBRE!|NUL!|¡VALOR!|¡REF!|¿NOMBRE\?|¡DIV\/0!|¡NUM!|¡NULO!|VALORE!|RIF!|NOME\?)$/i;
/* German for "not stated" in its usual spellings: K.A. may be an organization. */
const noStatement = /^k\. ?[Aa]\.$/;
const plainNumber = /^[+-]?\d[\d.,'\s]*$/;

/** Returns the value of a cell, or undefined if it is not sent. */
export function presentValue(field: Field, cell: string): string | undefined {
  const value = cellValue(field, cell);
  return value === undefined || isMissing(field, value) ? undefined : value;
}

/* Drops placeholders that `cellValue` keeps, because they are part of keys in existing journals. */
function withoutMissing(values: Values, unsent: readonly string[] = []): Values {
  const entries = Object.entries(values);
  const kept = entries.filter(
    ([field, value]) => !isMissing(field, value) && !unsent.includes(field),
  );
  return kept.length === entries.length ? values : Object.fromEntries(kept);
}

function isMissing(field: string, value: string): boolean {
  if (field === 'hq_region' && plainNumber.test(value)) return true;
  return excelError.test(value) || noStatement.test(value);
}

/** Reads the values of a row's cells by field, without absent ones. */
export function readValues(cells: readonly string[], { columns }: Mapping): Values {
  const values: Partial<Record<Field, string>> = {};
  for (const { field, index } of columns) {
    const value = cellValue(field, cells[index] ?? '');
    if (value !== undefined) values[field] = value;
  }
  return values;
}

/**
 * Checks the values of a row and converts them to a registration. An unambiguous country name
 * becomes a code, any other one is sent as `hq_fuzzy`, and `NA` is not sent. Every other invalid
 * value is a problem, because a registration cannot be undone.
 */
export function checkRow(values: Values): {
  readonly registration: Registration;
  readonly problems: readonly Problem[];
} {
  const registration: Record<string, string | boolean> = {};
  const problems: Problem[] = [];
  for (const { name: field, check = accept } of identifierFields) {
    const value = values[field] ?? (field === 'name' ? '' : undefined);
    if (value === undefined) continue;
    const read = readers[field]?.(value, registration, check) ?? check(value);
    if ('problem' in read) problems.push({ field, value, ...read });
    else if (read.code !== undefined) registration[field] = read.code;
  }
  return { registration: registration as Registration, problems };
}

function accept(code: string): Checked {
  return { code };
}

type Reader = (
  value: string,
  registration: Record<string, string | boolean>,
  check: (value: string) => Checked,
) => { readonly code: string | boolean | undefined } | Exclude<Checked, { readonly code: string }>;

const leaveOutHint = '(--map hq_subregion= leaves the column out)';

/* Fields whose values depend on each other, or are no text. */
const readers: Readonly<Partial<Record<Field, Reader>>> = {
  hq_region(value, registration) {
    if (isUnclearRegion(value)) return { code: undefined };
    const code = countryCode(value);
    // Two letters that are not a code are a mistyped code, not free text.
    if (code === undefined && /^[A-Za-z]{2}$/.test(value))
      return { problem: 'is not an ISO 3166-1 two-letter country code' };
    if (code === undefined) registration['hq_fuzzy'] = value;
    return { code };
  },
  hq_fuzzy: (value, { hq_fuzzy: country }) => ({
    code: country === undefined ? value : `${value}, ${country}`,
  }),
  is_legal_entity_name(value) {
    const code = readBoolean(value);
    return code === undefined ? { problem: 'is neither yes nor no' } : { code };
  },
  /* The country of `DE-BY` must be that of the row, and becomes that of a row without one. */
  hq_subregion(value, registration, check) {
    const checked = check(value);
    if ('code' in checked) return checked;
    const { problem, meant } = checked;
    const country = meant === undefined ? undefined : countryCode(value.trim().slice(0, 2));
    if (country === undefined) return { problem: `${problem} ${leaveOutHint}` };
    const { hq_region: region, hq_fuzzy: text } = registration;
    if (region === undefined && text === undefined) registration['hq_region'] = country;
    // Some countries are also subregions of another country: Puerto Rico is US-PR.
    if (region === undefined || region === country || region === meant) return { code: meant };
    return { problem: `is in ${country}, but the row's country is ${region} ${leaveOutHint}` };
  },
};

/**
 * Checks whether a country is `NA`: the code of Namibia, and what pandas and R write for a missing
 * value. carbon does not send it and warns about it. It stays part of the row's key.
 */
export function isUnclearRegion(region: string): boolean {
  return region.length === 2 && region.toUpperCase() === 'NA';
}

/** Returns what a row says about whose record it expects. */
export function listedOrganization({ name, hq_region, website }: Values) {
  return { name, country: hq_region === undefined ? undefined : countryCode(hq_region), website };
}

/** The values of a row by field, normalized with `cellValue`. */
export type Values = Readonly<Partial<Record<Field, string>>>;
