/* A secret of a few letters would be found in every word: it is hidden where it stands alone. */
const shortest = 8;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * Makes a function that replaces a secret of ASCII characters by `[key]` in a text, in every form that it may come back in: as it
 * is, and with any of its characters escaped as JSON, URLs (RFC 3986, section 2.1) or HTML do. No regular expression: one
 * for a secret of some kilobytes would overflow the stack, and the crash would show it.
 */
export function hideSecret(secret: string): (text: string) => string {
  const known = [...secret.trim()].map(forms);
  const [first] = known;
  if (first === undefined) return (text) => text;
  const begins = new Set(first.map((form) => form.charAt(0)));
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

/** Replaces the user name and the password of every URL in a text, such as an argument that an error repeats. */
export function hideUserInfo(text: string): string {
  return text.replace(/:\/\/[^\s/@"'<>]+@/g, '://[hidden]@');
}

/* Where the characters that begin there end at last, -1 when they are others: %25 may be a sign or three. */
function endOf(known: readonly (readonly string[])[], text: string, from: number): number {
  let ends = new Set([from]);
  for (const escapes of known) {
    const next = new Set<number>();
    for (const at of ends) {
      for (const form of escapes) if (text.startsWith(form, at)) next.add(at + form.length);
    }
    if (next.size === 0) return -1;
    ends = next;
  }
  return Math.max(...ends);
}

function isWithinWord(text: string, from: number, to: number): boolean {
  return /[A-Za-z0-9]/.test(text.charAt(from - 1) + text.charAt(to));
}

function forms(character: string): string[] {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const upper = hex.toUpperCase();
  const named = entities[character];
  return [
    ...[`\\u00${hex}`, `\\u00${upper}`, `&#x${hex};`, `&#x${upper};`, `&#${code};`, `%${hex}`, `%${upper}`],
    ...(named === undefined ? [] : [named]),
    JSON.stringify(character).slice(1, -1),
    character,
  ];
}
