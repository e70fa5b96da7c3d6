/* Finds the organizations of a list whose research has ended without a match, and their rows. */
import { comparableId, type OrganizationId } from '../../../../client/api/ids.ts';
import type { Organization } from '../../../../client/api/schema.ts';
import { count, cut } from '../../../../display/terminal/format.ts';
import type { Batch } from '../../../../lists/batch/batch.ts';
import type { StoredEntry } from '../../../../lists/kept/store.ts';
import { identifyingColumn } from '../../../../lists/list/columns.ts';
import { fillingOf, newColumnWords } from '../../../../portfolio/organizations/correction.ts';
import { isUnmatched } from '../../../../portfolio/organizations/unmatched.ts';
import type { Notice } from '../../../messages.ts';
import type { Session } from '../../../session.ts';

const member = Buffer.from('"matching_organization":{');
/* Flat members may be before the ID: `"tickers":[],"id":12`. */
const hasId = /^\{(?:"\w+":(?:\[\]|null|true|false|[-\d.]+|"[^"\\]*"),)*"id":[-\d"]/;
const maxStart = 400;

/**
 * Checks whether a record as received has no match. Most have one, near the end of the record, and
 * need not be parsed: 100,000 records take a tenth of a second.
 */
export function hasNoMatch(json: Buffer): boolean {
  const at = json.lastIndexOf(member) + member.length - 1;
  if (at >= member.length && hasId.test(json.toString('latin1', at, at + maxStart))) return false;
  try {
    return isUnmatched((JSON.parse(json.toString('utf8')) ?? {}) as Organization);
  } catch {
    // A damaged record says nothing.
    return false;
  }
}

interface NamedRow {
  readonly name: string;
  readonly line: number;
}

export interface UnmatchedRows {
  /** Number of organizations without a match. */
  readonly organizations: number;
  /** The first rows of the first ones. */
  readonly named: readonly NamedRow[];
}

const maxNamed = 3;

/**
 * Counts the organizations without a match, and finds the first rows of the first ones.
 * @param entries the stored records of the list
 */
export async function findUnmatched(
  list: Batch,
  entries: Iterable<StoredEntry>,
): Promise<UnmatchedRows> {
  const ids = new Set<OrganizationId>();
  for (const { id, isUnmatched, isRemoved } of entries)
    if (isUnmatched && !isRemoved) ids.add(comparableId(id));
  const named = new Map<OrganizationId, NamedRow>();
  const max = Math.min(maxNamed, ids.size);
  if (max > 0)
    for await (const plan of list.plans()) {
      const id = plan.step === 'done' ? comparableId(plan.id) : undefined;
      if (id === undefined || !ids.has(id) || named.has(id)) continue;
      named.set(id, { name: cut(plan.row.values.name ?? `ID ${id}`, 60), line: plan.line });
      if (named.size === max) break;
    }
  return { organizations: ids.size, named: [...named.values()] };
}

/** Writes which rows they are, such as " (Acme AG, line 5; Globex, line 7; 3 more)". */
export function unmatchedInWords({ organizations, named }: UnmatchedRows): string {
  if (named.length === 0) return '';
  const others = organizations - named.length;
  const rest = others > 0 ? [`${count.format(others)} more`] : [];
  const rows = named.map(({ name, line }) => `${name}, line ${line}`);
  return ` (${[...rows, ...rest].join('; ')})`;
}

/** Says what to do about them; undefined if there are none. */
export function matchingStep(
  session: Session,
  { isStdin, table: { dialect, mapping } }: Batch,
  { organizations }: UnmatchedRows,
): (Notice & Required<Pick<Notice, 'commands'>>) | undefined {
  if (organizations === 0 || isStdin) return undefined;
  const { column, words = newColumnWords } = identifyingColumn(dialect.header, mapping) ?? {};
  const rows = organizations === 1 ? 'its rows' : 'their rows';
  const what =
    organizations === 1
      ? 'the one that is not matched'
      : `the ${count.format(organizations)} that are not matched`;
  return {
    level: 'progress',
    text: `To match ${what}, ${fillingOf(rows, column)}, then run:`,
    commands: [session.again({ as: 'sync', add: words, without: notRepeated })],
  };
}

const notRepeated = [
  '--out',
  '--overwrite',
  '--restart',
  '--retry-failed',
  '--metrics-file',
  '--status',
];
