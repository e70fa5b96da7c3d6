/* Collects the names of countries in many languages, from the CLDR data of this Node. */
import { fold, isoCodes } from '../../src/client/registration/iso-codes.ts';

const languages =
  'de fr es it pt nl sv da nb fi is pl cs sk hu sl hr ro bg el tr ru uk et lv lt ar he fa hi bn ta th vi id ms zh zh-Hant ja ko'.split(
    ' ',
  );

/**
 * Returns the folded names of each country by its code. English names take precedence. A name of
 * different countries in two other languages has an empty code.
 */
export function collectCountryWords(): Record<string, string> {
  const codes = [...isoCodes].sort();
  const codesByName = new Map<string, string>();
  for (const [word, code] of languages.flatMap((language) => names(language, codes)))
    codesByName.set(word, (codesByName.get(word) ?? code) === code ? code : '');
  for (const [word, code] of names('en', codes)) codesByName.set(word, code);
  const words: Record<string, string> = {};
  for (const [word, code] of [...codesByName].sort())
    words[code] = code in words ? `${words[code]} ${word}` : word;
  return words;
}

/** Returns the English name of each country by its code. */
export function collectRegionNames(): object {
  const display = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return Object.fromEntries([...isoCodes].sort().map((code) => [code, display.of(code)]));
}

function names(language: string, codes: readonly string[]): [string, string][] {
  return (['long', 'short'] as const).flatMap((style) => {
    const display = new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' });
    return codes.flatMap((code) =>
      variants(display.of(code) ?? '')
        .map(fold)
        .filter((word) => word.length > 1)
        .map((word): [string, string] => [word, code]),
    );
  });
}

/* Adds "Myanmar" for "Myanmar (Burma)" and "Hong Kong" for "Hong Kong SAR China". */
function variants(name: string): string[] {
  return [name, name.replace(/\s*[(（].*[)）]/, ''), name.replace(/ SAR China$/, '')];
}
