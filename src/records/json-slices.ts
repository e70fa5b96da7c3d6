/*
 * Finds the text of values within JSON, so that records pass through as they were written: numbers,
 * key order and repeated keys unchanged. The text must be valid JSON. There is no recursion.
 */

/** Returns the text of each item of a JSON list. */
export function itemTexts(json: string): string[] {
  return valuesOf(json).map(({ text }) => text);
}

/** Returns the text of a member of a JSON object; the last one counts if the name repeats. */
export function memberText(json: string, name: string): string | undefined {
  return valuesOf(json).findLast((value) => value.name === name)?.text;
}

interface Value {
  /** The name of a member; undefined for an item of a list. */
  readonly name: string | undefined;
  readonly text: string;
}

function valuesOf(json: string): Value[] {
  const found: Value[] = [];
  let depth = 0;
  let name: string | undefined;
  let start = 0;
  const end = (index: number) => {
    const text = json.slice(start, index).trim();
    if (text !== '') found.push({ name, text });
    name = undefined;
    start = index + 1;
  };
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (character === '"') index = endOfString(json, index);
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth === 1) start = index + 1;
    } else if (character === '}' || character === ']') {
      if (depth === 1) end(index);
      depth -= 1;
    } else if (depth === 1 && character === ':') {
      name = JSON.parse(json.slice(start, index));
      start = index + 1;
    } else if (depth === 1 && character === ',') end(index);
  }
  return found;
}

/* Returns the index of the closing quote. */
function endOfString(json: string, start: number): number {
  let index = start + 1;
  while (index < json.length && json[index] !== '"') index += json[index] === '\\' ? 2 : 1;
  return index;
}
