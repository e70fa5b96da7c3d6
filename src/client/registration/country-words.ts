import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * Returns the words for each country code, with spaces between them. Most lists have codes and no
 * names, so the file is read only when it is needed; build/build.js does the same for the bundle.
 */
export function countryWords(): Readonly<Record<string, string>> {
  return load('./country-words.json');
}
