/*
 * Collects what was spent with each supplier. A supplier is all rows with one id; rows without an
 * id that have the same key are one supplier too.
 */
import { comparableId, isSameId, type OrganizationId } from '../../api/ids.ts';
import { KeyIndex } from '../../batch/journal/key-index.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import type { Uncovered } from '../ledger.ts';
import type { Match } from '../register-row.ts';
import type { SpendRow } from '../spend/spend-rows.ts';
import type { JournalIds } from './journal-ids.ts';
import type { SpendKind } from './record-facts.ts';
import { SupplierEntry } from './supplier-entry.ts';

/** A record in the currency of some rows. */
export interface RecordRequest {
  readonly key: OrganizationId;
  readonly id: OrganizationId;
  readonly currency: string | undefined;
}

/** What was spent with each supplier. */
export class SpendLedger {
  /** All suppliers in the order of their first rows. */
  readonly suppliers: SupplierEntry[] = [];
  readonly #journals: JournalIds | undefined;
  readonly #onUnidentified: (supplier: SupplierEntry, row: SpendRow) => void;
  readonly #byId = new Map<OrganizationId, SupplierEntry>();
  /* The supplier of each row key without an id, and of each conflict between two ids. */
  readonly #keys = new KeyIndex();
  readonly #byKey: SupplierEntry[] = [];

  /**
   * @param onUnidentified receives each new supplier without an id, with its first row
   */
  constructor(
    journals: JournalIds | undefined,
    onUnidentified: (supplier: SupplierEntry, row: SpendRow) => void,
  ) {
    this.#journals = journals;
    this.#onUnidentified = onUnidentified;
  }

  /** Adds a row. */
  add(row: SpendRow): void {
    const { currency = null, year = null, category = null } = row;
    this.#supplierOf(row).need(currency, year).add(category, row.spend, row.line);
  }

  /** Returns the supplier with an id; undefined if no row has the id. */
  find(id: OrganizationId): SupplierEntry | undefined {
    return this.#byId.get(id);
  }

  /** Lists the records that the rows need, each once per currency. */
  *requests(): Generator<RecordRequest> {
    for (const [key, { id, needs }] of this.#byId) {
      if (id === null) continue;
      const currencies = new Set(needs.map(({ currency }) => currency));
      for (const currency of currencies) yield { key, id, currency: currency ?? undefined };
    }
  }

  /** Lists the kinds of spend; undefined if there are more than `max`. */
  kinds(max: number): readonly SpendKind[] | undefined {
    const kinds: SpendKind[] = [];
    for (const { needs } of this.suppliers) {
      for (const { currency, year } of needs) {
        if (kinds.some((kind) => kind.currency === currency && kind.year === year)) continue;
        if (kinds.length === max) return undefined;
        kinds.push({ currency, year });
      }
    }
    return kinds;
  }

  #supplierOf(row: SpendRow): SupplierEntry {
    // The key of a row without identifying cells is no key of a journal.
    const isKey = row.key.length === keyLength;
    const given = row.id === undefined ? undefined : comparableId(row.id);
    const recorded = isKey ? this.#journals?.find(row.key) : undefined;
    const id = recorded ?? given;
    const isConflict = recorded !== undefined && given !== undefined && !isSameId(recorded, given);
    if (id !== undefined && !isConflict) {
      return this.#ofId(id, recorded === undefined ? 'id' : 'journal', row);
    }
    const entry = isKey ? this.#keys.add(row.key) : -1;
    const known = this.#byKey[entry];
    if (known !== undefined) return known;
    const supplier = this.#create(row, null, null);
    if (isKey) this.#byKey[entry] = supplier;
    if (isConflict) {
      const detail = `the journal has id ${recorded}, the file has id ${given}`;
      supplier.uncovered = { reason: 'ambiguous_match', detail };
    } else {
      if (isKey && this.#journals?.isRefused(row.key)) supplier.uncovered = refused;
      this.#onUnidentified(supplier, row);
    }
    return supplier;
  }

  #ofId(id: OrganizationId, matchedBy: Match, row: SpendRow): SupplierEntry {
    const key = comparableId(id);
    const known = this.#byId.get(key);
    if (known !== undefined) {
      // The row of the register shows the less certain way.
      if (matchedBy === 'id') known.matchedBy = 'id';
      return known;
    }
    const supplier = this.#create(row, key, matchedBy);
    this.#byId.set(key, supplier);
    return supplier;
  }

  #create(row: SpendRow, id: OrganizationId | null, matchedBy: Match | null): SupplierEntry {
    const supplier = new SupplierEntry(copied(row.name), row.region, id, matchedBy);
    this.suppliers.push(supplier);
    return supplier;
  }
}

const keyLength = 32;

/* The string of a row is a part of the text of the file, which it would keep in memory. */
function copied(text: string | undefined): string | null {
  return text === undefined ? null : flattenString(text);
}

const refused: Uncovered = {
  reason: 'not_registered',
  detail: 'the service refused the registration of this row',
};
