/*
 * Makes dist/: the executable (CommonJS, one chunk per command), the library (ESM), and the texts
 * that never change. README.md says what each measure for a quick start buys.
 */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build, runnerImport } from 'vite';
import { notices } from './notices.js';
import { omitUnused } from './omit-unused.js';

const began = new Date();
const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const requestParts =
  /src\/(api\/(client|errors|reference|retry|retry-after|http\/[\w-]+|rate-limit\/headers)|runtime\/(backoff|slab|transport))\.ts$/;

/**
 * Keeps only the version of package.json: every start would read the rest.
 * @returns {import('rollup').Plugin}
 */
function onlyVersion() {
  const file = join(root, 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8'));
  return { name: 'only-version', load: (id) => (id === file ? JSON.stringify({ version }) : null) };
}

/**
 * Bundles for Node, and prints nothing unless something is wrong.
 * @param {import('vite').BuildOptions} options
 * @param {import('vite').SSROptions} [ssr]
 */
const bundle = (options, ssr = {}) =>
  build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr,
    build: { ssr: true, outDir: dist, target: 'node20.19', sourcemap: true, ...options },
  });

await bundle(
  {
    emptyOutDir: true,
    minify: true,
    // Some parts of Node are asked for only when they are needed, and Node 20 lacks one of them.
    commonjsOptions: { ignore: (id) => id.startsWith('node:') },
    rollupOptions: {
      input: { main: 'src/main.ts' },
      plugins: [onlyVersion(), omitUnused(), notices()],
      // About comments that mean nothing to Rollup, in zod.
      onwarn: (warning, warn) => void (warning.code === 'INVALID_ANNOTATION' || warn(warning)),
      output: {
        format: 'cjs',
        sourcemapExcludeSources: true,
        // import() of a part of Node reads all its properties, and some of those load much more of
        // it.
        dynamicImportInCjs: false,
        // One file for all that every request needs.
        onlyExplicitManualChunks: true,
        manualChunks: (id) => (requestParts.test(id) ? 'client' : undefined),
        entryFileNames: '[name].cjs',
        // Every command is a file `command.ts` in a directory of its name.
        chunkFileNames: ({ facadeModuleId }) =>
          basename(facadeModuleId ?? '') === 'command.ts'
            ? `chunks/${basename(dirname(facadeModuleId ?? ''))}.cjs`
            : 'chunks/[name].cjs',
      },
    },
  },
  { noExternal: true },
);

await bundle({
  emptyOutDir: false,
  rollupOptions: {
    input: { index: 'src/index.ts' },
    external: [/^undici/, /^zod/],
    output: {
      format: 'esm',
      sourcemapExcludeSources: true,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name].js',
    },
  },
});

const { module } = await runnerImport(join(root, 'src/cli/help/prerendered.ts'), {
  root,
  configFile: false,
});
const answers = join(dist, 'answers.json');
writeFileSync(answers, JSON.stringify(module.answers));
// is-fresh.js compares the sources with this time.
utimesSync(answers, began, began);
