/* Compares the rows of a list with the records of the organizations that they got. */
import { comparableId, type OrganizationId } from '../../../api/ids.ts';
import type { Organization } from '../../../api/schema.ts';
import type { ListedOrganization } from '../../../checks/match-rules.ts';
import { type ListOptions, openOrganizationList } from '../../../list/ids.ts';
import { isSynthetic } from '../../../organizations/history.ts';
import type { RecordSource } from '../../../records/records.ts';
import { invalidInput } from '../../../runtime/carbon-error.ts';
import { plural } from '../../../terminal/format.ts';
import { listedOrganization } from '../../match-checks.ts';

/**
 * Reads the rows of a list.
 *
 * @throws UsageError as `openOrganizationList` does
 */
export async function readComparedList(options: ListOptions) {
  const { path } = options;
  const { service: own, rows } = await openOrganizationList(options);
  /* The number of rows of each organization, including equal ones, and the different rows. */
  const listed = new Map<OrganizationId, { rows: number; readonly texts: Set<string> }>();
  let withoutId = 0;
  for await (const group of rows())
    for (const { id, values } of group) {
      if (id === undefined) {
        withoutId += 1;
        continue;
      }
      const key = comparableId(id);
      const known = listed.get(key) ?? { rows: 0, texts: new Set() };
      listed.set(key, known);
      known.rows += 1;
      known.texts.add(JSON.stringify(listedOrganization(values)));
    }
  const differentRows = (id: OrganizationId) =>
    [...(listed.get(comparableId(id))?.texts ?? [])].map(
      (text): ListedOrganization => JSON.parse(text),
    );
  return {
    /**
     * Returns the different rows of an organization.
     *
     * @throws UsageError for a record of another service, where the id is another organization
     */
    rowsOf(record: Organization, { service }: Pick<RecordSource, 'service'>) {
      const isOther =
        service === undefined ? own === 'sandbox' && !isSynthetic(record) : service !== own;
      if (own !== undefined && isOther)
        throw invalidInput(
          `${path} was registered with ${own}, but the records are from ${service ?? 'another service'}`,
          'Use the records of the service that registered the list, or --keep to choose the directory of its journal.',
        );
      return differentRows(record.id ?? '');
    },
    /**
     * Counts what the list has in common with the records of these organizations.
     *
     * @throws UsageError if no row belongs to a record
     */
    compare(ids: ReadonlySet<OrganizationId>) {
      const counts = {
        rows: 0,
        without_id: withoutId,
        without_record: 0,
        /** Records of organizations that are not in the list. */
        unlisted: [...ids].filter((id) => !listed.has(id)).length,
        /** LEI, ISIN, D-U-N-S and S&P Global numbers, which no record confirms. */
        identifiers_not_verified: 0,
      };
      for (const [id, { rows }] of listed) {
        if (!ids.has(id)) {
          counts.without_record += rows;
          continue;
        }
        const identifiers = differentRows(id).flatMap((row) => row.identifiers ?? []);
        counts.rows += rows;
        counts.identifiers_not_verified += new Set(identifiers).size;
      }
      if (counts.rows === 0)
        throw invalidInput(
          `${path}: no row belongs to a record`,
          listed.size === 0
            ? `No row has an ID. Register the rows first: carbon batch ${path}`
            : 'Use the records of the organizations that were registered from this list.',
        );
      return { counts, text: describe(path, counts) };
    },
  };
}

interface Counts {
  readonly rows: number;
  readonly without_id: number;
  readonly without_record: number;
  readonly unlisted: number;
  readonly identifiers_not_verified: number;
}

function describe(path: string, counts: Counts): string {
  const gaps = [
    counts.without_id > 0 ? `${plural(counts.without_id, 'row')} without an ID` : '',
    counts.without_record > 0 ? `${plural(counts.without_record, 'row')} without a record` : '',
    counts.unlisted > 0 ? `${plural(counts.unlisted, 'record')} without a row` : '',
  ].filter(Boolean);
  const left = gaps.length > 0 ? ` Not compared: ${gaps.join(', ')}.` : '';
  const verified =
    counts.identifiers_not_verified > 0
      ? ` Not verified: ${plural(counts.identifiers_not_verified, 'identifier')}, because records do not repeat them.`
      : '';
  return `Compared with ${plural(counts.rows, 'row')} of ${path}.${left}${verified}`;
}
