/* Finds organizations that have the figures of another one, which a sum would count twice. */
import { createHash } from 'node:crypto';
import type { OrganizationId } from '../api/ids.ts';
import type { Organization } from '../api/schema.ts';
import { matchOf } from '../organizations/matches.ts';
import { equalFiguresRule } from './check-records.ts';
import { amountsOf } from './figure-rules.ts';
import type { Finding } from './findings.ts';

interface Known {
  readonly id: OrganizationId;
  readonly name: string | null;
  readonly match: string | undefined;
}

/** Compares the figures of organizations. */
export class EqualFigures {
  /* By a hash of the figures, as there may be a million records. */
  readonly #byFigures = new Map<string, { readonly figures: number; readonly all: Known[] }>();

  add(id: OrganizationId, record: EqualFiguresOf): void {
    const { hash, figures, name, match } = record;
    if (hash === undefined) return;
    const known = this.#byFigures.get(hash);
    if (known === undefined) this.#byFigures.set(hash, { figures, all: [{ id, name, match }] });
    else known.all.push({ id, name, match });
  }

  /** Returns a finding for each organization. Those of one matched organization share a match. */
  findings(): Finding[] {
    return [...this.#byFigures.values()].flatMap(({ figures, all }) =>
      all.flatMap(({ id, name, match }): Finding[] => {
        const others = all.filter((each) => {
          return each.id !== id && (match === undefined || each.match !== match);
        });
        const [other] = others;
        if (other === undefined) return [];
        const more = others.length > 1 ? ` and ${others.length - 1} more` : '';
        const label = other.name === null ? String(other.id) : `${other.name} (${other.id})`;
        const { name: rule, severity } = equalFiguresRule;
        return [
          {
            ...{ id, name, rule, severity, value: figures, limit: null, year: null },
            evidence: `all ${figures} figures are those of ${label}${more}`,
            action: 'ask the service',
          },
        ];
      }),
    );
  }
}

export type EqualFiguresOf = ReturnType<typeof readFigures>;

/** Reduces the figures of a record to a hash; undefined without two amounts above 0. */
export function readFigures(record: Organization) {
  const { name = null, performances } = record;
  const years = (performances ?? []).map((performance) => {
    const { year = null, region = null } = performance;
    const amounts = amountsOf(performance).map(({ field, value }) => `${field}=${value}`);
    return { amounts, text: `${year} ${region} ${amounts.sort().join(' ')}` };
  });
  // Factors alone may be those of an industry.
  const all = years.flatMap(({ amounts }) => amounts);
  const positive = all.filter(
    (text) => /^(?:emissions\.|revenue=)/.test(text) && !/=(?:-|0$)/.test(text),
  );
  const match = matchOf(record);
  if (positive.length < 2) return { name, match, figures: 0, hash: undefined };
  const texts = years.map(({ text }) => text).sort();
  const hash = createHash('sha1').update(texts.join('\n')).digest('base64');
  return { name, match, figures: all.length, hash };
}
