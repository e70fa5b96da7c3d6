/*
 * Maps country words to codes if they are unambiguous: a code, a name in one of many languages
 * (Unicode CLDR, collected in country-words.json by `npm run docs -- --countries`), or several that
 * agree, as in "United Kingdom (UK)".
 */

import { nearestNames } from '../../runtime/nearest.ts';
import { countryWords } from './country-words.ts';
import { countryCodeOf, fold } from './iso-codes.ts';

/* Redundant parts of official names, as in "Taiwan, Province of China". */
const qualifier =
  /^(?:the|the former|province of china|sar|federal republic|(?:(?:islamic|bolivarian|plurinational|united|federated|democratic|socialist|federal|co operative|cooperative|arab|people s)\s)*(?:republic|state|states|kingdom|federation) of(?: the)?)$/;
const officialForm =
  /^(?:the )?(?:(?:islamic|bolivarian|plurinational|united|federated|democratic|socialist|federal|people s|arab|oriental|hashemite|federative|co operative|cooperative) )*(?:republic|states|kingdom|federation|commonwealth|principality|sultanate|grand duchy) of (?:the )?(.+)$/;

let codesByWord: ReadonlyMap<string, string> | undefined;

/**
 * Returns the ISO 3166-1 alpha-2 code of a country word; undefined if the word is ambiguous or
 * unknown.
 */
export function countryCode(text: string): string | undefined {
  const whole = wordCode(text, true);
  if (whole !== undefined) return whole || undefined;
  const parts = text.split(/[(),;/|[\]]| [-–—] /).map((part) => part.trim());
  const meant = parts.filter((part) => part !== '' && !qualifier.test(words(part)));
  if (meant.length === 0 || (meant.length === 1 && parts.length === 1)) return undefined;
  return onlyCode(new Set(meant.map((part) => wordCode(part, false))));
}

/* Returns the code that all have; undefined if one is ambiguous or unknown. */
function onlyCode(codes: ReadonlySet<string | undefined>): string | undefined {
  const [code] = codes;
  return codes.size === 1 && code ? code : undefined;
}

/** Returns the code of the only country whose name is nearly the text; undefined if none is. */
export function nearestCountry(text: string): string | undefined {
  const word = fold(text);
  codesByWord ??= byWord(countryWords());
  const isNear = (name: string) =>
    name.length > 3 && name[0] === word[0] && Math.abs(name.length - word.length) < 3;
  const near = nearestNames(word, [...codesByWord.keys()].filter(isNear));
  return onlyCode(new Set(near.map((name) => codesByWord?.get(name))));
}

/** Checks whether a text is the name of a country, not a code of it; USA and UAE count as names. */
export function isCountryName(text: string): boolean {
  const isShort = /^[A-Za-z]{1,3}$/.test(text);
  return (!isShort || /^(?:USA|UAE)$/i.test(text)) && countryCode(text) !== undefined;
}

/* Returns a code, '' for a word known to be ambiguous, or undefined for an unknown word. */
function wordCode(text: string, isWhole: boolean): string | undefined {
  // Folding drops them, so that "UK2" would be the United Kingdom.
  if (/[\p{N}?]/u.test(text)) return undefined;
  // In a longer text only upper-case letters are a code: "in" and "to" are words.
  if (/^[A-Za-z]{2}$/.test(text) && (isWhole || /^[A-Z]{2}$/.test(text)))
    return countryCodeOf(text);
  codesByWord ??= byWord(countryWords());
  const code = (word: string) => aliases.get(word) ?? codesByWord?.get(word);
  const known = code(fold(text)) ?? code(fold(text.replace(/^the /i, '')));
  if (known !== undefined) return known;
  if (isWhole && /^[A-Za-z]{3}$/.test(text)) return countryCodeOf(text);
  const inner = officialForm.exec(words(text))?.[1];
  return inner === undefined ? undefined : code(fold(inner));
}

function words(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
}

/* Words for several countries: Georgia is a state of the United States too. */
const ambiguous = 'roc republicofchina korea congo georgia georgie'.split(' ');

/*
 * Words of countries that CLDR lacks, folded with `fold`: short forms, names of ISO 3166-1 and of
 * lists such as that of the World Bank, German with ss for ß and ae, oe, ue for umlauts, French.
 */
const wordsByCode = {
  AE: 'uae vae',
  AT: 'republikosterreich oesterreich',
  BA: 'bosniaherzegovina',
  BN: 'bruneidarussalam',
  BQ: 'bonairesinteustatiusandsaba',
  BY: 'weißrussland weissrussland',
  CD:
    'drc congodrc congodemocraticrepublicofthe democraticrepublicofthecongo congodemrep ' +
    'demrepcongo demrepofthecongo drcongo congodr rdcongo ' +
    'congothedemocraticrepublicofthe',
  CG: 'congorepublicofthe republicofthecongo congorep repofthecongo',
  CH: 'dieschweiz schweizerischeeidgenossenschaft',
  CI: 'ivorycoast elfenbeinkuste',
  CN:
    'prc chinapr prchina chinapeoplesrepublic mainlandchina chinamainland ' +
    'volksrepublikchina vrchina chinavr republiquepopulairedechine',
  CV: 'capeverde',
  CZ: 'czechrepublic tschechischerepublik tschechei republiquetcheque',
  DE: 'bundesrepublikdeutschland brd',
  DK: 'daenemark',
  EG: 'egyptarabrep aegypten',
  FK: 'falklandislandsmalvinas falklandislandsthemalvinas',
  FM: 'micronesiafedsts',
  GB:
    'uk gb greatbritain england scotland wales northernireland ' +
    'greatbritainandnorthernireland großbritannien grossbritannien schottland nordirland ' +
    'vereinigteskoenigreich vereinigteskonigreichgroßbritannienundnordirland ' +
    'vereinigteskonigreichgrossbritannienundnordirland grandebretagne angleterre ecosse ' +
    'paysdegalles',
  GE: 'republicofgeorgia',
  GN: 'guinea',
  GS: 'southgeorgiaandthesouthsandwichislands',
  HK: 'hongkongchina',
  HM: 'heardislandandmcdonaldislands',
  IE: 'eire',
  IR: 'iranislamicrep',
  JP: '日本国',
  KG: 'kyrgyzrepublic',
  KN: 'saintkittsandnevis',
  KP:
    'koreanorth democraticpeoplesrepublicofkorea koreademocraticpeoplesrepublicof ' +
    'koreademrep koreadempeoplesrep koreathedemocraticpeoplesrepublicof',
  KR:
    'republicofkorea korearepublicof korearepublicofsouth koreasouth korearep republikkorea ' +
    'suedkorea koreasud republiquedecoree koreatherepublicof',
  LA: 'laopeoplesdemocraticrepublic laopdr',
  LY: 'libyanarabjamahiriya',
  MD: 'moldovatherepublicof',
  MF: 'saintmartinfrenchpart',
  MK: 'macedonia fyrom macedoniatheformeryugoslavrepublicof',
  MM: 'burma birmanie',
  MO: 'macaochina macauchina',
  NL: 'holland hollandthe dieniederlande lespaysbas hollande',
  PM: 'saintpierreandmiquelon',
  PS: 'palestinestateof stateofpalestine palestinianterritoryoccupied occupiedpalestinianterritory',
  RO: 'rumaenien',
  RU: 'russianfederation russischefoderation russischefoederation federationderussie',
  SH: 'sainthelenaascensionandtristandacunha',
  SK: 'slovakrepublic slowakischerepublik republiqueslovaque',
  SX: 'sintmaartendutchpart',
  SY: 'syrianarabrepublic',
  SZ: 'swaziland',
  TL: 'easttimor',
  TR: 'turkey turkei tuerkei',
  TW: 'taiwanchina chinesetaipei',
  TZ: 'tanzaniatheunitedrepublicof',
  UM: 'unitedstatesminoroutlyingislands',
  US: 'usa us america vereinigtestaatenvonamerika etatsunisdamerique lesetatsunis 米国',
  VA: 'vatican holysee vaticancitystate holyseevaticancitystate',
  VC: 'saintvincentandthegrenadines',
  VE: 'venezuelarb',
  VG: 'virginislandsbritish',
  VI: 'virginislandsus',
  VN: 'vietnam',
  YE: 'yemenrep',
  ZA: 'suedafrika',
};

/* An empty code marks an ambiguous word. */
const aliases = new Map([...ambiguous.map((word) => [word, ''] as const), ...byWord(wordsByCode)]);

function byWord(words: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(words).flatMap(([code, text]) =>
      text.split(' ').map((word) => [word, code] as const),
    ),
  );
}
