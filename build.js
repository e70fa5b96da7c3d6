/* Makes dist/: the executable (CommonJS, one chunk per command), the library (ESM), and the texts that never change. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, runnerImport } from 'vite';

const root = import.meta.dirname;
const dist = join(root, 'dist');

/**
 * Writes the licence of every package that is in the bundle, as the licences ask for.
 * @returns {import('rollup').Plugin}
 */
function notices() {
  return {
    name: 'notices',
    generateBundle(_, bundle) {
      // Rollup marks modules of its own making with a NUL before the path and a query after it.
      const folders = Object.values(bundle)
        .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
        .flatMap((id) => /[^\0]*\/node_modules\/(?:@[^/]+\/)?[^/?]+/.exec(id)?.[0] ?? []);
      const source = [...new Set(folders)]
        .sort()
        .map(notice)
        .join(`\n${'-'.repeat(80)}\n\n`);
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source });
    },
  };
}

/** @param {string} folder */
function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const text = ['LICENSE', 'license', 'LICENSE.md', 'LICENSE.txt', 'license.md', 'LICENCE']
    .map((file) => readIfThere(join(folder, file)))
    .find((found) => found !== undefined);
  return `${name} ${version} (${license})\n\n${text ?? 'The package has no licence file.\n'}`;
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * What libraries load at each start, some milliseconds each, for what carbon does not do: undici for HTTP/2 (without
 * `allowH2`), for bodies that are forms, for a constant, and to know an IncomingMessage; commander for commands that are files.
 */
const spared = [
  { file: 'undici/lib/dispatcher/client.js', part: './client-h2.js', instead: 'undefined' },
  { file: 'undici/lib/dispatcher/client-h1.js', part: '../web/fetch/body.js', instead: '{}' },
  { file: 'undici/lib/dispatcher/client.js', part: 'node:http', instead: '{ maxHeaderSize: 16384 }' },
  { file: 'undici/lib/core/util.js', part: 'node:http', instead: '{}' },
  { file: 'commander/lib/command.js', part: 'node:child_process', instead: '{}' },
];

/**
 * Leaves these parts out, and fails when a library no longer asks for one of them.
 * @returns {import('rollup').Plugin}
 */
function sparing() {
  const left = new Set(spared);
  return {
    name: 'sparing',
    transform: {
      // Before require() becomes import.
      order: 'pre',
      handler(code, id) {
        let kept = code;
        for (const entry of spared.filter(({ file }) => id.endsWith(`/node_modules/${file}`))) {
          const before = kept;
          kept = before.replace(`require('${entry.part}')`, entry.instead);
          if (kept !== before) left.delete(entry);
        }
        return kept === code ? null : { code: kept, map: null };
      },
    },
    buildEnd(error) {
      if (error) return;
      for (const { file, part } of left) this.error(`${file} does not load ${part} any more`);
    },
  };
}

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
 * Bundles for Node, and says nothing unless something is wrong.
 * @param {import('vite').BuildOptions} options
 * @param {import('vite').SSROptions} [ssr]
 */
const bundle = (options, ssr = {}) =>
  build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr,
    build: { ssr: true, outDir: dist, target: 'node20.18', ...options },
  });

await bundle(
  {
    emptyOutDir: true,
    minify: true,
    // Some parts of Node are asked for only when they are needed, and Node 20 lacks one of them.
    commonjsOptions: { ignore: (id) => id.startsWith('node:') },
    rollupOptions: {
      input: { main: 'src/main.ts' },
      plugins: [onlyVersion(), sparing(), notices()],
      // About comments that mean nothing to Rollup, in zod.
      onwarn: (warning, warn) => void (warning.code === 'INVALID_ANNOTATION' || warn(warning)),
      output: {
        format: 'cjs',
        // import() of a part of Node reads all its properties, and some of those load much more of it.
        dynamicImportInCjs: false,
        entryFileNames: '[name].cjs',
        chunkFileNames: 'chunks/[name].cjs',
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
    output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
  },
});

const { module } = await runnerImport(join(root, 'src/answers.ts'), { root, configFile: false });
writeFileSync(join(dist, 'answers.json'), JSON.stringify(module.answers));
