/* Manifests with which package managers install the executables of a release. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @type {{ homepage: string, description: string, license: string, repository: { url: string } }}
 */
const { homepage, description, license, repository } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
);
const address = repository.url.replace(/^git\+|\.git$/g, '');
const owner = new URL(address).pathname.split('/')[1] ?? '';

/**
 * Returns the manifests by path: a formula for Homebrew, and manifests for Scoop and winget. An
 * executable that this release did not build has a digest of zeros, which package managers reject.
 *
 * @param {{ version: string, digests: Readonly<Record<string, string>> }} release
 * @returns {Record<string, string>}
 */
export function manifests({ version, digests }) {
  /** @param {string} target */
  const fileOf = (target) =>
    `carbon-${version}-${target}${target.startsWith('win32') ? '.exe' : ''}`;
  /** @param {string} target */
  const urlOf = (target) => `${address}/releases/download/v${version}/${fileOf(target)}`;
  /** @param {string} target */
  const digestOf = (target) => digests[fileOf(target)] ?? '0'.repeat(64);
  /**
   * @param {string} system
   * @param {readonly (readonly [block: string, target: string])[]} files
   */
  const blocks = (system, files) =>
    [
      `  on_${system} do`,
      ...files.flatMap(([block, target]) => [
        `    on_${block} do`,
        `      url "${urlOf(target)}"`,
        `      sha256 "${digestOf(target)}"`,
        '    end',
      ]),
      '  end',
    ].join('\n');
  const formula = `class Carbon < Formula
  desc "${description}"
  homepage "${homepage}"
  version "${version}"
  license "${license}"

${blocks('macos', [
  ['arm', 'darwin-arm64'],
  ['intel', 'darwin-x64'],
])}

${blocks('linux', [
  ['arm', 'linux-arm64'],
  ['intel', 'linux-x64'],
])}

  def install
    bin.install Dir["carbon-*"].first => "carbon"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/carbon --version")
  end
end
`;
  const scoop = {
    version,
    description,
    homepage,
    license,
    architecture: {
      '64bit': { url: `${urlOf('win32-x64')}#/carbon.exe`, hash: digestOf('win32-x64') },
    },
    bin: 'carbon.exe',
  };
  const winget = `# yaml-language-server: $schema=https://aka.ms/winget-manifest.singleton.1.6.0.schema.json
PackageIdentifier: ${owner}.carbon
PackageVersion: ${version}
PackageLocale: en-US
Publisher: ${owner}
PackageName: carbon
License: ${license}
ShortDescription: ${JSON.stringify(description)}
Installers:
  - Architecture: x64
    InstallerType: portable
    Commands:
      - carbon
    InstallerUrl: ${urlOf('win32-x64')}
    InstallerSha256: ${digestOf('win32-x64').toUpperCase()}
ManifestType: singleton
ManifestVersion: 1.6.0
`;
  return {
    'homebrew/carbon.rb': formula,
    'scoop/carbon.json': `${JSON.stringify(scoop, undefined, 2)}\n`,
    'winget/carbon.yaml': winget,
  };
}
