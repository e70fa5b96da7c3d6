/*
 * The checksums of a release, and the manifests with which others install it: package managers and
 * the registry of MCP servers.
 *
 *     node build/manifests.js <directory with all files of the release>
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * @type {{
 *   name: string,
 *   version: string,
 *   mcpName: string,
 *   homepage: string,
 *   description: string,
 *   license: string,
 *   repository: { url: string },
 * }}
 */
const { name, version, mcpName, homepage, description, license, repository } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
);
const address = repository.url.replace(/^git\+|\.git$/g, '');
const owner = new URL(address).pathname.split('/')[1] ?? '';
/** Homebrew permits 80 characters, and the registry of MCP servers 100. */
const summary = 'Climate data for every company on your list: emissions, scores and targets';
const wingetVersion = '1.6.0';
const unbuilt = '0'.repeat(64);

/** The name of the bundle for MCP clients. */
export const mcpBundle = `carbon-${version}.mcpb`;

/** @param {string} target */
const executableOf = (target) =>
  `carbon-${version}-${target}${target.startsWith('win32') ? '.exe' : ''}`;

/** The names of all executables. */
export const executables = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64',
  'linux-x64',
  'win32-x64',
].map(executableOf);

/** @param {string} file */
const urlOf = (file) => `${address}/releases/download/v${version}/${file}`;

/** @param {unknown} value */
const json = (value) => `${JSON.stringify(value, undefined, 2)}\n`;

/**
 * Returns the manifests by path. A file that this release did not build has a digest of zeros,
 * which package managers reject.
 *
 * @param {Readonly<Record<string, string>>} digests SHA-256 of each file, in hexadecimal
 * @returns {Record<string, string>}
 */
export function manifests(digests) {
  /** @param {string} file */
  const digestOf = (file) => digests[file] ?? unbuilt;
  const windows = executableOf('win32-x64');
  return {
    'homebrew/carbon.rb': formula(digestOf),
    'scoop/carbon.json': json({
      version,
      description: summary,
      homepage,
      license,
      architecture: {
        '64bit': { url: `${urlOf(windows)}#/carbon.exe`, hash: digestOf(windows) },
      },
      bin: 'carbon.exe',
    }),
    ...winget(urlOf(windows), digestOf(windows)),
    'server.json': json(serverEntry(digestOf(mcpBundle))),
  };
}

/** @param {(file: string) => string} digestOf */
function formula(digestOf) {
  /**
   * @param {string} block
   * @param {string} target
   */
  const source = (block, target) => `    on_${block} do
      url "${urlOf(executableOf(target))}"
      sha256 "${digestOf(executableOf(target))}"
    end`;
  return `class Carbon < Formula
  desc "${summary}"
  homepage "${homepage}"
  version "${version}"
  license "${license}"

  on_macos do
${source('arm', 'darwin-arm64')}
${source('intel', 'darwin-x64')}
  end

  on_linux do
${source('arm', 'linux-arm64')}
${source('intel', 'linux-x64')}
  end

  def install
    bin.install Dir["carbon-*"].first => "carbon"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/carbon --version")
  end
end
`;
}

/**
 * Returns the three files of a package. The community repository no longer accepts one file.
 *
 * @param {string} url
 * @param {string} digest
 * @returns {Record<string, string>}
 */
function winget(url, digest) {
  const id = `${owner}.carbon`;
  /**
   * @param {string} type
   * @param {string} suffix
   * @param {readonly string[]} lines
   */
  const file = (type, suffix, lines) => [
    `winget/${id}${suffix}.yaml`,
    [
      `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.${wingetVersion}.schema.json`,
      `PackageIdentifier: ${id}`,
      `PackageVersion: ${version}`,
      ...lines,
      `ManifestType: ${type}`,
      `ManifestVersion: ${wingetVersion}`,
      '',
    ].join('\n'),
  ];
  return Object.fromEntries([
    file('version', '', ['DefaultLocale: en-US']),
    file('installer', '.installer', [
      'InstallerType: portable',
      'Commands:',
      '  - carbon',
      'Installers:',
      '  - Architecture: x64',
      `    InstallerUrl: ${url}`,
      `    InstallerSha256: '${digest.toUpperCase()}'`,
    ]),
    file('defaultLocale', '.locale.en-US', [
      'PackageLocale: en-US',
      `Publisher: ${owner}`,
      `PublisherUrl: ${new URL(`/${owner}`, address)}`,
      'PackageName: carbon',
      `PackageUrl: ${homepage}`,
      `License: ${license}`,
      `ShortDescription: ${JSON.stringify(description)}`,
    ]),
  ]);
}

/**
 * Returns the entry of `carbon mcp` in the registry of MCP servers.
 *
 * @param {string} digest SHA-256 of the bundle
 */
function serverEntry(digest) {
  const transport = { type: 'stdio' };
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'carbon',
    description: summary,
    version,
    websiteUrl: homepage,
    repository: { url: address, source: 'github' },
    packages: [
      {
        registryType: 'npm',
        registryBaseUrl: 'https://registry.npmjs.org',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport,
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          {
            type: 'named',
            name: '--root',
            description: 'Directory with files of records, which the tools can read',
            format: 'filepath',
          },
        ],
        environmentVariables: [
          { name: 'CARBON_BASE_URL', description: 'Base URL of the service' },
          { name: 'CARBON_API_KEY', description: 'API key of the service', isSecret: true },
        ],
      },
      { registryType: 'mcpb', identifier: urlOf(mcpBundle), fileSha256: digest, transport },
    ],
  };
}

/**
 * Writes SHA256SUMS and the manifests beside the files of a release. Returns their paths.
 *
 * @param {string} directory
 * @param {{ isComplete: boolean }} expected whether every file must be there
 */
export function writeManifests(directory, { isComplete }) {
  /** @param {string} file */
  const sha256 = (file) =>
    createHash('sha256')
      .update(readFileSync(join(directory, file)))
      .digest('hex');
  const files = readdirSync(directory).filter((file) => file.startsWith('carbon-'));
  const digests = Object.fromEntries(files.sort().map((file) => [file, sha256(file)]));
  const missing = [...executables, mcpBundle].filter((file) => !(file in digests));
  if (isComplete && missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
  const written = {
    SHA256SUMS: files.map((file) => `${digests[file]}  ${file}\n`).join(''),
    ...manifests(digests),
  };
  for (const [path, text] of Object.entries(written)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return Object.keys(written);
}

const [, script = '', directory] = process.argv;
if (resolve(script) === import.meta.filename) {
  if (directory === undefined) throw new Error('usage: node build/manifests.js <directory>');
  writeManifests(directory, { isComplete: true });
}
