/*
 * Gives cli-table3 the measurement of text that the rest of the program uses, in place of its old
 * string-width, which cuts inside characters and counts the vowel signs of Thai or Hindi.
 */
import { join } from 'node:path';
import { build } from 'vite';

const text = join(import.meta.dirname, '../src/display/terminal/text.ts');

/** @type {import('vite').Plugin} */
export const cellWidth = {
  name: 'cell-width',
  enforce: 'pre',
  resolveId: (id, from) =>
    id === 'string-width' && /cli-table3/.test(from ?? '') ? '\0cell-width' : null,
  load: (id) =>
    id === '\0cell-width'
      ? `export { width as 'module.exports' } from ${JSON.stringify(text)};`
      : null,
};

/**
 * Loads cli-table3 with that measurement where modules of packages are not bundled.
 *
 * @type {import('vite').Plugin}
 */
export const tableWithCellWidth = {
  name: 'table-with-cell-width',
  enforce: 'pre',
  resolveId: (id) => (id === 'cli-table3' ? '\0cli-table3' : null),
  async load(id) {
    if (id !== '\0cli-table3') return null;
    const result = await build({
      configFile: false,
      logLevel: 'warn',
      plugins: [cellWidth],
      ssr: { noExternal: true },
      build: {
        ssr: true,
        write: false,
        minify: false,
        rolldownOptions: {
          input: 'cli-table3',
          external: [text],
          preserveEntrySignatures: 'strict',
          output: { format: 'esm' },
        },
      },
    });
    const [first] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (
      Array.isArray(result) ? result : [result]
    );
    return first?.output[0].code;
  },
};
