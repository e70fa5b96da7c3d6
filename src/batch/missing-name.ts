/*
 * Makes the error for a file without a known name column. The error lists each column with a value.
 * It proposes a column only if the values look like organization names, because users may accept
 * the proposal unchecked and a registration cannot be undone.
 */
import { checkIsin, checkLei } from '../registration/iso-codes.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import { cellValue } from '../table/cell.ts';
import { mapOption } from '../table/map-option.ts';
import type { Evidence } from './columns.ts';
import { isCountryName } from './country-column.ts';

const maxColumns = 12;
const maxHeader = 40;
const maxValue = 30;

/** Makes the error for a header without a known name column. */
export function missingName(evidence: Evidence): UsageError {
  if (looksLikeRow(evidence)) return missingHeader(evidence);
  const { header, sample } = evidence;
  const columns = header.slice(0, maxColumns).map((column, index) => {
    const value = sample.map((row) => cellValue('name', row[index] ?? '')).find(Boolean);
    return `"${cut(column, maxHeader)}"${value === undefined ? '' : ` (${cut(value, maxValue)})`}`;
  });
  const more = header.length > maxColumns ? `, and ${header.length - maxColumns} more` : '';
  const likely = likelyName(header, sample);
  return invalid(
    `carbon recognizes no column as the organization name. The columns, each with a value: ${columns.join(', ')}${more}`,
    likely === undefined
      ? 'Name the column with --map name=<column>. If the file has no header line, add --no-header.'
      : `"${cut(header[likely] ?? '', maxHeader)}" may hold it: ${mapOption('name', header, likely)}`,
  );
}

function missingHeader({ header, sample }: Evidence): UsageError {
  const cells = header.slice(0, maxColumns).map((cell) => `"${cut(cell, maxHeader)}"`);
  const numbers = header.map((_, index) => `${index + 1}`);
  const likely = likelyName(numbers, [header, ...sample]);
  const map =
    likely === undefined ? '--map name=<number of the column>' : mapOption('name', numbers, likely);
  return invalid(
    `The file seems to have no header line; the first line is ${cells.join(', ')}`,
    `Columns without a header are named 1, 2, 3. Use --no-header ${map}`,
  );
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

function invalid(message: string, hint: string): UsageError {
  return new UsageError(message, hint, 'invalid_input');
}

const legalForm =
  /(?:^|[\s,(])(?:Inc|Incorporated|Ltd|Limited|L\.?L\.?C|PLC|plc|p\.l\.c|LLP|LP|Corp|Corporation|Company|Co|& Co|GmbH|mbH|AG|KGaA|KG|e\.K|OHG|SE|S\.?A|SAS|SARL|S\.?à r\.?l|S\.?p\.?A|S\.?r\.?l|N\.?V|B\.?V|AB|A\/S|ApS|ASA|AS|Oyj|Oy|Sp\. z o\.o|S\.?L|S\.?A\.?B|Ltda|Pty|Pte|Pvt|Bhd|Tbk|PT|K\.?K|Holdings?|Group|Gruppe|Groupe)\.?(?=$|[\s,)])|株式会社|有限会社|合同会社|\(株\)|（株）|㈱|公司|주식회사/u;
/* Leaves out words that headers contain too, as in "Industry Group" and "Parent Company". */
const plainForm =
  /\p{L}.* (?:Inc|Ltd|GmbH|AG|KGaA|PLC|plc|LLC|Corp|SE|S\.A|N\.V|B\.V|AB|Oyj|A\/S|ASA)\.?$|株式会社/u;
const address =
  /^(?:https?:\/\/|www\.)|^\S+@\S+\.\S+$|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,10}(?:\/\S*)?$/;
const organizationWord =
  /compan|suppl|vendor|organi[sz]|firm|corporat|enterprise|issuer|entit|business|unternehm|lieferant|entreprise|soci[eé]t|fournisseur|empresa|proveedor|aziend|fornitor|会社|法人|公司|企業|企业|商号|会社/i;
const otherWord =
  /contact|person|user|buyer|mail|phone|status|type|categor|number|nummer|code|country|region|city|address|industr|sector|size|url|web|date|(?:^|[\s_-])(?:id|nr|no)\.?$/i;

/*
 * Checks whether the first line is a row: it contains a legal form, an address, a valid identifier,
 * or a country name in a column of country names.
 */
function looksLikeRow({ header, sample }: Evidence): boolean {
  return header.some((cell, index) => {
    const text = cell.trim();
    if (address.test(text) || 'code' in checkLei(text) || 'code' in checkIsin(text)) return true;
    if (plainForm.test(text)) return true;
    const others = sample.map((row) => row[index] ?? '');
    return isCountryName(text) && others.filter(isCountryName).length > others.length / 2;
  });
}

/** Returns the column whose values look most like organization names; undefined if none does. */
function likelyName(header: readonly string[], sample: Evidence['sample']): number | undefined {
  const rated = header.map((column, index) => {
    const values = sample.flatMap((row) => cellValue('name', row[index] ?? '') ?? []);
    return {
      index,
      rating: rate(values, organizationWord.test(column) && !otherWord.test(column)),
    };
  });
  const best = Math.max(...rated.map(({ rating }) => rating));
  return best > 0 ? rated.find(({ rating }) => rating === best)?.index : undefined;
}

/* Returns 0 for values that do not look like names; legal forms and a fitting header add to it. */
function rate(values: readonly string[], isNamed: boolean): number {
  const share = (test: (value: string) => boolean) =>
    values.filter(test).length / Math.max(values.length, 1);
  if (new Set(values).size < values.length / 2 || share(isText) < 0.7) return 0;
  const legal = share((value) => legalForm.test(value));
  const worded = share((value) => /\p{L}.* .*\p{L}|\p{Lo}{2}|\p{Ll}/u.test(value));
  if (legal < 0.1 && !(isNamed && worded > 0.5)) return 0;
  return legal + (isNamed ? 1 : 0) + 0.01;
}

/* Checks that a value is not a number, an identifier, a ticker, an address or a country. */
function isText(value: string): boolean {
  if (!/\p{L}/u.test(value) || address.test(value) || isCountryName(value)) return false;
  return (
    !/^[A-Z\d.:/_-]{1,6}$/.test(value) &&
    !/^(?=.*\d)[A-Za-z\d._-]+$/.test(value) &&
    value.length <= 200
  );
}
