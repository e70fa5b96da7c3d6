/*
 * Builds dist/: the executable (CommonJS, one chunk per command), the library (ESM) and the texts
 * that never change. README.md states what each optimization of the start-up buys.
 */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, runnerImport } from 'vite';
import { notices } from './notices.js';

const startedAt = new Date();
const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const requestParts =
  /src\/(api\/(client|connection-errors|errors|identity|request|responses)|pace\/rate-limit-headers|runtime\/transport)\.ts$/;

/**
 * Reduces package.json to its version, because every start loads it.
 *
 * @returns {import('rollup').Plugin}
 */
function onlyVersion() {
  const file = join(root, 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8'));
  return { name: 'only-version', load: (id) => (id === file ? JSON.stringify({ version }) : null) };
}

/**
 * Keeps the words for countries in a file of their own, which the bundle reads when it needs them.
 *
 * @returns {import('rollup').Plugin}
 */
function countryWords() {
  const module = join(root, 'src/registration/country-words.ts');
  const source = readFileSync(module.replace(/ts$/, 'json'), 'utf8');
  return {
    name: 'country-words',
    load: (id) =>
      id === module ? "export const countryWords = () => require('./country-words.json');" : null,
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'chunks/country-words.json', source });
    },
  };
}

/**
 * Bundles for Node. Prints only warnings and errors.
 *
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

/**
 * Omits a warning: zod has annotations that Rollup does not know.
 *
 * @type {import('rollup').WarningHandlerWithDefault}
 */
const onwarn = (warning, warn) => void (warning.code === 'INVALID_ANNOTATION' || warn(warning));

await bundle(
  {
    emptyOutDir: true,
    minify: true,
    // Libraries load some Node modules only when they need them, and Node 20 lacks one of these.
    commonjsOptions: { ignore: (id) => id.startsWith('node:') },
    rollupOptions: {
      input: { main: 'src/main.ts' },
      plugins: [onlyVersion(), countryWords(), notices()],
      onwarn,
      output: {
        format: 'cjs',
        sourcemapExcludeSources: true,
        // import() of a Node module reads all its properties, and some of them load further
        // modules.
        dynamicImportInCjs: false,
        // One chunk for everything that every request needs.
        onlyExplicitManualChunks: true,
        manualChunks: (id) => (requestParts.test(id) ? 'client' : undefined),
        entryFileNames: '[name].cjs',
        // The entry of a command is <name>.ts or <name>/command.ts.
        chunkFileNames: ({ facadeModuleId }) => {
          const [, name] =
            /src\/cli\/commands\/([a-z]+)(?:\/command)?\.ts$/.exec(facadeModuleId ?? '') ?? [];
          return `chunks/${name ?? '[name]'}.cjs`;
        },
      },
    },
  },
  { noExternal: true },
);

// The library for import and for require(). It contains undici, so that bundlers of other projects
// meet no require() of a Node module in it.
for (const [format, suffix] of /** @type {const} */ ([
  ['esm', 'js'],
  ['cjs', 'cjs'],
])) {
  await bundle(
    {
      emptyOutDir: false,
      sourcemap: false,
      // Node 20 lacks node:sqlite, which a part of undici loads that carbon does not use.
      commonjsOptions: {
        ignore: (id) => (format === 'cjs' ? id.startsWith('node:') : id === 'node:sqlite'),
        // Otherwise the plugin leaves require() inside try, which an ES module cannot call.
        ignoreTryCatch: false,
      },
      rollupOptions: {
        input: { index: 'src/index.ts' },
        external: [/^zod/],
        onwarn,
        output: {
          format,
          entryFileNames: `[name].${suffix}`,
          chunkFileNames: `library/[name].${suffix}`,
        },
      },
    },
    { noExternal: [/^undici/, 'iso-3166'] },
  );
}

const { module } = await runnerImport(join(root, 'src/cli/help/prerendered.ts'), {
  root,
  configFile: false,
});
const prerendered = join(dist, 'prerendered.json');
writeFileSync(prerendered, JSON.stringify(module.answers));
// is-fresh.js compares this time with that of the sources.
utimesSync(prerendered, startedAt, startedAt);
