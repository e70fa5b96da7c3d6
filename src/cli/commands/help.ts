import { UsageError } from '../../runtime/carbon-error.ts';
import { nearestNames } from '../../runtime/nearest.ts';
import { type CommandDeclaration, declarationsOf } from '../declaration.ts';
import { renderCommandHelp, renderProgramHelp } from '../help/render.ts';
import { helpTopics, topics } from '../help/topics.ts';

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
  examples: ['carbon help batch', 'carbon help exit-codes'],
  formats: ['human'],
  excess: 'Run the command once for each topic.',
  async run(session, [topic], _, command) {
    session.print(renderTopic(command.parent ? declarationsOf(command.parent) : [], topic));
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
