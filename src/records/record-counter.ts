import type { Item } from './record-item.ts';

/** The numbers of records and other lines in the input. */
export interface Counts {
  /** Records, including several of one id. */
  readonly records: number;
  /** Records without an id: each counts as an organization. */
  readonly withoutId: number;
  /** Items that failed: `"ok":false`. */
  readonly failed: number;
  /** Lines without a record, such as rows that an earlier batch completed. */
  readonly withoutRecord: number;
  /** Records with values of an unexpected type, which carbon leaves out. */
  readonly unexpected: number;
  /** Truncated last lines, which carbon leaves out, such as `a.ndjson, line 7`. */
  readonly truncated: readonly string[];
}

/** Counts records and other lines. */
export class RecordCounter implements Counts {
  records = 0;
  withoutId = 0;
  failed = 0;
  withoutRecord = 0;
  unexpected = 0;
  readonly truncated: string[] = [];

  add(item: Item): void {
    if (item.kind === 'failed') this.failed += 1;
    else if (item.kind === 'without record') this.withoutRecord += 1;
    else {
      this.records += 1;
      this.unexpected += Number(item.hasUnexpectedValues);
      this.withoutId += Number(item.key === undefined);
    }
  }

  /** Adds the counts of a part of the input. */
  absorb(part: Counts): void {
    this.records += part.records;
    this.withoutId += part.withoutId;
    this.failed += part.failed;
    this.withoutRecord += part.withoutRecord;
    this.unexpected += part.unexpected;
    this.truncated.push(...part.truncated);
  }

  result(): Counts {
    return { ...this };
  }
}
