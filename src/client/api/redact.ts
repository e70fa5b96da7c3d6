/* A shorter secret may occur in ordinary words, so it is replaced only as a complete word. */
const minLengthInWords = 8;

/* HTML entities of visible ASCII characters, in lower case. */
const entities: ReadonlyMap<string, string> = new Map(
  (
    'excl! quot" num# dollar$ percnt% amp& apos\' lpar( rpar) ast* midast* plus+ comma, period. ' +
    'sol/ colon: semi; lt< equals= gt> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ ' +
    'lowbar_ underbar_ grave` diacriticalgrave` lcub{ lbrace{ verbar| vert| verticalline| rcub} rbrace}'
  )
    .split(' ')
    .map((word) => [word.slice(0, -1), word.slice(-1)]),
);

/**
 * Creates a function that replaces an ASCII secret with `[key]` in a text.
 *
 * Finds the secret in every form in which a response may return it: unchanged, or with any of its
 * characters escaped as in JSON, URLs (RFC 3986, section 2.1) or HTML. A regular expression for a
 * secret of some kilobytes would overflow the stack, and the crash would print the secret.
 */
export function createRedactor(secret: string): (text: string) => string {
  const characters = [...secret.trim()];
  const [first] = characters;
  if (first === undefined) return (text) => text;
  const starts = new Set([first, '\\', '%', '&']);
  const isShort = characters.length < minLengthInWords;
  return (text) => {
    let redacted = '';
    let from = 0;
    for (let index = 0; index < text.length; index += 1) {
      if (!starts.has(text.charAt(index))) continue;
      const end = endOf(characters, text, index);
      if (end < 0 || (isShort && isWithinWord(text, index, end))) continue;
      redacted += `${text.slice(from, index)}[key]`;
      from = end;
      index = end - 1;
    }
    return redacted + text.slice(from);
  };
}

/**
 * Replaces the credentials of every URL in a text, such as an argument that an error quotes, except
 * the placeholder of hints.
 */
export function hideUserInfo(text: string): string {
  return text.replace(/:\/\/(?!USER:PASSWORD@)[^\s/@"'<>]+@/g, '://[hidden]@');
}

/*
 * Returns the end of the longest match that starts at `from`, -1 if there is none. %25 may be one
 * escaped character or three plain ones, so there may be several ends.
 */
function endOf(characters: readonly string[], text: string, from: number): number {
  let ends = new Set([from]);
  for (const character of characters) {
    const next = new Set<number>();
    for (const offset of ends) {
      if (text.charAt(offset) === character) next.add(offset + 1);
      for (const end of escapeEnds(text, offset, character)) next.add(end);
    }
    if (next.size === 0) return -1;
    ends = next;
  }
  return Math.max(...ends);
}

function isWithinWord(text: string, from: number, to: number): boolean {
  return /[A-Za-z0-9]/.test(text.charAt(from - 1) + text.charAt(to));
}

/*
 * An escaped character as in JSON, URLs (RFC 3986, section 2.1) or HTML, whose numbers may have
 * leading zeros; and one that is encoded twice.
 */
const json = String.raw`\\u(?<unit>[0-9a-f]{4})|\\(?<self>["\\/])`;
const url = '(?<hex>[0-9a-f]{2})';
const html = '(?:#0*(?<decimal>[0-9]{1,3})|#x0*(?<code>[0-9a-f]{1,2})|(?<name>[a-z]{2,16}));';
const escapes = [
  new RegExp(`${json}|%${url}|&${html}`, 'iy'),
  new RegExp(`%25${url}|&amp;${html}`, 'iy'),
];

/* Returns the ends of all escapes of a character at this offset. */
function escapeEnds(text: string, offset: number, character: string): number[] {
  const ends: number[] = [];
  if (!'\\%&'.includes(text.charAt(offset))) return ends;
  for (const pattern of escapes) {
    pattern.lastIndex = offset;
    const groups = pattern.exec(text)?.groups;
    if (groups !== undefined && decode(groups) === character) ends.push(pattern.lastIndex);
  }
  return ends;
}

function decode({ self, name, decimal, unit, hex, code }: Record<string, string | undefined>) {
  if (self !== undefined) return self;
  if (name !== undefined) return entities.get(name.toLowerCase());
  const number = decimal ?? `0x${unit ?? hex ?? code}`;
  return String.fromCharCode(Number(number));
}
