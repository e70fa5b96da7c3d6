import { type Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { exitCodeOf } from './cli/errors.ts';
import { exitOfSignal } from './cli/exit-codes.ts';
import { readGlobals } from './cli/global-options.ts';
import { type MessageOptions, Messages } from './cli/messages.ts';
import { buildProgram, commandNames } from './cli/program.ts';
import type { Run } from './cli/runner.ts';
import { type Format, flush, type GlobalFlags, Session } from './cli/session.ts';
import { outputError, toCarbonError, UsageError } from './runtime/carbon-error.ts';
import { type Context, Stopped } from './runtime/context.ts';

export { realContext } from './runtime/context.ts';
export { outputError, Stopped };

/**
 * Runs one command line and prints the one error that may come of it.
 * @param argv the words after `carbon`
 * @returns the exit code; after a signal, the code that a shell shows for it
 */
export async function main(argv: readonly string[], context: Context): Promise<number> {
  let exit = 0;
  // Until the words are parsed, and when they cannot be: a word may be a flag, or the value of one.
  const guessed = { json: argv.includes('--json'), debug: argv.includes('--debug') };
  const messages = await Messages.open(context, messageOptions(context, guessed));
  messages.hide(context.env['CARBON_API_KEY'] ?? '');
  const run: Run = async (command, formats, work) => {
    const flags = readGlobals(command);
    await messages.configure(messageOptions(context, flags));
    const session = await Session.open(context, flags, messages);
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
      asksForHelp(argv),
    );
    await program.parseAsync(argv, { from: 'user' }).catch(ignoreHelp);
    await flush(context);
    return exit;
  } catch (thrown) {
    const reason: unknown = context.signal.aborted ? context.signal.reason : thrown;
    if (reason instanceof Stopped) return exitOfSignal(reason.by);
    const error =
      reason instanceof CommanderError && program !== undefined
        ? await explainUsage(reason, argv, program)
        : toCarbonError(reason);
    messages.error(error);
    return exitCodeOf(error);
  }
}

/* Loaded only by a command line that is wrong. */
async function explainUsage(
  ...wrong: [CommanderError, readonly string[], Command]
): Promise<UsageError> {
  const { readUsageError } = await import('./cli/usage-errors.ts');
  return readUsageError(...wrong);
}

/* Commander throws after it has written a help. */
function ignoreHelp(thrown: unknown): void {
  if (!(thrown instanceof CommanderError) || thrown.exitCode !== 0) throw thrown;
}

function messageOptions({ env, stdout, stderr }: Context, flags: GlobalFlags): MessageOptions {
  // Where only standard output is redirected, a person reads standard error and no program does.
  const isWatched = stderr.isTerminal && !stdout.isTerminal;
  return {
    json: flags.json === true && !isWatched,
    quiet: flags.ids === true,
    debug: flags.debug === true || Boolean(env['CARBON_DEBUG']),
    color: flags.color !== false,
  };
}

/* Short flags may be written together. */
function asksForHelp(argv: readonly string[]): boolean {
  return argv.length === 0 || argv.some((word) => /^(help|completion|--help|-\w*h)/.test(word));
}

/* A word may be a flag's value and not the command, so every command that is named is declared. */
function neededCommands(argv: readonly string[]): readonly string[] {
  const named = commandNames.filter((name) => argv.includes(name));
  const isAboutAll = named.length === 0 || named.includes('help') || named.includes('completion');
  return isAboutAll ? commandNames : named;
}

function checkFormat(command: string, format: Format, formats: readonly Format[]): void {
  if (formats.includes(format)) return;
  throw new UsageError(`--${format} does not apply to carbon ${command}`);
}
