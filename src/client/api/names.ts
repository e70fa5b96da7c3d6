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
    co: 'co company comp',
    corp: 'corp corporation',
    gmbh: 'gmbh mbh ggmbh',
    inc: 'inc incorporated',
    kg: 'kg',
    kgaa: 'kgaa',
    kk: 'kk 株式会社 ㈱',
    llc: 'llc ooo ооо',
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

/* Legal forms that Russian names begin with: ООО Ромашка. */
const leadingForms = new Set(['ооо', 'ooo']);

/* Words for `&`. Single letters, such as `e` and `y`, may be all that distinguishes two names. */
const joiners = new Set(['and', 'und', 'et']);

/* Letters that Unicode does not decompose, as people write them without their marks. */
const undecomposed: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ı: 'i' },
};

/** A name without case, marks, punctuation and legal form. */
export interface Alias {
  /** The words of the name, without its legal form. */
  readonly words: readonly string[];
  /** The legal forms of the name in one spelling, such as `gmbh co kg`; empty without one. */
  readonly form: string;
}

export function aliasOf(name: string): Alias {
  const plain = name
    .replace(/株式会社|㈱|\(株\)/gu, ' kk ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœþłøđðı]/g, (letter) => undecomposed[letter] ?? letter)
    // S.A. and SA, A/S and AS, N.V. and NV are the same words.
    .replace(/(?<=\b\p{L})[./](?=\p{L}\b)/gu, '')
    .replace(/sp\.? z o\.? ?o\.?/g, ' zoo ');
  const all = (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word, index, { length }) => index === 0 || index === length - 1 || !joiners.has(word),
  );
  // A legal form is never the whole name.
  const first = all.length > 1 && leadingForms.has(all[0] ?? '') ? 1 : 0;
  const isName = (index: number) => index === first;
  const isForm = (word: string, index: number) => !isName(index) && legalForms.has(word);
  const words = all.filter((word, index) => !isForm(word, index));
  const forms = all.flatMap((word, index) =>
    isForm(word, index) ? (legalForms.get(word) ?? []) : [],
  );
  // Pvt. Limited is one form.
  return { words, form: [...new Set(forms)].join(' ') };
}

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
  const isSimilar =
    first.words.some((word) => word.length > 2 && second.words.includes(word)) ||
    withoutUmlautE(a) === withoutUmlautE(b);
  return isSimilar ? 'similar' : 'different';
}

/* `Mueller` can be `Müller`, whose mark is gone here; `Blue` and `Blu` look alike as well. */
function withoutUmlautE(words: string): string {
  return words.replace(/([aou])e/g, '$1');
}

/* Returns the words that only the longer name has, if it has every word of the shorter one. */
function extraWords(first: Alias, second: Alias): readonly string[] {
  const [short, long] =
    first.words.length < second.words.length
      ? [first.words, second.words]
      : [second.words, first.words];
  return short.length > 0 && short.every((word) => long.includes(word))
    ? long.filter((word) => !short.includes(word))
    : [];
}
