import packageJson from '../../package.json' with { type: 'json' };
import { renderCompletion, shells } from './commands/setup/completion.ts';
import { helpTopics, renderCommandHelp, renderProgramHelp, renderTopic } from './help.ts';
import { loadDeclarations } from './program.ts';
import { loadRepeatedOptions } from './repeated-options.ts';

/**
 * Maps each command line with a constant output, such as `get --help`, to that output. The build
 * stores it for `bin/carbon.cjs`, which prints it without loading the program.
 */
export const answers = await prerender();

export const repeatedOptions = await loadRepeatedOptions();

async function prerender(): Promise<Record<string, string>> {
  const declarations = await loadDeclarations();
  const whole = renderProgramHelp(declarations);
  const version = `${packageJson.version}\n`;
  const answers: Record<string, string> = { '--version': version, '-V': version };
  for (const words of ['-h', '--help', 'help']) answers[words] = whole;
  for (const shell of shells)
    answers[`completion ${shell}`] = await renderCompletion(declarations, shell);
  for (const topic of helpTopics) answers[`help ${topic}`] = renderTopic(declarations, topic);
  for (const declaration of declarations) {
    const { name } = declaration;
    const text = renderCommandHelp(declaration);
    for (const words of [`${name} -h`, `${name} --help`, `help ${name}`]) answers[words] = text;
  }
  return answers;
}
