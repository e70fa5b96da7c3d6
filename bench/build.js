/* Makes dist/bench: the bench in JavaScript for every supported Node, and the smallest program in the form that carbon has. */
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');

/**
 * @param {string[]} names
 * @param {'es' | 'cjs'} format
 * @param {string} ending
 */
const bundle = (names, format, ending) =>
  build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: format === 'cjs' ? { noExternal: true } : {},
    build: {
      ssr: true,
      target: 'node20.19',
      outDir: join(root, 'dist/bench'),
      emptyOutDir: false,
      minify: format === 'cjs',
      commonjsOptions: { ignore: (id) => id.startsWith('node:') },
      rollupOptions: {
        input: names.map((name) => join(import.meta.dirname, `${name}.ts`)),
        output: { format, entryFileNames: `[name].${ending}` },
      },
    },
  });

await bundle(['bench', 'load-server', 'bare-pool'], 'es', 'js');
await bundle(['smallest-get'], 'cjs', 'cjs');
