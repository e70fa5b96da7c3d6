/* Which records of an organization count, of several that were retrieved at different times. */
import type { OrganizationId } from '../../client/api/ids.ts';
import type { DatedStatus } from '../organizations/targets.ts';
import type { Group, RecordFacts } from './supplier-groups.ts';

/** The latest record of each organization, and what is known of the others. */
export class RecordVersions {
  readonly #latest = new Map<OrganizationId, RecordFacts>();
  /* The statuses of the targets in all records of an organization but the latest one. */
  readonly #otherTargets = new Map<OrganizationId, readonly DatedStatus[]>();

  /** Keeps the latest record of an organization, and the targets of the others. */
  add(facts: RecordFacts): void {
    const { organization } = facts;
    const known = this.#latest.get(organization);
    const isLatest = !isEarlier(facts, known);
    if (isLatest) this.#latest.set(organization, facts);
    const other = isLatest ? known : facts;
    if (other === undefined) return;
    this.#otherTargets.set(organization, [
      ...(this.#otherTargets.get(organization) ?? []),
      ...statusOf(other),
    ]);
  }

  /** Returns the statuses of the targets of an organization, in any currency. */
  targetsOf(organization: OrganizationId): readonly DatedStatus[] {
    const latest = this.#latest.get(organization);
    const others = this.#otherTargets.get(organization);
    const statuses = latest === undefined ? [] : statusOf(latest);
    return others === undefined ? statuses : [...statuses, ...others];
  }

  /**
   * Returns the records that show something: those of line items, otherwise the latest one, as a
   * superseded record shows nothing.
   */
  usedBy(groups: readonly Group[]): readonly RecordFacts[] {
    const isLatest = (record: RecordFacts) => this.#latest.get(record.organization) === record;
    const several = new Set(
      groups.flatMap(({ record }) => (record && !isLatest(record) ? record.organization : [])),
    );
    const used = new Map<OrganizationId, Set<RecordFacts>>();
    const ofSeveral = groups.filter(({ record }) => record && several.has(record.organization));
    // In the order of the file, on which the wording of a shared match depends.
    for (const { record } of ofSeveral.sort((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0)))
      if (record !== undefined)
        used.set(record.organization, (used.get(record.organization) ?? new Set()).add(record));
    const records: RecordFacts[] = [];
    for (const [organization, latest] of this.#latest)
      records.push(...(used.get(organization) ?? [latest]));
    return records;
  }

  /** Forgets all records. */
  clear(): void {
    this.#latest.clear();
    this.#otherTargets.clear();
  }
}

/** Without a time, the record that was read last counts. */
export function isEarlier(record: RecordFacts, known: RecordFacts | undefined): boolean {
  const [time, knownTime] = [record.retrievedAt, known?.retrievedAt ?? null];
  return time !== null && knownTime !== null && time < knownTime;
}

function statusOf({ target: status, retrievedAt }: RecordFacts): readonly DatedStatus[] {
  return status === null ? [] : [{ status, retrievedAt }];
}
