/* The facts of a record as a line of text, for the thread that matches records with suppliers. */
import type { FactorOffer, RecordFacts, SpendKind } from './record-facts.ts';

/** Maximum number of kinds of spend; a thread calculates a factor for each. */
export const maxKinds = 8;

type Offered = readonly [fit: FactorOffer['fit'], ...choice: FactorOffer['choice']];

/* A list takes half the time of an object with names. */
type Listed = readonly [
  id: RecordFacts['id'],
  name: RecordFacts['name'],
  country: RecordFacts['country'],
  externalId: RecordFacts['externalId'],
  evidence: RecordFacts['evidence'],
  status: string | null,
  createdAt: string | null,
  targetRetrievedAt: string | null,
  retrievedAt: RecordFacts['retrievedAt'],
  bits: number,
  ...offers: Offered[],
];

const offersAt = 10;

/** Writes the facts of a record with its offers for each kind of spend. */
export function writeFacts(facts: RecordFacts, kinds: readonly SpendKind[]): string {
  const { target, isSynthetic, isInconsistent } = facts;
  const listed: Listed = [
    facts.id,
    facts.name,
    facts.country,
    facts.externalId,
    facts.evidence,
    target.status,
    target.created_at,
    target.retrieved_at,
    facts.retrievedAt,
    Number(isSynthetic) | (Number(isInconsistent) << 1),
    ...kinds.map((kind): Offered => {
      const { fit, choice } = facts.offer(kind);
      return [fit, ...choice];
    }),
  ];
  return JSON.stringify(listed);
}

/** Reads what `writeFacts` returned for the same kinds of spend. */
export function readFacts(text: string, kinds: readonly SpendKind[]): RecordFacts {
  const listed = JSON.parse(text) as Listed;
  const [id, name, country, externalId, evidence, status, created_at, retrieved_at] = listed;
  const bits = listed[9];
  return {
    id,
    name,
    country,
    externalId,
    evidence,
    target: { status, created_at, retrieved_at },
    retrievedAt: listed[8],
    isSynthetic: (bits & 1) !== 0,
    isInconsistent: (bits & 2) !== 0,
    offer: ({ currency, year }) => {
      const index = kinds.findIndex((kind) => kind.currency === currency && kind.year === year);
      const [fit, ...choice] = listed[offersAt + index] as Offered;
      return { fit, choice };
    },
  };
}
