import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const licenses = join(import.meta.dirname, 'licenses');

/** @param {readonly string[]} texts */
export const joinNotices = (texts) => texts.join(`\n${'-'.repeat(80)}\n\n`);

/**
 * A bundled package.
 *
 * @typedef {{ directory: string, name: string, version: string, license: string }} Bundled
 */

/**
 * Writes what the bundle contains: THIRD-PARTY-NOTICES.txt with the license of every package, as
 * licenses require, and sbom.cdx.json, a bill of materials in the format CycloneDX 1.6.
 *
 * @returns {import('vite').Plugin}
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
      const packages = [...new Set(directories)].sort().map(readPackage);
      const source = [...packages.map(notice), readFileSync(join(licenses, 'cldr.txt'), 'utf8')];
      this.emitFile({
        type: 'asset',
        fileName: 'THIRD-PARTY-NOTICES.txt',
        source: joinNotices(source),
      });
      const bill = `${JSON.stringify(billOfMaterials(packages), undefined, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: 'sbom.cdx.json', source: bill });
    },
  };
}

/**
 * @param {string} directory
 * @returns {Bundled}
 */
function readPackage(directory) {
  return { ...JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')), directory };
}

/** @param {Bundled} bundled */
function notice({ directory, name, version, license }) {
  const file = readdirSync(directory).find((entry) => /^licen[cs]e([-.].*)?$/i.test(entry));
  // Licenses of packages that lack a file, and of what others wrote in a package.
  const more = join(licenses, `${name}.txt`);
  const texts = [...(file === undefined ? [] : [join(directory, file)]), more]
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8'));
  if (texts.length === 0) throw new Error(`${name} has no license: add build/licenses/${name}.txt`);
  return `${name} ${version} (${license})\n\n${texts.join('\n')}`;
}

/**
 * Without a time or a random serial number, so that two builds of one commit are equal.
 *
 * @param {readonly Bundled[]} packages
 */
function billOfMaterials(packages) {
  const { name, version, license } = readPackage(root);
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component('application', { name, version, license }) },
    components: packages.map((bundled) => ({
      ...component('library', bundled),
      hashes: hashes(
        lock.packages[relative(root, bundled.directory).replaceAll('\\', '/')]?.integrity,
      ),
    })),
  };
}

/**
 * @param {'application' | 'library'} type
 * @param {Omit<Bundled, 'directory'>} bundled
 */
function component(type, { name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type, 'bom-ref': purl, name, version, purl, licenses: [{ expression: license }] };
}

/**
 * Converts the integrity of a lock file, such as `sha512-q80=`.
 *
 * @param {string | undefined} integrity
 */
function hashes(integrity) {
  const [algorithm, digest] = integrity?.split('-', 2) ?? [];
  if (algorithm !== 'sha512' || digest === undefined) return [];
  return [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }];
}
