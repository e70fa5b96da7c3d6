import type { Field, Problem } from '../registration/fields.ts';
import { isTotalRow } from '../registration/total-label.ts';
import { normalizeCell } from '../table/cell.ts';
import type { CsvDialect } from '../table/header.ts';
import type { InputFile } from '../table/input-file.ts';
import { type Row, readRows } from '../table/rows.ts';
import type { Mapping } from './columns.ts';
import { identityKey, type Values } from './row-key.ts';
import { dropInvalidIds, readValues } from './row-registration.ts';
import { isInShard, type Shard } from './shard.ts';

/** A row with its identity. */
export interface IdentifiedRow extends Row {
  readonly key: string;
  readonly mapping: Mapping;
  /** The values to send. The key is a hash of all mapped cells, including those left out here. */
  readonly values: Values;
  /** Invalid optional identifiers that `--invalid drop-ids` removed from the values. */
  readonly dropped?: readonly Problem[] | undefined;
  /** The number in a D-U-N-S cell of a workbook whose leading zeros were restored. */
  readonly restored?: string | undefined;
  /** The placeholder in the name cell, such as `N/A`, if the name is missing. */
  readonly missingName?: string | undefined;
}

/** A group of identified rows in the order of the file. */
export interface IdentifiedGroup {
  readonly rows: readonly IdentifiedRow[];
  /** Number of rows that belong to other shards. */
  readonly elsewhere: number;
  /** Lines that repeat the header. */
  readonly headers: readonly number[];
  /** Rows that are left out, because they add up others. */
  readonly totals: readonly { readonly line: number; readonly name: string }[];
}

/** An input file with its CSV dialect, its mapping and the part of it that a run sends. */
export interface IdentifiedTable {
  readonly source: InputFile;
  readonly dialect: CsvDialect;
  readonly mapping: Mapping;
  /** The base URL, or `sandbox`. It is part of each row's key. */
  readonly service: string;
  readonly shard: Shard | undefined;
  /** Whether invalid optional identifiers are left out instead of making a row invalid. */
  readonly dropsInvalidIds?: boolean | undefined;
  /** Whether rows with nothing but the label of a total are left out. */
  readonly leavesOutTotals?: boolean | undefined;
  /** Checks whether a row needs its key; by default each does. Others have an empty one. */
  readonly needsKey?: ((cells: readonly string[]) => boolean) | undefined;
}

/**
 * Reads the rows of this run with their identities.
 *
 * @throws UsageError if the text is not a table; LocalError if the file changed since it was first
 * read
 */
export async function* identifyRows(
  table: IdentifiedTable,
): AsyncGenerator<IdentifiedGroup, void, void> {
  const { source, dialect, mapping, service, shard, needsKey, leavesOutTotals } = table;
  const indexes = { name: indexOf(mapping, 'name'), duns: indexOf(mapping, 'duns_number') };
  for await (const { rows, headers } of readRows(source, dialect)) {
    const identified: IdentifiedRow[] = [];
    const totals: { line: number; name: string }[] = [];
    for (const row of rows) {
      const values = readValues(row.exported ?? row.cells, mapping);
      if (leavesOutTotals && isTotalRow(withoutMissing(values))) {
        totals.push({ line: row.line, name: values.name ?? '' });
        continue;
      }
      const hasKey = needsKey === undefined || needsKey(row.cells);
      const key = hasKey ? identityKey(service, values) : '';
      if (isInShard(key, shard)) identified.push(identify(row, key, values, table, indexes));
    }
    const elsewhere = rows.length - identified.length - totals.length;
    yield { rows: identified, headers, totals, elsewhere };
  }
}

function indexOf({ columns }: Mapping, name: Field): number {
  return columns.find(({ field }) => field === name)?.index ?? -1;
}

/* Lists all members instead of spreads, so that all rows have one shape. */
function identify(
  { line, cells, problem, kinds, exported }: Row,
  key: string,
  given: Values,
  { mapping, dropsInvalidIds }: IdentifiedTable,
  indexes: { readonly name: number; readonly duns: number },
): IdentifiedRow {
  const sent = withoutMissing(given);
  const restored = kinds?.[indexes.duns] === 'number' ? restoreDuns(sent) : undefined;
  const complete = restored?.values ?? sent;
  const kept = dropsInvalidIds ? dropInvalidIds(complete) : undefined;
  const values = kept?.values ?? complete;
  const missingName =
    sent.name === undefined ? normalizeCell((exported ?? cells)[indexes.name] ?? '') : undefined;
  return {
    line,
    cells,
    problem,
    kinds,
    exported,
    key,
    mapping,
    values,
    dropped: kept?.dropped,
    restored: restored?.restored,
    missingName,
  };
}

/*
 * A spreadsheet stores a D-U-N-S number as a number without leading zeros. The key of the row does
 * not change, because a CSV export lacks them too. Fewer than five digits are no such number.
 */
function restoreDuns(values: Values): { values: Values; restored: string } | undefined {
  const { duns_number: duns = '' } = values;
  if (!/^[1-9]\d{4,7}$/.test(duns)) return undefined;
  return { values: { ...values, duns_number: duns.padStart(9, '0') }, restored: duns };
}

/* Excel's errors of failed formulas in English, German, French, Spanish and Italian. */
const excelError =
  /^#(?:REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|GETTING_DATA|NV|WERT!|BEZUG!|ZAHL!|N\/D|VALEUR!|NOM\?|NOMBRE!|NUL!|¡VALOR!|¡REF!|¿NOMBRE\?|¡DIV\/0!|¡NUM!|¡NULO!|VALORE!|RIF!|NOME\?)$/i;
/* German for "not stated". As a name only in its usual spelling: K.A. may be an organization. */
const noStatement = /^k\. ?a\.?$/i;
const noStatementAsName = /^k\. ?A\.$/;
const plainNumber = /^[+-]?\d[\d.,'\s]*$/;

/*
 * Drops placeholders that `cellValue` keeps because they are part of keys in existing journals: a
 * row's key depends on its cells (`identityKey`).
 */
function withoutMissing(values: Values): Values {
  for (const field in values) {
    if (!isMissing(field, values[field as Field] ?? '')) continue;
    return Object.fromEntries(
      Object.entries(values).filter(([name, cell]) => !isMissing(name, cell)),
    );
  }
  return values;
}

function isMissing(field: string, value: string): boolean {
  if (value.length > 15) return false;
  const first = value.charCodeAt(0) | 0x20;
  // Nearly every value begins with a letter, and only K with one of these words.
  if (first >= 0x61 && first <= 0x7a && first !== 0x6b) return false;
  if (value.startsWith('#')) return excelError.test(value);
  if (field === 'hq_region' && plainNumber.test(value)) return true;
  return (field === 'name' ? noStatementAsName : noStatement).test(value);
}
