/**
 * What libraries load at each start for what carbon does not do: undici for HTTP/2 (without
 * `allowH2`), for bodies that are forms, for a constant, to recognize an IncomingMessage, and for
 * assertions, which load it when one fails; commander for commands that are files.
 */
const unused = [
  ...['core/connect', 'core/request', 'core/util', 'dispatcher/client', 'dispatcher/client-h1'].map(
    (name) => ({
      file: `undici/lib/${name}.js`,
      part: 'node:assert',
      instead: "((...given) => given[0] || require('node:assert')(...given))",
    }),
  ),
  { file: 'undici/lib/dispatcher/client.js', part: './client-h2.js', instead: 'undefined' },
  { file: 'undici/lib/dispatcher/client-h1.js', part: '../web/fetch/body.js', instead: '{}' },
  {
    file: 'undici/lib/dispatcher/client.js',
    part: 'node:http',
    instead: '{ maxHeaderSize: 16384 }',
  },
  { file: 'undici/lib/core/util.js', part: 'node:http', instead: '{}' },
  { file: 'commander/lib/command.js', part: 'node:child_process', instead: '{}' },
];

/**
 * Leaves these parts out, and fails when a library no longer loads one of them.
 * @returns {import('rollup').Plugin}
 */
export function omitUnused() {
  const left = new Set(unused);
  return {
    name: 'omit-unused',
    transform: {
      // Before require() becomes import.
      order: 'pre',
      handler(code, id) {
        let kept = code;
        for (const entry of unused.filter(({ file }) => id.endsWith(`/node_modules/${file}`))) {
          const before = kept;
          kept = before.replace(`require('${entry.part}')`, entry.instead);
          if (kept !== before) left.delete(entry);
        }
        // Within a line, so that the lines of the source map stay right.
        return kept === code ? null : { code: kept, map: null };
      },
    },
    buildEnd(error) {
      if (error) return;
      for (const { file, part } of left) this.error(`${file} does not load ${part} any more`);
    },
  };
}
