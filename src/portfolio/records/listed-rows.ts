/* The rows of the lists whose records are read: what the user calls each organization. */
import { isDeepStrictEqual } from 'node:util';
import { comparableId, type OrganizationId } from '../../client/api/ids.ts';
import type { Organization } from '../../client/api/schema.ts';
import { presentSheets } from '../../lists/kept/choose-list.ts';
import { type ListOptions, openOrganizationList } from '../../lists/kept/listed-ids.ts';
import { chooseKept } from '../../lists/kept/paths.ts';
import type { IdentifyingColumn } from '../../lists/list/columns.ts';
import { listedOrganization } from '../../lists/list/rows.ts';
import type { Retrieval } from './envelope.ts';

/** What a row says about whose record it expects. */
export type RowOfList = ReturnType<typeof listedOrganization> & {
  /** The numbers of the lines that say so; empty in a workbook of several sheets. */
  readonly lines: number[];
};

/** What the rows of an organization say of it: their number, and the first of equal ones. */
export interface ListedAs {
  rows: number;
  readonly different: Map<string, RowOfList>;
}

export interface ListedRows {
  /** The sheets that were read, if one was chosen or several have records. */
  readonly sheets: readonly string[];
  /** What is read as in the last run, although no option says so. */
  readonly kept: readonly string[];
  /** The base URL of the service in the journals, or `sandbox`; undefined without a journal. */
  readonly service: string | undefined;
  /** Undefined without one that all sheets have. */
  readonly identifying: IdentifyingColumn | undefined;
  /** By the ID of the organization, as `comparableId` returns it. */
  readonly listed: ReadonlyMap<OrganizationId, ListedAs>;
  /** Number of rows without an organization. */
  readonly withoutId: number;
}

/** Returns the rows of the lists that got a record of a service. */
export type FindRows = (
  record: Pick<Organization, 'id'>,
  source: Pick<Retrieval, 'service'>,
) => readonly RowOfList[];

/** Finds the rows of a record in several lists. */
export function rowsIn(lists: readonly ListedRows[]): FindRows {
  return ({ id }, { service }) =>
    lists.flatMap((list) =>
      list.service === service && id !== null && id !== undefined
        ? [...(list.listed.get(comparableId(id))?.different.values() ?? [])]
        : [],
    );
}

/**
 * Reads the rows of a list, those of all synced sheets unless one is given.
 * @throws UsageError as `openOrganizationList` does
 */
export async function readListedRows(options: ListOptions): Promise<ListedRows> {
  const { path, keep, sheet } = options;
  const { sandbox } = chooseKept(path, options);
  const synced = sheet === undefined ? await presentSheets(path, { keep, sandbox }) : [];
  // Several sheets are read as several files.
  const sheets = synced.length > 1 ? synced : [sheet];
  const lists = await Promise.all(
    sheets.map((each) => openOrganizationList({ ...options, sandbox, sheet: each })),
  );
  const listed = new Map<OrganizationId, ListedAs>();
  let withoutId = 0;
  for (const { rows } of lists)
    for await (const group of rows())
      for (const { id, line, values } of group) {
        if (id === undefined) {
          withoutId += 1;
          continue;
        }
        const organization = comparableId(id);
        const known = listed.get(organization) ?? { rows: 0, different: new Map() };
        listed.set(organization, known);
        known.rows += 1;
        const row = listedOrganization(values);
        const key = JSON.stringify(row);
        const equal = known.different.get(key) ?? { ...row, lines: [] };
        known.different.set(key, equal);
        if (sheets.length === 1) equal.lines.push(line);
      }
  return {
    sheets: sheets.flatMap((each) => each ?? []),
    kept: sheets.length > 1 ? [] : lists.flatMap((list) => list.kept),
    service: lists.find(({ service }) => service !== undefined)?.service,
    identifying: commonColumn(lists),
    listed,
    withoutId,
  };
}

/* Several sheets are corrected in the same words. */
function commonColumn(
  lists: readonly Pick<ListedRows, 'identifying'>[],
): IdentifyingColumn | undefined {
  const [first, ...others] = lists;
  const isCommon = others.every(({ identifying }) =>
    isDeepStrictEqual(identifying, first?.identifying),
  );
  return isCommon ? first?.identifying : undefined;
}
