/* Replaces the metrics file or the summary of the last run, and never any other file. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { writeAtomically } from '../runtime/atomic-file.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import type { MachineIdentity } from '../runtime/machine.ts';
import { codeOf, explainSystemError } from '../runtime/system-error.ts';
import { checkFileName } from '../runtime/windows-name.ts';
import type { Previous } from './previous-run.ts';
import { readMetrics, renderMetrics, taskOf } from './prometheus.ts';
import type { RunNumbers } from './run-recorder.ts';
import { readRunSummary, renderRunSummary } from './run-summary.ts';

/** Reads and renders one kind of file. */
interface RunFileFormat {
  read(text: string, path: string, run: RunNumbers): Previous;
  render(run: RunNumbers, path: string, lastSuccessAt: number | undefined): string;
}

/** The two kinds of files about a run. */
export const runFileFormats = {
  metrics: {
    read: (text, path, run) => readMetrics(text, run.command, taskOf(path), run.endedAt),
    render: (run, path, lastSuccessAt) => renderMetrics(run, taskOf(path), lastSuccessAt),
  },
  summary: {
    read: (text, _, run) => readRunSummary(text, run.command, run.endedAt),
    render: (run, _, lastSuccessAt) => renderRunSummary(run, lastSuccessAt),
  },
} as const satisfies Readonly<Record<string, RunFileFormat>>;

/* Far above the size of either file. */
const maxBytes = 256 * 1024;

/**
 * Replaces the file of the last run atomically, with the mode 0666 less the umask, so that a
 * collector of another user can read it.
 *
 * If this run failed, the file keeps the time of the last success.
 * @returns whether the time of the last success in the old file was invalid and is lost
 * @throws LocalError if the file cannot be written, or if carbon did not write the existing file
 */
export async function writeRunFile(
  path: string,
  format: RunFileFormat,
  run: RunNumbers,
  machine: MachineIdentity,
): Promise<{ readonly lostLastSuccess: boolean }> {
  const target = await realpath(path).catch(() => path);
  try {
    checkFileName(path);
    const text = await readExisting(target);
    const previous = text === '' ? { isOurs: true } : format.read(text, path, run);
    if (!previous.isOurs) throw new Error('carbon did not write the existing file');
    const lastSuccessAt = run.isSuccess ? run.endedAt : previous.lastSuccessAt;
    await writeAtomically(target, machine, async ({ handle, commit }) => {
      await handle.writeFile(format.render(run, path, lastSuccessAt));
      await commit();
    });
    return { lostLastSuccess: previous.isDamaged === true && !run.isSuccess };
  } catch (cause) {
    throw new LocalError(`cannot write ${path}: ${explain(cause)}`);
  }
}

/* Returns the text of a file, empty if there is none. */
async function readExisting(path: string): Promise<string> {
  const stats = await stat(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  if (stats === undefined) return '';
  if (!stats.isFile()) throw new Error('it is not a regular file');
  if (stats.size > maxBytes) throw new Error('carbon did not write the existing file');
  return readFile(path, 'utf8');
}

/* Omits the name of the temporary file, which would confuse the reader. */
function explain(cause: unknown): string {
  return codeOf(cause) === 'ENOENT' ? 'its directory does not exist' : explainSystemError(cause);
}
