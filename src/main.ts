import { type Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { Declined, exitCodeOf, exitOfSignal, finishedExits } from './cli/errors.ts';
import { Messages } from './cli/messages.ts';
import {
  type CommandDeclaration,
  declarationsOf,
  type Format,
  type GlobalFlags,
  readGlobals,
  ValueError,
} from './cli/options.ts';
import { buildProgram, commandNames, type ProgramHandlers } from './cli/program.ts';
import type { askInstead } from './cli/questions.ts';
import { Session } from './cli/session.ts';
import type { readUsageError } from './cli/usage-errors.ts';
import { loadStored } from './config/settings.ts';
import { loadStyle } from './display/terminal/style.ts';
import {
  HintedError,
  LocalError,
  outputError,
  toCarbonError,
  UsageError,
} from './runtime/carbon-error.ts';
import { type Context, flush, Stopped } from './runtime/context.ts';

export { realContext } from './runtime/context.ts';
export { outputError, Stopped };

/**
 * Runs one command line, prints its error if it fails, and returns the exit code.
 *
 * The exit code after a signal is 128 plus the number of the signal, as in a shell.
 * @param argv arguments after `carbon`
 */
export async function main(argv: readonly string[], context: Context): Promise<number> {
  let line = argv;
  for (let questions = 0; ; questions += 1) {
    const ended = await runLine(line, context, questions < maxQuestions);
    if (typeof ended === 'number') return ended;
    line = ended;
  }
}

/* After so many answers, an error is an error. */
const maxQuestions = 3;

/* A command line, and what is known of it as far as it was read. */
interface Line {
  readonly argv: readonly string[];
  readonly context: Context;
  /** A guess until the arguments are parsed, and for errors of parsing. */
  flags: GlobalFlags;
  messages: Messages;
  program: Command | undefined;
  command: Command | undefined;
  session: Session | undefined;
}

/* Returns the exit code, or the command line that the user chose after a question. */
async function runLine(
  argv: readonly string[],
  context: Context,
  mayAsk: boolean,
): Promise<number | readonly string[]> {
  const flags = {
    json: argv.includes('--json'),
    debug: argv.includes('--debug'),
    progress: !argv.includes('--no-progress'),
    sandbox: argv.includes('--sandbox'),
  };
  const messages = await Messages.open(context, flags);
  const unread = { program: undefined, command: undefined, session: undefined };
  const line: Line = { argv, context, flags, messages, ...unread };
  const ended = await runCommand(line).catch((thrown: unknown) => endFailed(line, thrown, mayAsk));
  if (typeof ended !== 'number') return ended;
  line.messages.end();
  // After a usage error, commander knows the flags before the invalid word.
  for (const parsed of line.program?.commands ?? [])
    await writeMetricsFile(parsed.opts(), ended, line);
  return ended;
}

/* Runs the command of a line, or prints the help that it asks for, and returns the exit code. */
async function runCommand(line: Line): Promise<number> {
  const { argv, context } = line;
  let exit = 0;
  const run: ProgramHandlers['run'] = async (declaration, parsed, operands) => {
    line.command = parsed;
    const flags = readGlobals(parsed, declaration, context.env);
    const messages = await Messages.open(context, flags);
    line.messages = messages;
    const style = await loadStyle(flags.color === false ? 0 : context.stdout.colorLevel);
    const usesProfile = declaration.service?.includes('--profile') && flags.sandbox !== true;
    const readProfileFile = usesProfile ? await loadStored(context, flags) : undefined;
    const session = new Session({
      context,
      flags,
      messages,
      style,
      readProfileFile,
      command: parsed,
      argv,
    });
    line.session = session;
    line.flags = flags;
    checkFormat(declaration, session.format);
    try {
      exit = await declaration.run(session, operands, parsed.opts(), parsed);
    } finally {
      await session.close();
    }
  };
  const write = (text: string) => context.stdout.write(text);
  let helpOf: { readonly name: string | undefined } | undefined;
  const help = (name: string | undefined) => {
    helpOf = { name };
  };
  const names = neededCommands(argv);
  const program = await buildProgram(packageJson.version, { run, help, write }, names);
  line.program = program;
  await program.parseAsync(argv, { from: 'user' }).catch(ignoreHelp);
  if (helpOf !== undefined) write(await renderHelp(program, helpOf.name));
  await flush(context);
  return exit;
}

/*
 * Prints why a command line failed, or asks what to do instead. Returns the exit code, or the
 * command line that the user chose.
 */
async function endFailed(
  line: Line,
  thrown: unknown,
  mayAsk: boolean,
): Promise<number | readonly string[]> {
  const { argv, context, messages, program } = line;
  const reason: unknown = context.signal.aborted ? context.signal.reason : thrown;
  if (reason instanceof Stopped) return exitOfSignal(reason.by);
  if (reason instanceof Declined) {
    messages.line(reason.message);
    return 2;
  }
  if (isWithoutCommand(reason) && program !== undefined && !messages.isJson) {
    context.stderr.write(await renderHelp(program, undefined));
    return 2;
  }
  const found =
    (reason instanceof CommanderError || reason instanceof ValueError) && program !== undefined
      ? await explainUsage(reason, program, argv, context.clock.now())
      : toCarbonError(reason);
  const isQuoted = found instanceof UsageError && argv.some((word) => word.startsWith("'"));
  const error = isQuoted ? await explainQuoted(found, argv, found !== reason) : found;
  const exit = exitCodeOf(error);
  if (!mayAsk || !(error instanceof HintedError) || error.choices === undefined) {
    messages.error(error);
    return exit;
  }
  try {
    return (await ask(error, line)) ?? exit;
  } catch (stopped) {
    if (!(stopped instanceof Stopped)) throw stopped;
    return exitOfSignal(stopped.by);
  }
}

/* A failure is only a warning, because the exit code is about the work. */
async function writeMetricsFile(
  { metricsFile, dryRun }: { readonly metricsFile?: string; readonly dryRun?: boolean },
  exit: number,
  { context, messages, session }: Line,
): Promise<void> {
  if (metricsFile === undefined) return;
  const { writeMetrics } = await import('./cli/metrics-file.ts');
  const isSuccess = finishedExits.includes(exit) && !context.signal.aborted && dryRun !== true;
  const summary = { ...session?.summary, synthetic: Number(session?.view.synthetic ?? false) };
  const ended = { exit, endedAtMs: context.clock.now(), isSuccess, summary };
  await writeMetrics(metricsFile, ended).catch((error: unknown) => {
    if (!(error instanceof LocalError)) throw error;
    messages.print({ level: 'failure', text: `Warning: --metrics-file: ${error.message}` });
  });
}

/* Loads its module only for an error with choices. */
async function ask(...failed: Parameters<typeof askInstead>): ReturnType<typeof askInstead> {
  const { askInstead } = await import('./cli/questions.ts');
  return askInstead(...failed);
}

/* Loads its module only for an invalid command line. */
async function explainUsage(...invocation: Parameters<typeof readUsageError>): Promise<UsageError> {
  const { readUsageError } = await import('./cli/usage-errors.ts');
  return readUsageError(...invocation);
}

async function explainQuoted(
  ...failed: [UsageError, readonly string[], boolean]
): Promise<UsageError> {
  const { explainQuotes } = await import('./cli/usage-errors.ts');
  return explainQuotes(...failed);
}

async function renderHelp(program: Command, name: string | undefined): Promise<string> {
  const { renderCommandHelp, renderProgramHelp } = await import('./cli/help.ts');
  const declarations = declarationsOf(program);
  const declaration = declarations.find((declared) => declared.name === name);
  return declaration === undefined
    ? renderProgramHelp(declarations)
    : renderCommandHelp(declaration);
}

function isWithoutCommand(reason: unknown): boolean {
  return reason instanceof CommanderError && reason.code === 'commander.help';
}

/* Commander throws after it prints help. */
function ignoreHelp(thrown: unknown): void {
  if (!(thrown instanceof CommanderError) || thrown.exitCode !== 0) throw thrown;
}

/* An argument may be the value of a flag, so every command whose name occurs is declared. */
function neededCommands(argv: readonly string[]): readonly string[] {
  const names = commandNames.filter((name) => argv.includes(name));
  const describesAll = ['help', 'completion'].some((name) => names.includes(name));
  const needsAll = names.length === 0 || describesAll;
  return needsAll ? commandNames : names;
}

function checkFormat(declaration: CommandDeclaration, format: Format): void {
  const { name, formats } = declaration;
  if (formats.includes(format)) return;
  throw new UsageError(`--${format} does not apply to carbon ${name}`);
}
