/* Suppliers with targets, for goals. */
import { engage } from '../../../src/portfolio/footprint/goal.ts';
import { parseGoal } from '../../../src/portfolio/footprint/goal-share.ts';
import { footprint, own, type Purchase, record } from './portfolio.ts';

/** A supplier with emissions of `spend × factor`; a factor of 0 stands for no figures. */
export interface Planned {
  readonly spend: number;
  readonly factor: number;
  /** Undefined for a supplier without a record. */
  readonly status?: string | undefined;
  readonly detail?: string;
  readonly currency?: string;
  readonly checkedAt?: string;
  /** The day of the SBTi record. */
  readonly since?: string;
  /** False for a record without SBTi data. */
  readonly isLookedUp?: boolean;
  readonly retrievedAt?: string;
  readonly research?: string;
}

export const today = '2026-11-27';

export function sbti({ status, detail, checkedAt = today, since }: Planned, more: object = {}) {
  const near_term = { has_target: status !== 'none', target_status: status };
  return {
    sbti: {
      data: [
        { near_term, target_detail: detail, created_at: since, retrieved_at: checkedAt, ...more },
      ],
    },
  };
}

export function footprintOf(suppliers: readonly Planned[], purchases: readonly Purchase[] = []) {
  const rows = suppliers.map(({ spend, currency = 'EUR' }, at) => {
    return { id: at + 1, name: `Supplier ${at + 1}`, spend: String(spend), currency };
  });
  const records = suppliers.flatMap((each, at) => {
    if (each.status === undefined) return [];
    const { factor, currency = 'EUR', research = 'synced', retrievedAt, isLookedUp = true } = each;
    const figures = own(2024, [1_000 * factor, 0, 0], { revenue_currency: currency });
    const name = `Supplier ${at + 1}`;
    const others = { name, status: research, retrieved_at: retrievedAt };
    const figuresOf = factor === 0 ? [] : [figures];
    return [record(at + 1, figuresOf, { ...(isLookedUp ? sbti(each) : {}), ...others })];
  });
  return footprint([...rows, ...purchases], records, { boundary: 'scope-1-2' });
}

export function toward(
  text: string,
  suppliers: readonly Planned[],
  purchases?: readonly Purchase[],
) {
  const { entries, disputed } = footprintOf(suppliers, purchases);
  return engage(entries, parseGoal(text), { today, disputed });
}

export const groupsOf = (suppliers: readonly Planned[]) =>
  footprintOf(suppliers).entries.map(({ group }) => group);
