/*
 * Compares names of organizations. Only equal aliases are one name: no similarity separates
 * `Bank of China` and `Bank of Chile` from `Alphabet` and `Google`.
 */

/* Words of a legal form, by the form that they are written as. */
const legalForms = new Map(
  Object.entries({
    ag: 'ag aktiengesellschaft',
    'a/s': 'as asa aps',
    bv: 'bv',
    co: 'co company',
    corp: 'corp corporation',
    gmbh: 'gmbh mbh ggmbh',
    inc: 'inc incorporated',
    kg: 'kg',
    kgaa: 'kgaa',
    kk: 'kk 株式会社 ㈱',
    llc: 'llc ooo',
    llp: 'llp lp',
    ltd: 'ltd limited ltda pty pte pvt bhd',
    nv: 'nv',
    oy: 'oy oyj ab',
    plc: 'plc',
    sa: 'sa sas sarl sab sl slu',
    se: 'se',
    spa: 'spa srl',
    zoo: 'zoo',
  }).flatMap(([form, spellings]) => spellings.split(' ').map((word) => [word, form] as const)),
);

const joiners = new Set(['and', 'und', 'et', 'y', 'e', 'the']);

/** A name without case, marks, punctuation and legal form. */
export interface Alias {
  /** The words of the name, without its legal form. */
  readonly words: readonly string[];
  /** The legal forms of the name in one spelling, such as `gmbh co kg`; empty without one. */
  readonly form: string;
}

/** Reduces a name to what identifies it. */
export function aliasOf(name: string): Alias {
  const plain = name
    .replace(/株式会社|㈱|\(株\)/gu, ' kk ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    // S.A. and SA, A/S and AS, N.V. and NV are the same words.
    .replace(/(?<=\b\p{L})[./](?=\p{L}\b)/gu, '')
    .replace(/sp\.? z o\.? ?o\.?/g, ' zoo ');
  const all = (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !joiners.has(word));
  const words = all.filter((word, index) => index === 0 || !legalForms.has(word));
  const forms = all.slice(1).flatMap((word) => legalForms.get(word) ?? []);
  return { words, form: forms.join(' ') };
}

/** How two names relate. */
export type NameRelation = 'equal' | 'legal form' | 'extra words' | 'similar' | 'different';

/**
 * Compares two names. A name without a legal form equals the same name with one; `Merck KGaA` and
 * `Merck & Co.` differ in it.
 */
export function compareNames(first: Alias, second: Alias): NameRelation {
  const [a, b] = [first.words.join(''), second.words.join('')];
  if (a === b) {
    const isOneForm = first.form === second.form || first.form === '' || second.form === '';
    return isOneForm ? 'equal' : 'legal form';
  }
  if (extraWords(first, second).length > 0) return 'extra words';
  return first.words.some((word) => word.length > 2 && second.words.includes(word))
    ? 'similar'
    : 'different';
}

/** Returns the words that only the longer name has, if it has every word of the shorter one. */
export function extraWords(first: Alias, second: Alias): readonly string[] {
  const [short, long] =
    first.words.length < second.words.length
      ? [first.words, second.words]
      : [second.words, first.words];
  return short.length > 0 && short.every((word) => long.includes(word))
    ? long.filter((word) => !short.includes(word))
    : [];
}

/** Returns the share of letter pairs that two names have in common (Dice), from 0 to 1. */
export function similarity(first: Alias, second: Alias): number {
  const [a, b] = [pairsOf(first), pairsOf(second)];
  const rest = [...b];
  const common = a.filter((pair) => {
    const index = rest.indexOf(pair);
    if (index >= 0) rest.splice(index, 1);
    return index >= 0;
  });
  return a.length + b.length === 0
    ? 1
    : Number(((2 * common.length) / (a.length + b.length)).toFixed(2));
}

function pairsOf({ words }: Alias): string[] {
  const letters = [...words.join(' ')];
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}
