/*
 * Writes what a release needs apart from the package and the executables, and the two forms of the
 * section "Install" in README.md: node build/release-files.js <directory>
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const { name, version, mcpName, homepage, repository } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const address = repository.url.replace(/^git\+|\.git$/g, '');

const installForms = {
  published: `With Node.js 20.19 or later:

\`\`\`sh
npm install --global ${name}
\`\`\`

Without Node.js or a package registry, download the executable for your system from the
[releases](${address}/releases), compare its checksum with \`SHA256SUMS\`, and put it on your PATH as
\`carbon\`. \`carbon help licenses\` prints the licenses of everything in it.
`,
  unpublished: `With Node.js 20.19 or later:

\`\`\`sh
git clone ${address}.git
cd carbon
npm ci && npm run build
npm install --global .               # links the command carbon to this clone
\`\`\`

Can't install globally? Run \`node bin/carbon.cjs\` in the clone. To install on another machine, run
\`npm pack\` here and \`npm install -g FILE.tgz\` there.
`,
};

/**
 * Returns README.md with one form of the instructions at the start of its section "Install".
 *
 * @param {string} readme
 * @param {keyof typeof installForms} form
 */
export function withInstall(readme, form) {
  const [before, rest = ''] = readme.split(/(?<=\n## Install\n\n)/);
  const end = rest.indexOf('\n`npm ci && npm run demo`');
  if (end < 0) throw new Error('README.md has no section "Install" before "npm run demo"');
  return `${before}${installForms[form]}${rest.slice(end)}`;
}

/**
 * Returns the section of this version in CHANGELOG.md, without its heading.
 *
 * @returns {string}
 */
export function releaseNotes() {
  const [, ...sections] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}`);
  if (sections[0] !== section) throw new Error(`${version} is not the first section`);
  // The page of a release has another address than the repository.
  if (/\]\((?!https:)/.test(section)) throw new Error(`section ${version} has a relative link`);
  return section.slice(section.indexOf('\n')).trim();
}

/** Returns the entry of `carbon mcp` in the registry of MCP servers. */
export function serverEntry() {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'carbon',
    description: 'Climate data for every company on your list: emissions, scores and targets',
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
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          {
            type: 'named',
            name: '--root',
            description: 'Directory with files of records, which the tools can read',
            format: 'filepath',
            isRequired: true,
            placeholder: '/path/to/records',
          },
        ],
        environmentVariables: [
          { name: 'CARBON_BASE_URL', description: 'Base URL of the service' },
          { name: 'CARBON_API_KEY', description: 'API key of the service', isSecret: true },
        ],
      },
    ],
  };
}

const [, script = '', directory] = process.argv;
if (resolve(script) === import.meta.filename) {
  if (directory === undefined) throw new Error('usage: node build/release-files.js <directory>');
  writeFileSync(join(directory, 'notes.md'), `${releaseNotes()}\n`);
  const entry = `${JSON.stringify(serverEntry(), undefined, 2)}\n`;
  writeFileSync(join(directory, 'server.json'), entry);
  copyFileSync(join(root, 'dist/sbom.cdx.json'), join(directory, `carbon-${version}.cdx.json`));
}
