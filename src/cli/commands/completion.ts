import { UsageError } from '../../runtime/carbon-error.ts';
import { renderCompletion, shells } from '../completion.ts';
import { type CommandDeclaration, declarationsOf } from '../declaration.ts';

const howItWorks = `
For bash, add this line to ~/.bashrc; for zsh, to ~/.zshrc, after compinit:
  source <(carbon completion bash)

For fish, run this once:
  carbon completion fish > ~/.config/fish/completions/carbon.fish

For PowerShell, open the profile with \`notepad $PROFILE\` and add this line:
  carbon completion powershell | Out-String | Invoke-Expression`;

/** `carbon completion` */
export const completionCommand: CommandDeclaration = {
  name: 'completion',
  group: 'Set up',
  summary: 'Print the completion script of a shell',
  arguments: [{ term: '<shell>', description: shells.join(', '), values: shells }],
  examples: ['carbon completion bash', 'carbon completion fish'],
  notes: howItWorks,
  formats: ['human'],
  missing: ['a shell', 'Try `carbon completion bash`, `zsh`, `fish` or `powershell`.'],
  async run(session, [name], _, command) {
    const shell = shells.find((known) => known === name);
    if (shell === undefined) {
      throw new UsageError(
        `No completion script for "${name}"`,
        `Use one of ${shells.join(', ')}.`,
      );
    }
    const declarations = command.parent ? declarationsOf(command.parent) : [];
    session.print(await renderCompletion(declarations, shell));
    return 0;
  },
};
