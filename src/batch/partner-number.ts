/*
 * Decides by the values whether a column such as `Lieferant`, `Kreditor` or `Vendor` holds names or
 * numbers of suppliers. Exports of SAP and DATEV have the number below such a header and the name
 * below another one.
 */

import { foldHeader } from '../registration/header-words.ts';
import { isTotalLabel } from '../registration/total-label.ts';
import { cellValue } from '../table/cell.ts';
import type { Evidence } from './columns.ts';

/* Headers of columns with the name or the number of a supplier, folded with `foldHeader`. */
const partnerWords: ReadonlySet<string> = new Set(
  (
    'supplier vendor creditor account businesspartner counterparty payee lieferant kreditor ' +
    'kreditoren geschäftspartner fournisseur tiers créancier proveedor acreedor tercero ' +
    'fornitore creditore leverancier crediteur fornecedor dostawca kontrahent leverantör ' +
    'leverandør'
  ).split(' '),
);

const minCodes = 3;
const code = /^(?=.*\d)[A-Za-z\d._/-]+$/;

/** Checks whether a column has such a header and its values are numbers or codes. */
export function holdsPartnerNumbers(evidence: Evidence, index: number): boolean {
  const values = partnerValues(evidence, index);
  return values.length > 0 && areNumbers(values);
}

/** Checks whether a column has such a header and its values are neither numbers nor codes. */
export function holdsPartnerNames(evidence: Evidence, index: number): boolean {
  const values = partnerValues(evidence, index);
  return values.length > 0 && !areNumbers(values);
}

/* Returns the values below such a header; none below another one. */
function partnerValues({ header, sample }: Evidence, index: number): readonly string[] {
  if (!partnerWords.has(foldHeader(header[index] ?? ''))) return [];
  const values = sample.flatMap((row) => cellValue('name', row[index] ?? '') ?? []);
  // The last row of an export often has "Total" in the first column.
  return values.filter((value) => !isTotalLabel(value));
}

/* A single code, such as 3M, may be a name. */
function areNumbers(values: readonly string[]): boolean {
  if (values.every((value) => !/\p{L}/u.test(value))) return true;
  return values.length >= minCodes && values.every((value) => code.test(value));
}
