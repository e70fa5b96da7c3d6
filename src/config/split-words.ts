import { UsageError } from '../runtime/carbon-error.ts';

/* Characters that a shell would interpret outside quotes (POSIX, XCU 2.2), at any position. */
const activeAnywhere = '|&;<>()$`*?[';
const controlNames: Readonly<Record<string, string>> = {
  '\0': 'a null character',
  '\n': 'a line break',
};

/* The pieces of a command line, at the position of the last match. */
const blanks = /[ \t]+/y;
const single = /'([^']*)'/y;
const double = /"((?:[^"\\]|\\[\s\S])*)"/y;
const escaped = /\\([\s\S])/y;
const plain = /[^ \t'"\\]+/y;

/**
 * Splits a command into words as a POSIX shell does: quotes and backslashes, without expansion.
 *
 * Refuses every character that a shell would interpret, such as `$` or `|` outside quotes, because
 * carbon starts no shell. So an accepted command has the same words in a shell.
 * @param from source of the command, for the error
 * @throws UsageError that names the character
 */
export function splitWords(command: string, from: string): string[] {
  const text = command.replace(/^[ \t\r\n]+|(?<!\\)[ \t\r\n]+$/g, '');
  const words: string[] = [];
  let word: string | undefined;
  let position = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position;
    const found = pattern.exec(text);
    if (found === null) return undefined;
    position = pattern.lastIndex;
    return found[1] ?? found[0];
  };
  const endWord = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  if (text.includes('\0')) throw refuse(from, controlNames['\0'] ?? '');
  while (position < text.length) {
    if (match(blanks) !== undefined) {
      endWord();
      continue;
    }
    const start = position;
    const piece = match(single) ?? readDouble(match(double), from) ?? readEscaped(match(escaped));
    if (piece !== undefined) {
      // A backslash before a line break continues the line and adds no word.
      if (piece !== '' || text[start] !== '\\') word = `${word ?? ''}${piece}`;
      continue;
    }
    const bare = match(plain);
    if (bare === undefined) throw unfinished(text.charAt(position), from);
    checkBare(bare, word === undefined, from);
    word = `${word ?? ''}${bare}`;
  }
  endWord();
  checkProgram(words, text, from);
  return words;
}

/* In double quotes, a backslash escapes only these characters. */
function readDouble(text: string | undefined, from: string): string | undefined {
  if (text === undefined) return undefined;
  const active = /^(?:[^\\$`]|\\[\s\S])*([$`])/.exec(text)?.[1];
  if (active !== undefined) throw refuse(from, `"${active}" in double quotes`);
  return text.replace(/\\(?:\n|([$`"\\]))/g, '$1');
}

function readEscaped(character: string | undefined): string | undefined {
  return character === '\n' ? '' : character;
}

function checkBare(text: string, isStart: boolean, from: string): void {
  const active = [...text].find((character) => activeAnywhere.includes(character));
  const control = /[\0-\x1f\x7f]/.exec(text)?.[0];
  if (active !== undefined) throw refuse(from, `"${active}" outside quotes`);
  if (control !== undefined)
    throw refuse(from, `${controlNames[control] ?? 'a control character'} outside quotes`);
  const first = text.charAt(0);
  if (isStart && '~#'.includes(first))
    throw refuse(from, `"${first}" at the start of a word outside quotes`);
  // Some shells expand {a,b} and, after = or :, ~.
  if (/[{}]|[=:]~/.test(text)) throw refuse(from, `"${/[{}~]/.exec(text)?.[0]}" outside quotes`);
}

/* A shell would read these as an assignment or a keyword, not as the name of a program. */
function checkProgram([program]: readonly string[], text: string, from: string): void {
  if (program === undefined || program === '')
    throw new UsageError(`${from}: the command is empty`);
  if (/^[A-Za-z_]\w*=/.test(text)) {
    throw new UsageError(
      `${from}: the command starts with a variable assignment`,
      'carbon starts the program without a shell. Write `env NAME=value program` instead.',
    );
  }
  if (
    /^(?:!|if|then|else|elif|fi|do|done|case|esac|while|until|for|in|function|select|time)(?=$|[ \t])/.test(
      text,
    )
  )
    throw refuse(from, `the shell keyword "${program}"`);
}

function unfinished(character: string, from: string): UsageError {
  return character === '\\'
    ? new UsageError(`${from}: the command ends with a backslash`)
    : new UsageError(`${from}: a quote (${character}) is not closed`, 'Close the quote.');
}

function refuse(from: string, what: string): UsageError {
  return new UsageError(
    `${from}: the command contains ${what}`,
    "carbon starts the program without a shell. Put the text in single quotes, or run a shell: sh -c '...'.",
  );
}
