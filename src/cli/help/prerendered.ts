import packageJson from '../../../package.json' with { type: 'json' };
import { renderCompletion } from '../commands/completion/command.ts';
import { shells } from '../commands/completion/offered-words.ts';
import { renderTopic } from '../commands/help/command.ts';
import { buildProgram, commandNames } from '../program.ts';
import { helpTopics } from './topics.ts';

/**
 * Maps each command line with a constant output, such as `get --help`, to that output. The build
 * stores it for `bin/carbon.cjs`, which prints it without loading the program.
 */
export const answers = await prerender();

async function prerender(): Promise<Record<string, string>> {
  const program = await buildProgram(
    packageJson.version,
    async () => undefined,
    () => undefined,
  );
  const whole = renderTopic(program, undefined);
  const version = `${packageJson.version}\n`;
  const answers: [string, string][] = [
    ...['--version', '-V'].map((words): [string, string] => [words, version]),
    ...['', '--help', '-h', 'help'].map((words): [string, string] => [words, whole]),
    ...shells.map((shell): [string, string] => [
      `completion ${shell}`,
      renderCompletion(program, shell),
    ]),
    ...helpTopics.map((topic): [string, string] => [`help ${topic}`, renderTopic(program, topic)]),
  ];
  for (const name of commandNames) {
    const text = renderTopic(program, name);
    for (const words of [`${name} --help`, `${name} -h`, `help ${name}`])
      answers.push([words, text]);
  }
  return Object.fromEntries(answers);
}
