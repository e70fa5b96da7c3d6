import { Command, Help, type OutputConfiguration } from 'commander';
import { addGlobals } from './global-options.ts';
import type { Run } from './session.ts';

type Add = (program: Command, run: Run) => Command;

/* Each command is a separate chunk of the executable, so that a run loads only its own command. */
const commands: Readonly<Record<string, () => Promise<Add>>> = {
  register: async () => (await import('./commands/register.ts')).addRegister,
  get: async () => (await import('./commands/get.ts')).addGet,
  watch: async () => (await import('./commands/watch/command.ts')).addWatch,
  batch: async () => (await import('./commands/batch/command.ts')).addBatch,
  report: async () => (await import('./commands/report.ts')).addReport,
  footprint: async () => (await import('./commands/footprint/command.ts')).addFootprint,
  list: async () => (await import('./commands/list/command.ts')).addList,
  diff: async () => (await import('./commands/diff.ts')).addDiff,
  check: async () => (await import('./commands/check.ts')).addCheck,
  api: async () => (await import('./commands/api.ts')).addApi,
  sandbox: async () => (await import('./commands/sandbox/command.ts')).addSandbox,
  login: async () => (await import('./commands/login/command.ts')).addLogin,
  logout: async () => (await import('./commands/logout/command.ts')).addLogout,
  whoami: async () => (await import('./commands/whoami/command.ts')).addWhoami,
  completion: async () => (await import('./commands/completion/command.ts')).addCompletion,
  mcp: async () => (await import('./commands/mcp.ts')).addMcp,
  schema: async () => (await import('./commands/schema/command.ts')).addSchema,
  help: async () => (await import('./commands/help/command.ts')).addHelp,
};

/** The names of all commands, in the order of the help. */
export const commandNames: readonly string[] = Object.keys(commands);

const footer = `
Examples:
  carbon register --sandbox --name "Acme AG" --hq-region DE --wait
  carbon get 12 --json
  carbon login --base-url https://api.example.com

Help: carbon help <command>, carbon help environment, carbon help exit-codes`;

/**
 * Builds the command-line program.
 * @param write prints help and version; errors are thrown, never written
 * @param names the commands to declare; every other command is unknown
 * @param hasExamples whether to load the examples, which only help prints
 */
export async function buildProgram(
  version: string,
  run: Run,
  write: (text: string) => void,
  names = commandNames,
  hasExamples = true,
): Promise<Command> {
  const output: OutputConfiguration = { writeOut: write, writeErr() {}, outputError() {} };
  const program = new Command('carbon')
    .description('Command-line client for an organization carbon data service')
    .usage('<command> [options]')
    .version(version, '-V, --version', 'show the version')
    .helpCommand(false)
    .configureOutput(output)
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .configureHelp({
      helpWidth: 80,
      subcommandTerm: (command) => command.name(),
      formatHelp: (command, help) =>
        commandsFirst(Help.prototype.formatHelp.call(help, command, help)),
    })
    .exitOverride()
    .addHelpText('after', footer);
  addGlobals(program);
  const examples = hasExamples ? (await import('./help/examples.ts')).examples : {};
  for (const name of names) {
    const add = await commands[name]?.();
    if (add === undefined) continue;
    const command = add(program, run);
    addGlobals(command);
    command.addHelpText('after', renderExamples(examples[name]));
  }
  helpOfNamedCommand(program);
  return program;
}

function renderExamples(lines: readonly string[] = []): string {
  return lines.length === 0
    ? ''
    : ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/* Makes `carbon --help get` print the same as `carbon get --help`. */
function helpOfNamedCommand(program: Command): void {
  const write = program.outputHelp.bind(program);
  program.outputHelp = () => {
    const [flag = '', ...words] = program.args;
    const named =
      /^(-h|--help)$/.test(flag) &&
      program.commands.find((declared) => words.includes(declared.name()));
    if (named) named.outputHelp();
    else write();
  };
}

/* Moves the commands before the options: a new user looks for the commands. */
function commandsFirst(help: string): string {
  return help.replace(/(Options:\n[\s\S]*)(Commands:\n[\s\S]*)/, '$2\n$1').replace(/\n+$/, '\n');
}
