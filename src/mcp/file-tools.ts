/* Tools that read files of records below the root directory. */
import * as z from 'zod/mini';
import type { Organization } from '../api/schema.ts';
import { compare, takeSnapshot } from '../report/diff.ts';
import { readEntry } from '../report/entry.ts';
import { summarize } from '../report/summary.ts';
import { invalidInput } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { describeInput, type FileReader, files, limit, offset, path } from './file-reader.ts';
import { defineTool, type Tool } from './tool.ts';

/** Returns the tool `list_files`. */
export function filesTool({ root }: FileReader): Tool {
  return defineTool({
    name: 'list_files',
    description:
      'List the files that tools can read: lists with has_records, records (.ndjson), spend (.csv, .xlsx).',
    input: z.strictObject({}),
    isReadOnly: true,
    run: async () => {
      const { files: found, isComplete } = await root.files();
      return { files: found, complete: isComplete };
    },
  });
}

/** Returns the tool `report`. */
export function reportTool(reader: FileReader, clock: Pick<Clock, 'now'>): Tool {
  return defineTool({
    name: 'report',
    description:
      'Summarize a portfolio: research, scores, ranks, commitments, scopes 1 and 2 by year and like for like, scope 3 as a distribution, largest emitters, checks, gaps.',
    input: z.strictObject({ files }),
    isReadOnly: true,
    run: async (given, signal) => {
      const today = new Date(clock.now()).toISOString().slice(0, 10);
      return reader.once(['report', today], given.files, async () => {
        const read = (record: Organization) => readEntry(record, today);
        const { latest, counts } = await reader.latest(given.files, read, signal);
        const { summary } = summarize(latest.values(), counts);
        const input = { ...summary.input, lists: counts.lists };
        return { ...summary, input };
      });
    },
  });
}

/** Returns the tool `diff`. */
export function diffTool(reader: FileReader): Tool {
  return defineTool({
    name: 'diff',
    description:
      'Compare a list with an earlier day, or two files of records: new, removed and changed organizations.',
    input: z.strictObject({
      old: path.check(z.describe('List, or older records')),
      new: z.optional(path.check(z.describe('Newer records'))),
      since: z.optional(z.iso.date().check(z.describe('Earlier day (UTC)'))),
      offset,
      limit,
    }),
    isReadOnly: true,
    run: async (given, signal) => {
      const { old, since, new: other } = given;
      if ((other === undefined) === (since === undefined))
        throw invalidInput('diff needs either new or since', 'With since, old is a list.');
      const isVersion = since !== undefined;
      const now = other ?? old;
      const found = await reader.once(['diff', since], [old, now], async () => {
        const older = await reader.latest([old], takeSnapshot, signal, since);
        const newer = await reader.latest([now], takeSnapshot, signal);
        const sides = [new Map(older.latest.entries()), new Map(newer.latest.entries())] as const;
        const { differences } = compare(...sides, isVersion);
        const invented = sides.flatMap((side) =>
          [...side].flatMap(([key, snapshot]) => (snapshot.isSynthetic ? key : [])),
        );
        return {
          differences,
          synthetic: new Set(invented).size,
          old: describeInput(older.counts),
          new: describeInput(newer.counts),
        };
      });
      const { differences, ...others } = found;
      const page = differences.slice(given.offset, given.offset + given.limit);
      return { differences: page, total: differences.length, ...others };
    },
  });
}
