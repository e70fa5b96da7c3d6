/*
 * Writes the files about a run: metrics for Prometheus and a summary in JSON. Every run writes
 * them, also one that fails, is refused or is stopped by a signal.
 */
import { type Command, Option } from 'commander';
import type { RunRecorder, RunResult, RunStart } from '../metrics/run-recorder.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import type { Messages } from './messages.ts';

interface RunFileFlags {
  readonly metricsFile?: string;
  readonly summary?: string;
}

/** Declares `--metrics-file` and `--summary`. The session then has a recorder. */
export function addRunFiles(command: Command): Command {
  const notStandardOutput = (flag: string) => (path: string) => {
    if (path !== '-') return path;
    throw new UsageError(`${flag}: - is standard output, but carbon replaces a file`);
  };
  const group = 'Monitoring:';
  return command
    .addOption(
      new Option(
        '--metrics-file <file>',
        'write the numbers of the run for Prometheus, such as /var/lib/node_exporter/carbon.prom',
      )
        .helpGroup(group)
        .argParser(notStandardOutput('--metrics-file')),
    )
    .addOption(
      new Option('--summary <file>', 'write the numbers of the run as JSON')
        .helpGroup(group)
        .argParser(notStandardOutput('--summary')),
    );
}

/** The files about one run. Call `record` when the command is known, and `write` at the end. */
export class RunFiles {
  readonly #context: Context;
  readonly #version: string;
  readonly #start: RunStart;
  #recorder: RunRecorder | undefined;

  constructor(context: Context, version: string) {
    const { clock } = context;
    this.#context = context;
    this.#version = version;
    this.#start = { now: clock.now(), elapsed: clock.elapsed() };
  }

  /** Returns the recorder of the run; undefined unless a flag names a file. */
  async record(command: Command): Promise<RunRecorder | undefined> {
    const { metricsFile, summary }: RunFileFlags = command.opts();
    if (!metricsFile && !summary) return undefined;
    if (this.#recorder === undefined) {
      const { RunRecorder } = await import('../metrics/run-recorder.ts');
      const run = { command: command.name(), version: this.#version, start: this.#start };
      this.#recorder = new RunRecorder(run, this.#context.clock);
    }
    return this.#recorder;
  }

  /**
   * Writes the files that the flags name. A failure is a warning: the exit code is about the work.
   * @param program knows the flags; after a usage error, those before the invalid word
   */
  async write(program: Command | undefined, exit: number, messages: Messages): Promise<void> {
    for (const command of program?.commands ?? []) {
      const recorder = await this.record(command);
      if (recorder === undefined) continue;
      await this.#write(command.opts(), recorder, messages, {
        exit,
        isStopped: this.#context.signal.aborted,
      });
    }
  }

  async #write(
    { metricsFile, summary }: RunFileFlags,
    recorder: RunRecorder,
    messages: Messages,
    result: RunResult,
  ): Promise<void> {
    const [{ runFileFormats, writeRunFile }, { thisMachine }, { CarbonError }] = await Promise.all([
      import('../metrics/write-run-file.ts'),
      import('../runtime/machine.ts'),
      import('../runtime/carbon-error.ts'),
    ]);
    const run = recorder.end(result);
    const machine = thisMachine(this.#context.process.id);
    const files = [
      { path: metricsFile, flag: '--metrics-file', format: runFileFormats.metrics },
      { path: summary, flag: '--summary', format: runFileFormats.summary },
    ];
    for (const { path, flag, format } of files) {
      if (!path) continue;
      const warn = (text: string) =>
        messages.note(`Warning: ${flag}: ${text}`, { warning: `${flag}: ${text}` }, true);
      try {
        const { lostLastSuccess } = await writeRunFile(path, format, run, machine);
        if (lostLastSuccess) warn(`the time of the last success in ${path} was invalid`);
      } catch (error) {
        if (!(error instanceof CarbonError)) throw error;
        warn(error.message);
      }
    }
  }
}
