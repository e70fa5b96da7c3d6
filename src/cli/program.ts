import { Command, CommanderError, Option } from 'commander';
import {
  type CommandDeclaration,
  globalOptions,
  type OptionSpec,
  ownOptions,
  readChoice,
  setDeclaration,
} from './options.ts';

/*
 * Every command, in the order of the help. Each is a separate chunk of the executable, so that a
 * run loads only its own command.
 */
const commands: Readonly<Record<string, () => Promise<CommandDeclaration>>> = {
  register: async () => (await import('./commands/organizations/register.ts')).registerCommand,
  get: async () => (await import('./commands/organizations/get.ts')).getCommand,
  watch: async () => (await import('./commands/organizations/watch.ts')).watchCommand,
  sync: async () => (await import('./commands/lists/sync/command.ts')).syncCommand,
  batch: async () => (await import('./commands/lists/batch/command.ts')).batchCommand,
  list: async () => (await import('./commands/portfolio/list.ts')).listCommand,
  report: async () => (await import('./commands/portfolio/report.ts')).reportCommand,
  footprint: async () =>
    (await import('./commands/portfolio/footprint/command.ts')).footprintCommand,
  diff: async () => (await import('./commands/portfolio/diff.ts')).diffCommand,
  check: async () => (await import('./commands/portfolio/check.ts')).checkCommand,
  login: async () => (await import('./commands/setup/login.ts')).loginCommand,
  logout: async () => (await import('./commands/setup/login.ts')).logoutCommand,
  whoami: async () => (await import('./commands/setup/whoami.ts')).whoamiCommand,
  completion: async () => (await import('./commands/setup/completion.ts')).completionCommand,
  sandbox: async () => (await import('./commands/developers/sandbox.ts')).sandboxCommand,
  mcp: async () => (await import('./commands/developers/mcp.ts')).mcpCommand,
  help: async () => (await import('./help.ts')).helpCommand,
};

export const commandNames: readonly string[] = Object.keys(commands);

/** An unknown option, or an option without its value. */
export class OptionError extends CommanderError {
  readonly option: string;

  constructor(code: string, option: string) {
    super(2, code, '');
    this.option = option;
  }
}

/* Its errors have the option, which those of commander have only in a sentence. */
class Parser extends Command {
  override createCommand(name?: string): Command {
    return new Parser(name);
  }

  unknownOption(word: string): never {
    throw new OptionError('commander.unknownOption', word);
  }

  optionMissingArgument({ long, flags }: Option): never {
    throw new OptionError('commander.optionMissingArgument', long ?? flags);
  }
}

export interface ProgramHandlers {
  run(
    declaration: CommandDeclaration,
    command: Command,
    operands: readonly string[],
  ): Promise<void>;
  help(name: string | undefined): void;
  write(text: string): void;
}

/**
 * Builds the parser of the command line. It throws errors and never writes them.
 * @param names the commands to declare; every other command is unknown
 */
export async function buildProgram(
  version: string,
  { run, help, write }: ProgramHandlers,
  names = commandNames,
): Promise<Command> {
  const program = new Parser('carbon')
    .version(version, '-V, --version')
    .helpOption('-h, --help')
    .helpCommand(false)
    .configureOutput({ writeOut: write, writeErr() {}, outputError() {} })
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .exitOverride();
  addOptions(program, globalOptions);
  program.outputHelp = () => help(undefined);
  for (const name of names) {
    const declaration = await commands[name]?.();
    if (declaration === undefined) continue;
    const command = program.command(name).helpOption('-h, --help');
    setDeclaration(command, declaration);
    for (const { term } of declaration.arguments ?? []) command.argument(term);
    addOptions(command, [...ownOptions(declaration), ...globalOptions]);
    command.outputHelp = () => help(name);
    command.action(() => run(declaration, command, command.args));
  }
  return program;
}

function addOptions(command: Command, specs: readonly OptionSpec[]): void {
  for (const spec of specs) {
    const { flags, parse, choices, default: value } = spec;
    const option = new Option(flags).default(value);
    if (parse) option.argParser(parse);
    else if (choices) option.argParser(readChoice(option.long ?? flags, choices, spec));
    command.addOption(option);
  }
}

export function loadDeclarations(): Promise<CommandDeclaration[]> {
  return Promise.all(Object.values(commands).map((load) => load()));
}
