import type { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { RunRecorder } from '../metrics/metrics.ts';
import type { RunDocument } from '../metrics/run-document.ts';
import { LocalError, UsageError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import type { OptionSpec } from './declaration.ts';
import type { Messages } from './messages.ts';

/**
 * The option that names a file for the numbers of the run. The session of the command then has a
 * recorder, and `main` writes the file.
 */
export const metricsOption: OptionSpec = {
  flags: '--metrics-file <file>',
  description: 'write run metrics: run.prom or run.json',
  parse(path) {
    if (/\.(?:prom|json)$/.test(path)) return path;
    throw new UsageError(
      '--metrics-file: the name must end in .prom (Prometheus) or .json',
      'node_exporter reads only files that end in .prom.',
    );
  },
};

/** Collects the numbers of one command for its metrics file. */
export interface MetricsFile {
  readonly recorder: RunRecorder;
  /** Writes the file. A failure is only a warning, because the exit code is about the work. */
  write(exit: number, messages: Messages): Promise<void>;
}

/** Starts to collect numbers if the command has a metrics file; only then it loads modules. */
export async function openMetrics(
  context: Context,
  command: Command,
): Promise<MetricsFile | undefined> {
  const path: string | undefined = command.opts()['metricsFile'];
  if (path === undefined) return undefined;
  const { RunRecorder, writeMetrics } = await import('../metrics/metrics.ts');
  const { version } = packageJson;
  const name = command.name() as RunDocument['command'];
  const recorder = new RunRecorder({ command: name, version }, context.clock);
  return {
    recorder,
    async write(exit, messages) {
      const run = recorder.end(exit, context.signal.aborted);
      try {
        await writeMetrics(path, run);
      } catch (error) {
        if (!(error instanceof LocalError)) throw error;
        const warning = `--metrics-file: ${error.message}`;
        messages.print({ level: 'failure', text: `Warning: ${warning}` });
      }
    },
  };
}
