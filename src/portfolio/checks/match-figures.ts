/* Finds records of one matched organization with different emissions, of which a sum uses one. */
import type { OrganizationId } from '../../client/api/ids.ts';
import { repeatedRecords } from '../organizations/matches.ts';
import { matchFiguresRule } from './check-records.ts';
import type { EqualFiguresOf } from './equal-figures.ts';
import type { Finding } from './findings.ts';

interface Known {
  readonly id: OrganizationId;
  readonly name: string | null;
  readonly emissions: number;
  /** ISO 8601; undefined if unknown. */
  readonly time: string | undefined;
}

/** Compares the emissions of records with one matched organization. */
export class MatchFigures {
  readonly #byMatch = new Map<string, Known[]>();

  /** @param time of the retrieval, ISO 8601 */
  add(id: OrganizationId, { name, match, emissions }: EqualFiguresOf, time?: string): void {
    if (match === undefined || emissions === undefined) return;
    const known = { id, name, emissions, time };
    const all = this.#byMatch.get(match);
    if (all === undefined) this.#byMatch.set(match, [known]);
    else all.push(known);
  }

  /** Returns a finding for each record that differs from the one that sums use. */
  findings(): Finding[] {
    return [...this.#byMatch].flatMap(([matched, all]) => {
      if (all.every(({ emissions }) => emissions === all[0]?.emissions)) return [];
      const summed = all.map((each) => ({ ...each, matched, hasFigures: true }));
      const older = repeatedRecords(summed.map((each) => [each, each.time]));
      const newest = summed.find((each) => !older.has(each));
      const label = newest?.name ? `${newest.name} (${newest.id})` : String(newest?.id);
      const { name: rule, severity, action } = matchFiguresRule;
      return summed.flatMap(({ id, name, emissions }): Finding[] => {
        if (emissions === newest?.emissions) return [];
        const evidence = `emissions differ from those of ${label}, the newest record of matched organization ${matched}`;
        const found = { id, name, rule, severity, action, evidence };
        return [{ ...found, value: matched, limit: null, year: null }];
      });
    });
  }
}
