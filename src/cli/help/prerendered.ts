import packageJson from '../../../package.json' with { type: 'json' };
import { renderCompletion, shells } from '../commands/completion.ts';
import { renderTopic } from '../commands/help.ts';
import { loadDeclarations } from '../program.ts';
import { renderCommandHelp, renderProgramHelp } from './render.ts';
import { helpTopics } from './topics.ts';

/**
 * Maps each command line with a constant output, such as `get --help`, to that output. The build
 * stores it for `bin/carbon.cjs`, which prints it without loading the program.
 */
export const answers = await prerender();

async function prerender(): Promise<Record<string, string>> {
  const declarations = await loadDeclarations();
  const whole = renderProgramHelp(declarations, 'long');
  const answers: Record<string, string> = {
    '--version': `${packageJson.version}\n`,
    '-V': `${packageJson.version}\n`,
    '-h': renderProgramHelp(declarations, 'short'),
    '--help': whole,
    help: whole,
  };
  for (const shell of shells)
    answers[`completion ${shell}`] = await renderCompletion(declarations, shell);
  for (const topic of helpTopics) answers[`help ${topic}`] = renderTopic(declarations, topic);
  for (const declaration of declarations) {
    const text = renderCommandHelp(declaration, 'long');
    answers[`${declaration.name} -h`] = renderCommandHelp(declaration, 'short');
    answers[`${declaration.name} --help`] = text;
    answers[`help ${declaration.name}`] = text;
  }
  return answers;
}
