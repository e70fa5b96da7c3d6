import type { Command } from 'commander';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { helpTopics, topics } from '../../help/topics.ts';
import type { Run, Session } from '../../session.ts';

const howItWorks = `
--json prints commands, flags with their defaults, exit codes and environment
variables as one document.`;

/** Declares `carbon help`. */
export function addHelp(program: Command, run: Run): Command {
  return program
    .command('help')
    .description(`Show help for a command or topic (${helpTopics.join(', ')})`)
    .argument('[topic]', `a command, ${helpTopics.join(' or ')}`)
    .addHelpText('after', howItWorks)
    .action((topic: string | undefined, _: unknown, command: Command) =>
      run(command, ['human', 'json'], (session) => help(session, program, topic)),
    );
}

async function help(
  session: Session,
  program: Command,
  topic: string | undefined,
): Promise<number> {
  // An unknown topic has no description; its error is that of the text.
  const { describeTopic } = await import('./describe.ts');
  const described = session.format === 'json' ? describeTopic(program, topic) : undefined;
  if (described === undefined) session.print(renderTopic(program, topic));
  else session.printJson(JSON.stringify(described));
  return 0;
}

/** Returns the help of a topic, of a command, or of the program. */
export function renderTopic(program: Command, topic: string | undefined): string {
  if (topic === undefined) return wholeHelp(program);
  const write = Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  if (write !== undefined) return `${write()}\n`;
  const command = program.commands.find((declared) => declared.name() === topic);
  if (command !== undefined) return wholeHelp(command);
  const names = [...helpTopics, ...program.commands.map((declared) => declared.name())];
  const near = names.filter((name) => isNear(name, topic.toLowerCase()));
  throw new UsageError(
    `No help for "${topic}"`,
    near.length > 0
      ? `Did you mean ${near.join(' or ')}?`
      : `Use a command, ${helpTopics.join(' or ')}.`,
  );
}

/* A topic is near a name that contains it, or that has the same first three letters. */
function isNear(name: string, topic: string): boolean {
  return topic.length > 2 && (name.includes(topic) || name.startsWith(topic.slice(0, 3)));
}

/* Commander adds the text around a help only when it writes it. */
function wholeHelp(command: Command): string {
  const texts: string[] = [];
  const output = command.configureOutput();
  command.configureOutput({ ...output, writeOut: (text) => texts.push(text) });
  command.outputHelp();
  command.configureOutput(output);
  return texts.join('');
}
