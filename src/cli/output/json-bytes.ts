/*
 * Formats JSON in UTF-8 without decoding it. The bytes must be one valid JSON document, which the
 * caller has checked.
 */

const lineFeed = 10;
const space = 32;
const quote = 34;
const backslash = 92;

/** Returns a document that has no white space outside strings, with a line feed at its end. */
export function addLineFeed(json: Uint8Array): Uint8Array {
  const line = Buffer.allocUnsafe(json.length + 1);
  line.set(json);
  line[json.length] = lineFeed;
  return line;
}

/** Returns the document without white space outside strings, and with a line feed at its end. */
export function compactLine(json: Uint8Array): Uint8Array {
  const line = new Uint8Array(json.length + 1);
  let length = 0;
  let isString = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json[index] as number;
    if (code <= space && !isString) continue;
    line[length++] = code;
    if (code === quote) isString = !isString;
    else if (code === backslash) line[length++] = json[++index] as number;
  }
  line[length] = lineFeed;
  return line.subarray(0, length + 1);
}
