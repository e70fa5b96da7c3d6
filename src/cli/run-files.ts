/*
 * Writes the files about a run: metrics for Prometheus and a summary in JSON. Only runs with one of
 * the two flags load this module.
 */
import { basename } from 'node:path';
import type { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { RunRecorder } from '../metrics/run-recorder.ts';
import { runFileFormats, writeRunFile } from '../metrics/write-run-file.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { thisMachine } from '../runtime/machine.ts';
import type { Messages } from './messages.ts';

/** The files that the flags of one command name. */
export class RunFiles {
  /** Collects the numbers of the run. */
  readonly recorder: RunRecorder;
  readonly #context: Context;
  readonly #command: Command;

  constructor(context: Context, command: Command) {
    this.#context = context;
    this.#command = command;
    const { version } = packageJson;
    this.recorder = new RunRecorder({ command: command.name(), version }, context.clock);
  }

  /** Writes the files. A failure is only a warning, because the exit code is about the work. */
  async write(exit: number, messages: Messages): Promise<void> {
    const { signal, process } = this.#context;
    const run = this.recorder.end({ exit, isStopped: signal.aborted });
    const { metricsFile, summary } = this.#command.opts<Record<string, string | undefined>>();
    const files = [
      { path: metricsFile, flag: '--metrics-file', format: runFileFormats.metrics },
      { path: summary, flag: '--summary', format: runFileFormats.summary },
    ];
    for (const { path, flag, format } of files) {
      if (!path) continue;
      const warn = (text: string) =>
        messages.print({
          level: 'failure',
          text: `Warning: ${flag}: ${text}`,
          event: { warning: `${flag}: ${text}` },
        });
      try {
        const { lostLastSuccess } = await writeRunFile(path, format, run, thisMachine(process.id));
        if (lostLastSuccess) warn(`the time of the last success in ${path} was invalid`);
        if (format === runFileFormats.metrics) this.#hintName(path, messages);
      } catch (error) {
        if (!(error instanceof LocalError)) throw error;
        warn(error.message);
      }
    }
  }

  /* The run reports no error, but the metrics would be missing in Prometheus. */
  #hintName(path: string, messages: Messages): void {
    if (path.endsWith('.prom')) return;
    const text = `--metrics-file: node_exporter reads only files that end in .prom, not ${basename(path)}`;
    messages.print({ level: 'progress', text, event: { event: 'metrics_name', file: path } });
  }
}
