import packageJson from '../../../package.json' with { type: 'json' };
import { UsageError } from '../../runtime/carbon-error.ts';
import { nearestNames } from '../../runtime/nearest.ts';
import {
  type CommandDeclaration,
  declarationsOf,
  flagsOf,
  nameOf,
  type OptionSpec,
  ownOptions,
  placeholderOf,
} from '../declaration.ts';
import { applicableGlobals, globalOptions } from '../global-options.ts';
import { renderCommandHelp, renderProgramHelp, usageOf } from '../help/render.ts';
import { exitCodes, helpTopics, topics, variables } from '../help/topics.ts';
import { organizationTable } from '../output/record-tables.ts';

/** `carbon help` */
export const helpCommand: CommandDeclaration = {
  name: 'help',
  summary: 'Show the help of a command or a topic',
  arguments: [
    {
      term: '[topic]',
      description: `a command, or one of ${helpTopics.join(', ')}`,
      values: helpTopics,
    },
  ],
  examples: ['carbon help batch', 'carbon help exit-codes', 'carbon help --json'],
  notes: `
--json prints commands, options with their defaults, exit codes and environment
variables as one document.`,
  formats: ['human', 'json'],
  excess: 'Run the command once for each topic.',
  async run(session, [topic], _, command) {
    const declarations = command.parent ? declarationsOf(command.parent) : [];
    const text = renderTopic(declarations, topic);
    if (session.format === 'json')
      session.printJson(JSON.stringify(describeTopic(declarations, topic)));
    else session.print(text);
    return 0;
  },
};

/**
 * Returns the help of a topic, of a command, or of the program.
 * @throws UsageError for any other name
 */
export function renderTopic(
  declarations: readonly CommandDeclaration[],
  topic: string | undefined,
): string {
  if (topic === undefined) return renderProgramHelp(declarations, 'long');
  const write = Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  if (write !== undefined) return `${write()}\n`;
  const declared = declarations.find(({ name }) => name === topic);
  if (declared !== undefined) return renderCommandHelp(declared, 'long');
  const names = [...helpTopics, ...declarations.map(({ name }) => name)];
  const word = topic.toLowerCase();
  const near = helpTopics.find((name) => name.startsWith(word)) ?? nearestNames(word, names)[0];
  throw new UsageError(
    `No help for "${topic}"`,
    near === undefined
      ? `Use a command, or one of ${helpTopics.join(', ')}.`
      : `Did you mean ${near}?`,
  );
}

/* Describes the program, a command or a topic for programs: the same facts as the help texts. */
function describeTopic(
  declarations: readonly CommandDeclaration[],
  topic: string | undefined,
): object | undefined {
  const tables: Readonly<Record<string, object>> = {
    environment: { environment: variables },
    'exit-codes': { exit_codes: exitCodes },
    columns: {
      columns: organizationTable.columns.map(({ name, type, description }) => ({
        name,
        type,
        description,
      })),
    },
    options: {
      options: globalOptions
        .filter(({ isHidden }) => !isHidden)
        .map((option) => describeOption(option, true)),
    },
  };
  if (topic === undefined)
    return {
      name: 'carbon',
      version: packageJson.version,
      usage: 'carbon <command> [options]',
      ...tables['options'],
      commands: declarations.map(describeCommand),
      ...tables['exit-codes'],
      ...tables['environment'],
    };
  if (Object.hasOwn(tables, topic)) return tables[topic];
  const declaration = declarations.find(({ name }) => name === topic);
  return declaration && describeCommand(declaration);
}

function describeCommand(declaration: CommandDeclaration): object {
  const { name, summary, examples, arguments: operands = [] } = declaration;
  return {
    name,
    description: summary,
    usage: usageOf(declaration),
    arguments: operands.map(({ term, description, values }) => ({
      name: term.replace(/[[\]<>.]/g, ''),
      required: term.startsWith('<'),
      repeatable: term.includes('...'),
      choices: values === 'files' ? undefined : values,
      description,
    })),
    options: [
      ...ownOptions(declaration).map((option) => describeOption(option, false)),
      ...applicableGlobals(declaration).map((option) => describeOption(option, true)),
    ],
    examples,
  };
}

function describeOption(option: OptionSpec, isGlobal: boolean): object {
  return {
    name: nameOf(option),
    alias: flagsOf(option).find((flag) => !flag.startsWith('--')),
    argument: placeholderOf(option),
    choices: option.choices,
    default: option.shownDefault ?? option.default,
    description: option.description,
    global: isGlobal,
  };
}
