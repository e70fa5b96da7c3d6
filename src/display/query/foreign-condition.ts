/*
 * Conditions of other languages, such as `score between 20 and 40` or `hq_region in (DE, FR)`, and
 * what they are here. Only a known column makes a text such a condition.
 */

/** Why a text is no condition, and what to write in its place. */
export interface ForeignCondition {
  readonly problem: string;
  readonly hint: string;
}

/** What decides how a condition on a column is read. */
export interface ForeignColumn {
  readonly isText: boolean;
  /** Whether its values are whole numbers without separators, such as IDs and years. */
  readonly isWhole: boolean;
  /** Whether its values are codes of two letters. */
  readonly isCode: boolean;
}

type Find = (name: string) => ForeignColumn | undefined;

/**
 * Returns what a text means in another language; undefined for any other text.
 * @param find returns the column of a name
 */
export function readForeign(text: string, find: Find): ForeignCondition | undefined {
  const condition = text.trim();
  const either = alternatives(condition, find);
  if (either !== undefined)
    return {
      problem: 'a condition has one value',
      hint: `Run it once for each: ${either.map(option).join(', then ')}.`,
    };
  const whole = wholeOf(condition, find);
  if (whole !== undefined)
    return {
      problem: 'a condition compares whole values',
      hint: `Use ${option(whole)}: if no record has the value, carbon proposes similar ones.`,
    };
  const all = translate(condition, find) ?? joined(condition, /\s+(?:and|&&?)\s+/i, find);
  return all && { problem: 'not a condition', hint: `Did you mean ${all.map(option).join(' ')}?` };
}

function option(condition: string): string {
  return `--where "${condition}"`;
}

/* Returns conditions that a word joins. */
function joined(text: string, word: RegExp, find: Find): readonly string[] | undefined {
  const parts = text.split(word);
  if (parts.length < 2) return undefined;
  const read = parts.map((part) => (isCondition(part, find) ? [part] : translate(part, find)));
  return read.every((each) => each !== undefined) ? read.flat() : undefined;
}

function isCondition(text: string, find: Find): boolean {
  const [, name = ''] = /^([^=<>!]+)(?:[<>!]=|[=<>])[^=<>]*$/.exec(text) ?? [];
  return find(name) !== undefined;
}

const nothing = '(?:null|none|nil|nan|empty|missing|n/?a)';

/* Returns the conditions for a range, and for a missing value. */
function translate(text: string, find: Find): readonly string[] | undefined {
  const [, name = '', words = ''] = /^([\w.+-]+)\s*(.*)$/s.exec(text) ?? [];
  const column = find(name);
  if (column === undefined) return undefined;
  const range = column.isWhole ? /^=\s*(\d+)\s*(?:-|–|\.\.+|:)\s*(\d+)$/ : /(?!)/;
  const [, from, to] = /^between\s+(\S+)\s+and\s+(\S+)$/i.exec(words) ?? range.exec(words) ?? [];
  if (from !== undefined) return [`${name}>=${from}`, `${name}<=${to}`];
  const equals = column.isText ? 'is' : '(?:is|!?=)';
  const [, operator = '', not] =
    new RegExp(`^(${equals})\\s*(not\\s+)?${nothing}$`, 'i').exec(words) ?? [];
  if (operator === '') return undefined;
  return [not !== undefined || operator === '!=' ? `${name}!=` : `${name}=`];
}

/* Returns the conditions of which one would be enough. */
function alternatives(text: string, find: Find): readonly string[] | undefined {
  const either = joined(text, /\s+(?:or|\|\|?)\s+/i, find);
  if (either !== undefined) return either;
  const [, name = '', given = '', inside = ''] =
    /^([\w.+-]+)\s*(in|=)\s*\(?([^()]*)\)?$/is.exec(text) ?? [];
  const column = find(name);
  const values = inside.split(/[,;]/).map((value) => unquoted(value.trim()));
  const areCodes = column?.isCode === true && values.every((value) => /^[a-z]{2}$/i.test(value));
  const isMarked = given !== '=' || /\(.*\)$/.test(text);
  const isList = isMarked || areCodes || column?.isWhole === true;
  if (column === undefined || !isList || values.length < 2) return undefined;
  return values.map((value) => `${name}=${value}`);
}

/* Returns the condition for a whole value, of one that looks for a part of it. */
function wholeOf(text: string, find: Find): string | undefined {
  const words = 'i?like|contains|matches|starts[ _]?with|ends[ _]?with|includes';
  const [, name = '', value = ''] =
    new RegExp(`^([\\w.+-]+)(?:\\s+(?:${words})\\s+|\\s*=?~[=*]?\\s*)(.*)$`, 'is').exec(text) ??
    /^([\w.+-]+)\s*=\s*(\*.+|.+\*|%.+|.+%)$/s.exec(text) ??
    [];
  if (find(name)?.isText !== true) return undefined;
  return `${name}=${unquoted(unquoted(value).replace(/^[*%]+|[*%]+$/g, ''))}`;
}

function unquoted(text: string): string {
  return text.replace(/^(['"])(.*)\1$/s, '$2');
}
