/** Maximum size of a file or of standard input with an API key, in bytes. */
export const maxKeyBytes = 65_536;

/** Returns the lines of a text that are not blank; an API key is the only one. */
export function keyLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
}
