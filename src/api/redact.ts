/* A secret of a few letters would be found in every word: it is hidden where it stands alone. */
const shortest = 8;

/* The names that HTML has for visible ASCII characters, in lower case. */
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
 * Makes a function that replaces a secret of ASCII characters by `[key]` in a text, in every form
 * that it may come back in: as it is, and with any of its characters escaped as JSON, URLs (RFC
 * 3986, section 2.1) or HTML do. No regular expression: one for a secret of some kilobytes would
 * overflow the stack, and the crash would show it.
 */
export function redact(secret: string): (text: string) => string {
  const known = [...secret.trim()];
  const [first] = known;
  if (first === undefined) return (text) => text;
  const begins = new Set([first, '\\', '%', '&']);
  const isShort = known.length < shortest;
  return (text) => {
    let shown = '';
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (!begins.has(text.charAt(at))) continue;
      const end = endOf(known, text, at);
      if (end < 0 || (isShort && isWithinWord(text, at, end))) continue;
      shown += `${text.slice(from, at)}[key]`;
      from = end;
      at = end - 1;
    }
    return shown + text.slice(from);
  };
}

/**
 * Replaces the user name and the password of every URL in a text, such as an argument that an error
 * repeats.
 */
export function hideUserInfo(text: string): string {
  return text.replace(/:\/\/[^\s/@"'<>]+@/g, '://[hidden]@');
}

/*
 * Where the characters that begin there end at last, -1 when they are others: %25 may be a sign or
 * three.
 */
function endOf(known: readonly string[], text: string, from: number): number {
  let ends = new Set([from]);
  for (const character of known) {
    const next = new Set<number>();
    for (const at of ends) {
      if (text.charAt(at) === character) next.add(at + 1);
      for (const end of escapeEnds(text, at, character)) next.add(end);
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
 * Where the escapes of a character end that begin there; doubly encoded ones too, for URLs and
 * HTML.
 */
function escapeEnds(text: string, at: number, character: string): number[] {
  const ends: number[] = [];
  const sign = text.charAt(at);
  if (sign === '\\') {
    const escaped = text.charAt(at + 1);
    if (escaped === character && '"\\/'.includes(escaped)) ends.push(at + 2);
    if (escaped === 'u' && isHexOf(text.slice(at + 2, at + 6), 4, character)) ends.push(at + 6);
  } else if (sign === '%') {
    if (isHexOf(text.slice(at + 1, at + 3), 2, character)) ends.push(at + 3);
    if (text.startsWith('25', at + 1) && isHexOf(text.slice(at + 3, at + 5), 2, character))
      ends.push(at + 5);
  } else if (sign === '&') {
    for (const from of text.startsWith('amp;', at + 1) ? [at + 1, at + 5] : [at + 1]) {
      const end = referenceEnd(text, from, character);
      if (end !== undefined) ends.push(end);
    }
  }
  return ends;
}

function isHexOf(digits: string, length: number, character: string): boolean {
  const isHex = digits.length === length && /^[0-9a-f]+$/i.test(digits);
  return isHex && Number.parseInt(digits, 16) === character.charCodeAt(0);
}

/* Numbers may have zeros in front. The pattern does not depend on the secret. */
function referenceEnd(text: string, from: number, character: string): number | undefined {
  const reference = /(?:#0*(\d{1,3})|#x0*([0-9a-f]{1,2})|([a-z]{2,16}));/iy;
  reference.lastIndex = from;
  const [whole, decimal, hex, name] = reference.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  const isSame =
    name === undefined
      ? code === character.charCodeAt(0)
      : entities.get(name.toLowerCase()) === character;
  return isSame ? from + whole.length : undefined;
}
