import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes THIRD-PARTY-NOTICES.txt with the license of every bundled package, as licenses require.
 *
 * @returns {import('rollup').Plugin}
 */
export function notices() {
  return {
    name: 'notices',
    generateBundle(_, bundle) {
      // Modules that the bundler generates have a NUL before the path and a query after it.
      const directories = Object.values(bundle)
        .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
        .flatMap(
          (id) => /[^\0]*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/?]+/.exec(id)?.[0] ?? [],
        );
      const source = [...new Set(directories)]
        .sort()
        .map(notice)
        .join(`\n${'-'.repeat(80)}\n\n`);
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source });
    },
  };
}

/** @param {string} directory */
function notice(directory) {
  const { name, version, license } = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  );
  const file = readdirSync(directory).find((entry) => /^licen[cs]e([-.].*)?$/i.test(entry));
  // build/licenses has the license of a package that publishes it only in its repository.
  const path =
    file === undefined
      ? join(import.meta.dirname, 'licenses', `${name}.txt`)
      : join(directory, file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : 'The package has no license file.\n';
  return `${name} ${version} (${license})\n\n${text}`;
}
