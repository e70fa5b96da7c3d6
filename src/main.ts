import { type Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { exitCodeOf } from './cli/errors.ts';
import { exitOfSignal } from './cli/exit-codes.ts';
import { readGlobals } from './cli/global-options.ts';
import { type MessageOptions, Messages } from './cli/messages.ts';
import { type MetricsFile, openMetrics } from './cli/metrics-option.ts';
import type { Format, GlobalFlags } from './cli/output-format.ts';
import { buildProgram, commandNames } from './cli/program.ts';
import { type Run, Session } from './cli/session.ts';
import { outputError, toCarbonError, UsageError } from './runtime/carbon-error.ts';
import { type Context, Stopped } from './runtime/context.ts';
import { flush } from './runtime/flush.ts';

export { realContext } from './runtime/context.ts';
export { outputError, Stopped };

/**
 * Runs one command line, prints its error if it fails, and returns the exit code.
 *
 * The exit code after a signal is 128 plus the number of the signal, as in a shell.
 * @param argv arguments after `carbon`
 */
export async function main(argv: readonly string[], context: Context): Promise<number> {
  let exit = 0;
  // Applies until the arguments are parsed, and to errors of parsing.
  const guessedFlags = { json: argv.includes('--json'), debug: argv.includes('--debug') };
  const messages = await Messages.open(context, messageOptions(context, guessedFlags));
  messages.hide(context.env['CARBON_API_KEY'] ?? '');
  let metrics: MetricsFile | undefined;
  const run: Run = async (command, formats, work) => {
    const flags = readGlobals(command);
    await messages.configure(messageOptions(context, flags));
    const session = await Session.open(context, flags, messages);
    metrics = await openMetrics(context, command);
    session.recorder = metrics?.recorder;
    checkFormat(command.name(), session.format, formats);
    try {
      exit = await work(session);
    } finally {
      await session.close();
    }
  };
  let program: Command | undefined;
  try {
    const write = (text: string) => context.stdout.write(text);
    program = await buildProgram(
      packageJson.version,
      run,
      write,
      neededCommands(argv),
      requestsHelp(argv),
    );
    await program.parseAsync(argv, { from: 'user' }).catch(ignoreHelp);
    await flush(context);
  } catch (thrown) {
    const reason: unknown = context.signal.aborted ? context.signal.reason : thrown;
    if (reason instanceof Stopped) exit = exitOfSignal(reason.by);
    else {
      const error =
        reason instanceof CommanderError && program !== undefined
          ? await explainUsage(reason, argv, program)
          : toCarbonError(reason);
      messages.error(error);
      exit = exitCodeOf(error);
    }
  }
  // After a usage error, commander knows the flags before the invalid word.
  for (const command of program?.commands ?? []) metrics ??= await openMetrics(context, command);
  await metrics?.write(exit, messages);
  return exit;
}

/* Loads its module only for an invalid command line. */
async function explainUsage(
  ...invocation: [CommanderError, readonly string[], Command]
): Promise<UsageError> {
  const { readUsageError } = await import('./cli/usage-errors.ts');
  return readUsageError(...invocation);
}

/* Commander throws after it prints help. */
function ignoreHelp(thrown: unknown): void {
  if (!(thrown instanceof CommanderError) || thrown.exitCode !== 0) throw thrown;
}

function messageOptions({ env, stdout, stderr }: Context, flags: GlobalFlags): MessageOptions {
  // If only standard output is redirected, a person reads standard error, not a program.
  const isReadByPerson = stderr.isTerminal && !stdout.isTerminal;
  return {
    json: flags.json === true && !isReadByPerson,
    quiet: flags.ids === true,
    progress: flags.progress !== false,
    debug: flags.debug === true || Boolean(env['CARBON_DEBUG']),
    color: flags.color !== false,
  };
}

/* Also finds -h among combined short flags. */
function requestsHelp(argv: readonly string[]): boolean {
  return argv.length === 0 || argv.some((word) => /^(help|completion|--help|-\w*h)/.test(word));
}

/* An argument may be the value of a flag, so every command whose name occurs is declared. */
function neededCommands(argv: readonly string[]): readonly string[] {
  const names = commandNames.filter((name) => argv.includes(name));
  const needsAll = names.length === 0 || names.includes('help') || names.includes('completion');
  return needsAll ? commandNames : names;
}

function checkFormat(command: string, format: Format, formats: readonly Format[]): void {
  if (formats.includes(format)) return;
  throw new UsageError(`--${format} does not apply to carbon ${command}`);
}
