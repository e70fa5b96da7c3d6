/*
 * Builds dist/bench: the bench as JavaScript that every supported Node runs, and the smallest
 * program, bundled as carbon is.
 */
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');

/**
 * @param {string[]} names
 * @param {'es' | 'cjs'} format
 * @param {string} extension
 */
const bundle = (names, format, extension) =>
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
        output: { format, entryFileNames: `[name].${extension}` },
      },
    },
  });

await bundle(
  ['bench', 'load-server', 'bare-pool', 'bare-retrieval', 'bare-footprint', 'bare-reading'],
  'es',
  'js',
);
// Bundled with its libraries, as carbon is.
await bundle(['smallest-get'], 'cjs', 'cjs');
await bundle(['workbook-work'], 'cjs', 'cjs');
