/** What is needed of a record before it is checked as a whole. */
export interface RecordHead {
  readonly id: string | number | undefined;
  readonly name: string | undefined;
  readonly status: string | undefined;
}

/**
 * Reads id, name and status of any object; what is of another type counts as absent. So does an id above 2^53: JSON.parse
 * has rounded it to that of another organization.
 */
export function readHead(record: object): RecordHead {
  const { id, name, status } = record as Readonly<Record<string, unknown>>;
  return {
    id: typeof id === 'number' && Number.isSafeInteger(id) ? id : text(id),
    name: text(name),
    status: text(status),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
