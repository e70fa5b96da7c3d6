/* Checks the records of responses by the zod schema. Only runs that need their values load it. */
import { type ReadRecord, readRecord } from './read-record.ts';
import { type Organization, organizationSchema } from './schema.ts';

/*
 * zod creates an issue for each unexpected value, and a response of 16 MiB can contain eight
 * million of them. Real records have a hundredth of this size.
 */
const maxParsedBytes = 2 ** 18;

/**
 * Reads any JSON object as a record, by the rules of `readRecord`.
 * @param bytes length of its text
 */
export function parseReceived(value: object, bytes: number): ReadRecord {
  const parsed = bytes > maxParsedBytes ? undefined : organizationSchema.safeParse(value);
  // The schema decides; the reader of files, which the build derives from it, drops and names.
  if (!parsed?.success) return readRecord(value);
  return { record: parsed.data as Organization, droppedPaths: [], droppedCount: 0 };
}
