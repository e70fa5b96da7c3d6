/**
 * Modules that libraries load although carbon does not need them. undici loads them
 * for HTTP/2 (carbon does not set `allowH2`), form bodies, a constant, IncomingMessage bodies and
 * assertions; a failing assertion still loads its module. It contains its parser twice, with and
 * without SIMD instructions, which save nothing measurable with headers of this size. commander
 * loads one for commands that are executable files.
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
    file: 'undici/lib/dispatcher/client-h1.js',
    part: '../llhttp/llhttp_simd-wasm.js',
    instead: "require('../llhttp/llhttp-wasm.js')",
  },
  {
    file: 'undici/lib/dispatcher/client.js',
    part: 'node:http',
    instead: '{ maxHeaderSize: 16384 }',
  },
  { file: 'undici/lib/core/util.js', part: 'node:http', instead: '{}' },
  { file: 'commander/lib/command.js', part: 'node:child_process', instead: '{}' },
];

/**
 * Omits these modules. Fails if a library no longer loads one of them.
 *
 * @returns {import('rollup').Plugin}
 */
export function omitUnused() {
  const unmatched = new Set(unused);
  return {
    name: 'omit-unused',
    transform: {
      // Another plugin replaces require() by import later.
      order: 'pre',
      handler(code, id) {
        let result = code;
        for (const entry of unused.filter(({ file }) => id.endsWith(`/node_modules/${file}`))) {
          const before = result;
          for (const quote of ["'", '"'])
            result = result.replace(`require(${quote}${entry.part}${quote})`, entry.instead);
          if (result !== before) unmatched.delete(entry);
        }
        // The source map stays correct, because a replacement never adds a line.
        return result === code ? null : { code: result, map: null };
      },
    },
    buildEnd(error) {
      if (error) return;
      for (const { file, part } of unmatched) this.error(`${file} does not load ${part} any more`);
    },
  };
}
