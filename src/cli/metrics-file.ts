/*
 * Writes the numbers of a run for Prometheus (exposition format 0.0.4), where the textfile
 * collector of node_exporter reads them.
 */
import { readFile, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { writeAtomically } from '../runtime/atomic-file.ts';
import { codeOf, explainSystemError, LocalError } from '../runtime/carbon-error.ts';

export interface EndedRun {
  readonly exit: number;
  readonly endedAtMs: number;
  /** Whether the run did its work to the end, even if research or rows failed. */
  readonly isSuccess: boolean;
  /** The numbers of its summary; other members are left out. */
  readonly summary: object;
}

const header = '# Written by carbon. The next run replaces this file.\n';
const lastSuccess = 'carbon_last_success_timestamp_seconds';

/**
 * Replaces the file of the last run atomically, with the mode 0666 less the umask, so that a
 * collector of another user can read it. If this run failed, the file keeps the time of the last
 * success.
 * @throws LocalError if the file cannot be written, or if carbon did not write the existing file
 */
export async function writeMetrics(path: string, run: EndedRun): Promise<void> {
  try {
    const target = await realpath(path).catch(() => path);
    const existing = await readFile(target, 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return '';
      throw error;
    });
    if (existing !== '' && !existing.startsWith(header))
      throw new Error('carbon did not write the existing file');
    const [, before] = new RegExp(`^${lastSuccess}\\{.*\\} ([\\d.]+)$`, 'm').exec(existing) ?? [];
    const text = render(basename(path, '.prom'), run, before);
    await writeAtomically(target, async ({ write, commit }) => {
      write(text);
      await commit();
    });
  } catch (cause) {
    throw new LocalError(`cannot write ${path}: ${explainSystemError(cause)}`);
  }
}

/* The collector rejects two files with the same labels: `task` is the name of the file. */
function render(task: string, run: EndedRun, before: string | undefined): string {
  const seconds = run.endedAtMs / 1000;
  const { listed } = run.summary as { readonly listed?: number };
  const numbers = Object.entries(run.summary).filter(([, value]) => typeof value === 'number');
  const gauge = (name: string, help: string, samples: readonly (readonly [string, unknown])[]) =>
    samples.length === 0
      ? ''
      : `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${samples
          .map(([label, value]) => `${name}{task="${escapeLabel(task)}"${label}} ${value}\n`)
          .join('')}`;
  const success = run.isSuccess ? seconds : before;
  return [
    header,
    gauge('carbon_run_exit_code', 'Exit code of the last run.', [['', run.exit]]),
    gauge('carbon_last_run_timestamp_seconds', 'End of the last run.', [['', seconds]]),
    gauge(
      lastSuccess,
      'End of the last run that finished (exit code 0, 7, 8 or 9).',
      success === undefined ? [] : [['', success]],
    ),
    gauge(
      'carbon_listed',
      'Organizations that the list has.',
      listed === undefined ? [] : [['', listed]],
    ),
    gauge(
      'carbon_run_result',
      'Numbers of the summary of the last run.',
      numbers.map(([name, value]) => [`,name="${name}"`, value]),
    ),
  ].join('');
}

/* Escapes as the format requires; other control characters would only disturb a screen. */
function escapeLabel(value: string): string {
  return value
    .replace(/[\\"]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd');
}
