/* Compares the rows of a list with the records of the organizations that they got. */
import { comparableId, type OrganizationId } from '../../../api/ids.ts';
import type { Organization } from '../../../api/schema.ts';
import type { Values } from '../../../batch/identified-rows.ts';
import { type ListOptions, openOrganizationList } from '../../../batch/organization-ids.ts';
import type { ListedOrganization } from '../../../checks/match-rules.ts';
import { isSynthetic } from '../../../organizations/history.ts';
import type { RecordSource } from '../../../records/records.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { plural } from '../../../terminal/format.ts';
import { listedOrganization } from '../../match-checks.ts';

interface ListedRows {
  /** Number of rows, including equal ones. */
  rows: number;
  readonly texts: Set<string>;
}

/** What a list and records have in common. */
export interface Comparison {
  readonly text: string;
  readonly counts: {
    /** Rows that were compared. */
    readonly rows: number;
    readonly without_id: number;
    readonly without_record: number;
    /** Records of organizations that are not in the list. */
    readonly unlisted: number;
    /** LEI, ISIN, D-U-N-S and S&P Global numbers, which no record confirms. */
    readonly identifiers_not_verified: number;
  };
}

/** The rows of a list, by the organizations that they got. */
export class ComparedList {
  readonly #path: string;
  readonly #service: string | undefined;
  /* By comparable id. */
  readonly #rows = new Map<OrganizationId, ListedRows>();
  #withoutId = 0;

  private constructor(path: string, service: string | undefined) {
    this.#path = path;
    this.#service = service;
  }

  /** @throws UsageError as `openOrganizationList` does */
  static async read(options: ListOptions): Promise<ComparedList> {
    const { service, rows } = await openOrganizationList(options);
    const list = new ComparedList(options.path, service);
    for await (const group of rows()) for (const { id, values } of group) list.#add(id, values);
    return list;
  }

  #add(id: OrganizationId | undefined, values: Values): void {
    if (id === undefined) {
      this.#withoutId += 1;
      return;
    }
    const key = comparableId(id);
    const known = this.#rows.get(key) ?? { rows: 0, texts: new Set() };
    this.#rows.set(key, known);
    known.rows += 1;
    known.texts.add(JSON.stringify(listedOrganization(values)));
  }

  /**
   * Returns the different rows of an organization.
   *
   * @throws UsageError for a record of another service, where the id is another organization
   */
  rowsOf(record: Organization, { service }: Pick<RecordSource, 'service'>): ListedOrganization[] {
    const own = this.#service;
    const isOther =
      service === undefined ? own === 'sandbox' && !isSynthetic(record) : service !== own;
    if (own !== undefined && isOther)
      throw invalid(
        `${this.#path} was registered with ${own}, but the records are from ${service ?? 'another service'}`,
        'Use the records of the service that registered the list, or --journal to name another journal.',
      );
    return this.#rowsOf(record.id ?? '');
  }

  #rowsOf(id: OrganizationId): ListedOrganization[] {
    const texts = this.#rows.get(comparableId(id))?.texts ?? [];
    return [...texts].map((text) => JSON.parse(text) as ListedOrganization);
  }

  /**
   * Counts what the list has in common with the records of these organizations.
   *
   * @throws UsageError if no row belongs to a record
   */
  compare(ids: ReadonlySet<OrganizationId>): Comparison {
    let compared = 0;
    let withoutRecord = 0;
    let identifiers = 0;
    for (const [id, { rows }] of this.#rows) {
      if (ids.has(id)) {
        compared += rows;
        identifiers += new Set(this.#rowsOf(id).flatMap((row) => row.identifiers ?? [])).size;
      } else withoutRecord += rows;
    }
    if (compared === 0)
      throw invalid(
        `${this.#path}: no row belongs to a record`,
        this.#rows.size === 0
          ? `No row has an ID. Register the rows first: carbon batch ${this.#path}`
          : 'Use the records of the organizations that were registered from this list.',
      );
    const counts = {
      rows: compared,
      without_id: this.#withoutId,
      without_record: withoutRecord,
      unlisted: [...ids].filter((id) => !this.#rows.has(id)).length,
      identifiers_not_verified: identifiers,
    };
    return { counts, text: describe(this.#path, counts) };
  }
}

function describe(path: string, counts: Comparison['counts']): string {
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

function invalid(message: string, hint: string): UsageError {
  return new UsageError(message, hint, 'invalid_input');
}
