/*
 * Compares a list with itself as the last run that finished found it, because an export that failed
 * looks like an empty or a shorter list.
 */
import type { OrganizationId } from '../../client/api/ids.ts';
import { finishedNote, type Journals, listingNote, listingNoteLength } from './journal.ts';
import type { KnownRows } from './known-rows.ts';

/* Shorter lists may lose any number of rows but the last one. */
const minOrganizations = 10;

/** What a list has lost; an organization with several rows counts once. */
export interface Removed {
  /** Organizations that it had when a run last finished. */
  readonly had: number;
  /** Those of them that it has no longer. */
  readonly removed: number;
}

/**
 * Compares the rows that the check of a list found with those of the last run that finished. If
 * none is left, those that a later run registered count as well.
 * @param hasSameKeys whether equal rows have the same key as in earlier runs; if the list is read
 * with other columns, only the numbers of rows are compared
 */
export function findRemoved(rows: KnownRows, hasSameKeys: boolean): Removed {
  const isFound = (index: number) => rows.isFound(index);
  const isEmpty = !rows.some(isFound);
  const wasListed = (index: number) => rows.wasListed(index) || (isEmpty && rows.wasAdded(index));
  const isRemoved = rows.some((index) => wasListed(index) && !isFound(index));
  if (!isRemoved) return { had: 0, removed: 0 };
  const ids = idsOf(rows, wasListed);
  const had = sizeOf(ids);
  if (hasSameKeys) return { had, removed: countMissing(ids, idsOf(rows, isFound)) };
  return { had, removed: Math.max(had - rows.found, 0) };
}

/** Counts the organizations that earlier runs have registered, whether the list has them or not. */
export function countRegistered(rows: KnownRows): number {
  return sizeOf(idsOf(rows, () => true));
}

/** Counts the registered organizations of a list. */
export function countListed(rows: KnownRows): number {
  return sizeOf(idsOf(rows, (index) => rows.isFound(index)));
}

/** Counts the rows of a list that the service rejected; equal ones count once. */
export function countRejected(rows: KnownRows): number {
  let count = 0;
  for (const [index, { refusal }] of rows.failures)
    if (refusal !== undefined && rows.isFound(index)) count += 1;
  return count;
}

/** Checks whether a list is more likely a failed export than a change. */
export function isTruncated({ had, removed }: Removed): boolean {
  return had > 0 && (removed === had || (had >= minOrganizations && 2 * removed > had));
}

/**
 * Checks whether a list has lost its organizations even if each of its invalid rows is one of them.
 * A mistyped value makes a known row look removed; it must be corrected, not accepted as a loss.
 * @param invalid number of invalid rows, 0 if they are left out
 */
export function isLostBesides(invalid: number, { had, removed }: Removed): boolean {
  return isTruncated({ had, removed: Math.max(removed - invalid, 0) });
}

/* Numbers are sorted, and may repeat; a Set of a million ids would take 50 MB. */
interface Ids {
  readonly numbers: Float64Array;
  readonly texts: ReadonlySet<string>;
}

function idsOf(rows: KnownRows, select: (index: number) => boolean): Ids {
  const numbers = new Float64Array(rows.size);
  const texts = new Set<string>();
  let count = 0;
  for (let index = 0; index < rows.size; index += 1) {
    const id: OrganizationId | undefined = select(index) ? rows.idAt(index) : undefined;
    if (typeof id === 'string') texts.add(id);
    if (typeof id !== 'number') continue;
    numbers[count] = id;
    count += 1;
  }
  return { numbers: numbers.subarray(0, count).sort(), texts };
}

function sizeOf({ numbers, texts }: Ids): number {
  let size = texts.size;
  for (let at = 0; at < numbers.length; at += 1) if (numbers[at] !== numbers[at - 1]) size += 1;
  return size;
}

/* Counts the ids that the others do not contain. */
function countMissing(ids: Ids, others: Ids): number {
  let missing = [...ids.texts].filter((id) => !others.texts.has(id)).length;
  let at = 0;
  let before: number | undefined;
  for (const id of ids.numbers) {
    while ((others.numbers[at] ?? Number.POSITIVE_INFINITY) < id) at += 1;
    if (id !== before && others.numbers[at] !== id) missing += 1;
    before = id;
  }
  return missing;
}

const chunkLength = 1 << 20;

/**
 * Notes that a run finds the list as it is, and yields lines for the journal: nothing if no row was
 * added or removed.
 */
export function* noteListing(journals: Journals, atMs: number): Generator<string, void, void> {
  const { rows } = journals;
  let lines: string[] = [];
  let hasChanged = false;
  for (let index = 0; index < rows.size; index += 1) {
    if (rows.idAt(index) === undefined) continue;
    const [isFound, wasAdded] = [rows.isFound(index), rows.wasAdded(index)];
    hasChanged ||= wasAdded;
    if (isFound === (wasAdded || rows.wasListed(index))) continue;
    hasChanged = true;
    rows.noteListed(index, isFound);
    lines.push(listingNote(rows.keyAt(index), isFound));
    if (lines.length * listingNoteLength < chunkLength) continue;
    yield lines.join('');
    lines = [];
  }
  if (!hasChanged) return;
  rows.noteFinished();
  yield `${lines.join('')}${finishedNote(countListed(rows), atMs)}`;
  journals.hasFinished = true;
}
