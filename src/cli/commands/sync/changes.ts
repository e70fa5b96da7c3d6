/* Decides which differences make a new version of a record, and keeps the largest ones. */
import { isObject } from '../../../api/ids.ts';
import { readRecord } from '../../../api/read-record.ts';
import { type Change, isTotal, significantChanges, takeSnapshot } from '../../../report/diff.ts';
import { numberText } from '../../../terminal/format.ts';

const maxKept = 3;

/** A figure that changed. */
export interface LargeChange {
  readonly id: string | number | null;
  readonly name: string | null;
  readonly change: Change;
  /** The change as a share of the older figure. */
  readonly share: number;
}

/** The changes of one run. */
export class ChangeLog {
  #largest: LargeChange[] = [];

  /** The largest changes of emissions, relative to the older figure; one of each organization. */
  get largest(): readonly LargeChange[] {
    return this.#largest;
  }

  /** Compares two records of an organization, as JSON. */
  isChanged(older: string, newer: string): boolean {
    const [before, after] = [older, newer].map((json) => {
      const value: unknown = JSON.parse(json);
      return takeSnapshot(readRecord(isObject(value) ? value : {}).record);
    });
    if (before === undefined || after === undefined) return true;
    const changes = significantChanges(before, after);
    const { id, name } = after;
    const sized = changes.flatMap((change): LargeChange[] => {
      const { field, old, new: now } = change;
      if (!isTotal(field) || typeof old !== 'number' || typeof now !== 'number') return [];
      const share = (now - old) / Math.abs(old);
      return Number.isFinite(share) ? [{ id, name, change, share }] : [];
    });
    const [largest] = sized.sort(bySize);
    if (largest !== undefined)
      this.#largest = [...this.#largest, largest].sort(bySize).slice(0, maxKept);
    return changes.length > 0;
  }
}

function bySize(a: LargeChange, b: LargeChange): number {
  return Math.abs(b.share) - Math.abs(a.share);
}

/** Describes a change, such as `Acme: scope 1 of 2024 1,200 → 3,400 (+183%)`. */
export function describeChange({ id, name, change, share }: LargeChange): string {
  const { field, year, old, new: now } = change;
  const figure = field.replace('emissions_', '').replaceAll('_', ' ');
  const percent = `${share > 0 ? '+' : '−'}${Math.abs(share * 100).toFixed(0)}%`;
  const values = [old, now].map((value) => numberText(Number(value))).join(' → ');
  return `${name ?? id}: ${figure}${year === null ? '' : ` of ${year}`} ${values} (${percent})`;
}
