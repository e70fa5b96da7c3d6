import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the licence of every package that is in the bundle, as the licences require.
 * @returns {import('rollup').Plugin}
 */
export function notices() {
  return {
    name: 'notices',
    generateBundle(_, bundle) {
      // Modules that the bundler made itself have a NUL before the path and a query after it.
      const folders = Object.values(bundle)
        .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
        .flatMap(
          (id) => /[^\0]*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/?]+/.exec(id)?.[0] ?? [],
        );
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
