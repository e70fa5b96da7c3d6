/*
 * carbon keeps copies of a failed-rows file that the user had edited. It never deletes one, because
 * the copy may be the only record of hours of work. It reports when every row of one is registered.
 */
import { existsSync } from 'node:fs';
import { chooseMapping } from './csv/choose-mapping.ts';
import { detectDialect } from './csv/dialect.ts';
import { identifyRows } from './csv/identified-rows.ts';
import { InputFile } from './csv/input-file.ts';
import { KeyIndex, State } from './journal/key-index.ts';
import { journalFile, journalFiles, previousName } from './journal/paths.ts';
import { JournalState } from './journal/reader.ts';

/** The registered rows, and the options that determine how carbon reads the copies. */
interface Known {
  readonly journals: JournalState;
  readonly service: string;
  readonly map?: readonly string[] | undefined;
  readonly skipLines?: number | undefined;
}

/**
 * Finds the kept copies of a failed-rows file in which every row is registered.
 *
 * A row may be registered in the journals of the input, of the failed-rows file or of the copy. An
 * unreadable copy is never among the results.
 */
export async function settledCopies(failed: string, known: Known): Promise<string[]> {
  const settled: string[] = [];
  for (let count = 1; existsSync(previousName(failed, count)); count += 1) {
    const path = previousName(failed, count);
    if (await isSettled(path, failed, known).catch(() => false)) settled.push(path);
  }
  return settled;
}

async function isSettled(
  path: string,
  failed: string,
  { journals, service, map, skipLines }: Known,
): Promise<boolean> {
  const source = new InputFile(path);
  const dialect = await detectDialect(source, { skipLines });
  const { mapping } = chooseMapping(dialect, map, journals.mappings(failed));
  const own = new JournalState(new KeyIndex(), journals.current, undefined);
  for (const input of [failed, path]) {
    for (const journal of journalFiles(journalFile(input), 'journals'))
      await own.read(journal.path);
  }
  let rows = 0;
  for await (const group of identifyRows({ source, dialect, mapping, service, shard: undefined })) {
    rows += group.rows.length;
    const isDone = ({ key }: { key: string }) =>
      [journals, own].some(({ index }) => {
        const entry = index.find(key);
        return entry >= 0 && (index.state(entry) & State.done) !== 0;
      });
    if (!group.rows.every(isDone)) return false;
  }
  return rows > 0;
}
