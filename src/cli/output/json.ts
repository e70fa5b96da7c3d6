/* Formats JSON for a terminal, without parsing it. */
import { forEachToken } from '../../client/api/json-tokens.ts';
import { unsafeCharacter } from '../../display/terminal/sanitize.ts';

/* Deeper levels share this indentation, so that output stays proportional to its input. */
const maxIndent = 32;

/** Indents by two spaces, at most 32 levels; empty objects and lists stay on one line. */
export function indentJson(json: string): string {
  let out = '';
  let depth = 0;
  let before = '';
  const newLine = () => `\n${'  '.repeat(Math.max(0, Math.min(depth, maxIndent)))}`;
  forEachToken(json, (start, end) => {
    const token = json.slice(start, end);
    if (token === '}' || token === ']') {
      depth -= 1;
      if (!opens(before)) out += newLine();
    } else if (opens(before) || before === ',') {
      out += newLine();
    }
    out += token === ':' ? ': ' : token;
    if (opens(token)) depth += 1;
    before = token;
  });
  return out;
}

/** Escapes characters that are unsafe on a terminal as \uXXXX, which keeps the JSON value. */
export function escapeForTerminal(json: string): string {
  return json.replace(unsafeCharacter(), (character) => {
    if (character === '\n' || character === '\t') return character;
    if (character === '\r') return '\n';
    return Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }).join('');
  });
}

function opens(token: string): boolean {
  return token === '{' || token === '[';
}
