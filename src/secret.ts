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
 * is, and with any of its characters escaped as JSON, URLs (RFC 3986, section 2.1) or HTML do.
 */
export function hideSecret(secret: string): (text: string) => string {
  const known = secret.trim();
  if (known === '') return (text) => text;
  const characters = [...known].map((character) => `(?:${forms(character).map(literal).join('|')})`).join('');
  const isShort = known.length < shortest;
  const pattern = isShort ? `(?<![A-Za-z0-9])${characters}(?![A-Za-z0-9])` : characters;
  const found = new RegExp(pattern, 'g');
  return (text) => text.replace(found, '[key]');
}

/* The longer ones first, so that nothing of an escape remains. */
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

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
