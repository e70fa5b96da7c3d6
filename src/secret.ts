/* A secret of a few letters would be found in every word: it is hidden where it stands alone. */
const shortest = 8;

/**
 * Makes a function that replaces a secret by `[key]` in a text, in every form that it may come back in: as it is,
 * within JSON, percent-encoded.
 */
export function hideSecret(secret: string): (text: string) => string {
  if (secret === '') return (text) => text;
  const forms = [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])];
  const patterns = forms.map(secretPattern);
  return (text) => patterns.reduce((shown, pattern) => shown.replace(pattern, '[key]'), text);
}

function secretPattern(secret: string): RegExp {
  const literal = secret.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  return new RegExp(secret.length < shortest ? `(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])` : literal, 'g');
}
