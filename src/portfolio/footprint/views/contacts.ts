/* What a record knows to reach an organization. */
import type { Column } from '../../../display/query/query.ts';
import { text } from '../../../display/terminal/section.ts';
import type { Contact } from '../supplier-groups.ts';

/** Finds the contact of an organization by its ID; undefined without a record. */
export type ContactOf = (id: string | number | null) => Contact | undefined;

/** Returns a column for each way to reach an organization. */
export function contactColumns<Row>(
  contactOf: (row: Row) => Contact | undefined,
): readonly Column<Row>[] {
  return [
    text('website', 'Website', (row) => contactOf(row)?.website),
    text('report', 'Report', (row) => contactOf(row)?.report),
    { ...text('cdp_page', 'CDP page', (row) => contactOf(row)?.cdp), isFolded: true },
    {
      ...text<Row>('reference', 'Reference data', (row) => contactOf(row)?.reference),
      isFolded: true,
    },
    text('tickers', 'Tickers', (row) => contactOf(row)?.tickers),
    text('external_id', 'Your number', (row) => contactOf(row)?.externalId),
  ];
}
