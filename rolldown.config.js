import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';

const dist = fileURLToPath(new URL('dist', import.meta.url));

/**
 * Writes the licence of every package that is in the bundle, as the licences ask for.
 * @returns {import('rolldown').Plugin}
 */
function notices() {
  return {
    name: 'notices',
    generateBundle(_, bundle) {
      const folders = Object.values(bundle)
        .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
        .flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
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
 * Asks the finished bundle for the texts that never change, so that the executable only has to print them.
 * @returns {import('rolldown').Plugin}
 */
function answers() {
  return {
    name: 'answers',
    async writeBundle() {
      const { writeAnswers } = createRequire(import.meta.url)(join(dist, 'answers.cjs'));
      await writeAnswers(join(dist, 'answers.json'));
    },
  };
}

export default defineConfig([
  {
    input: { main: 'src/main.ts', answers: 'src/answers.ts' },
    platform: 'node',
    plugins: [notices(), answers()],
    output: {
      dir: dist,
      cleanDir: true,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: 'chunks/[name].cjs',
      minify: true,
    },
  },
  {
    input: { index: 'src/index.ts' },
    platform: 'node',
    external: [/^undici/, /^zod/],
    output: { dir: dist, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
  },
]);
