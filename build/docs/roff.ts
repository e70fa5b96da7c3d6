/* Generates the manual pages with the macros of man(7). */
import type { Block } from './help-text.ts';
import type { CommandHelp, Documented, Entry } from './program.ts';

/** Returns man/carbon.1 and a page for each command, by path. */
export function writeManual(documented: Documented): Record<string, string> {
  const { program, commands } = documented;
  const all = [program, ...commands];
  return Object.fromEntries(
    all.map((command) => [`man/${pageName(command)}.1`, page(command, documented)]),
  );
}

const pageName = ({ name }: CommandHelp) => name.replaceAll(' ', '-');

function page(
  command: CommandHelp,
  { version, program, commands, environment, exitCodes }: Documented,
): string {
  const isProgram = command === program;
  const others = isProgram ? commands : [program];
  const summary = command.summary.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  const also = others.map((each) => `.BR ${escapeText(pageName(each))} (1)`);
  return [
    `.TH ${quote(pageName(command).toUpperCase())} 1 "" ${quote(`carbon ${version}`)} "carbon manual"`,
    // No hyphenation and no justified lines, so that readers can copy flags and file names.
    '.nh',
    '.ad l',
    section('NAME', `${escapeText(pageName(command))} \\- ${escapeText(summary)}`),
    section('SYNOPSIS', bold(command.usage)),
    section('DESCRIPTION', escapeText(command.summary.replace(/\.?$/, '.'))),
    isProgram
      ? entries(
          'COMMANDS',
          commands.map(({ name, summary }) => [name, summary]),
        )
      : '',
    entries('ARGUMENTS', command.arguments.map(pair)),
    ...command.groups.map((group) => entries(group.heading.toUpperCase(), group.entries.map(pair))),
    entries('GLOBAL OPTIONS', command.globals.map(pair)),
    section('EXAMPLES', block({ kind: 'verbatim', lines: command.examples })),
    command.notes.length > 0 ? section('NOTES', command.notes.map(block).join('\n')) : '',
    isProgram
      ? entries(
          'EXIT STATUS',
          exitCodes.rows.map(([code, name, meaning]) => [code, `${name}: ${meaning}`]),
        )
      : section('EXIT STATUS', 'See\n.BR carbon (1).'),
    isProgram ? entries('ENVIRONMENT', environment.rows) : '',
    isProgram ? environment.below.map(block).join('\n') : '',
    section('SEE ALSO', also.join(',\n')),
  ]
    .filter((part) => part !== '')
    .join('\n')
    .concat('\n');
}

const pair = ({ term, meaning }: Entry) => [term, meaning];
const section = (title: string, body: string) => `.SH ${quote(title)}\n${body}`;

function entries(title: string, rows: readonly (readonly (string | undefined)[])[]): string {
  const items = rows.map(
    ([term = '', meaning = '']) => `.TP\n${bold(term)}\n${escapeText(meaning)}`,
  );
  return rows.length === 0 ? '' : section(title, items.join('\n'));
}

function block(one: Block): string {
  if (one.kind === 'prose') return `.PP\n${escapeText(one.text)}`;
  return ['.PP', '.RS 4', '.nf', ...one.lines.map(escapeText), '.fi', '.RE'].join('\n');
}

const bold = (text: string) => `\\fB${escapeText(text)}\\fR`;
const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;

/* Prints text between backticks in bold and escapes control characters of roff. */
function escapeText(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/`([^`]*)`/g, '\\fB$1\\fR')
    .replace(
      /[^\0-\x7f]/gu,
      (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replace(/^(?=[.'])/, '\\&');
}
