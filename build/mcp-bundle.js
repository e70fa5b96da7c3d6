/*
 * Writes a bundle (.mcpb) with which desktop clients of the Model Context Protocol install
 * `carbon mcp`: a ZIP archive of the program and a manifest that lists its tools and settings.
 *
 *     node build/mcp-bundle.js <file>
 */
import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { executableAssets } from './executable.js';

const root = join(import.meta.dirname, '..');
const { version, description, license, author, homepage, repository, bugs, keywords, engines } =
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/* Two bundles of one build are equal. */
const mtime = new Date(2000, 0, 1);

/**
 * Returns the tools that the built server offers. A bundle cannot register: that option is the
 * user's choice for each client.
 *
 * @returns {{ name: string, description: string }[]}
 */
function tools() {
  const folder = mkdtempSync(join(tmpdir(), 'carbon-mcp-'));
  const requests = [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'build', version },
      },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ];
  try {
    const words = [join(root, 'bin/carbon.cjs'), 'mcp', '--root', folder];
    const input = requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`);
    const responses = execFileSync(process.execPath, words, {
      input: input.join(''),
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return responses
      .find(({ id }) => id === 2)
      .result.tools.map((/** @type {{ name: string, description: string }} */ tool) => ({
        name: tool.name,
        description: tool.description,
      }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function manifest() {
  return {
    manifest_version: '0.3',
    name: 'carbon',
    version,
    description,
    author: { name: author },
    repository: { type: 'git', url: repository.url.replace(/^git\+/, '') },
    homepage,
    support: bugs,
    license,
    keywords,
    server: {
      type: 'node',
      entry_point: 'bin/carbon.cjs',
      mcp_config: {
        command: 'node',
        // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the client replaces them
        args: ['${__dirname}/bin/carbon.cjs', 'mcp', '--root', '${user_config.root}'],
        env: {
          CARBON_BASE_URL: '${user_config.base_url}',
          CARBON_API_KEY: '${user_config.api_key}',
        },
        // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the client replaces them
      },
    },
    tools: tools(),
    compatibility: {
      platforms: ['darwin', 'win32', 'linux'],
      runtimes: { node: engines.node },
    },
    user_config: {
      base_url: {
        type: 'string',
        title: 'Base URL',
        description: 'Base URL of the service, such as https://api.example.com',
        required: true,
      },
      api_key: {
        type: 'string',
        title: 'API key',
        description: 'API key of the service',
        required: true,
        sensitive: true,
      },
      root: {
        type: 'directory',
        title: 'Records',
        description: 'Directory with files of records, which the tools can read',
        required: true,
      },
    },
  };
}

/**
 * Writes the bundle.
 *
 * @param {string} file
 */
export async function writeMcpBundle(file) {
  const archive = new ZipFile();
  const options = { mtime, mode: 0o100644, forceDosTimestamp: true };
  const text = `${JSON.stringify(manifest(), undefined, 2)}\n`;
  archive.addBuffer(Buffer.from(text), 'manifest.json', options);
  const own = ['bin/carbon.cjs', 'dist/THIRD-PARTY-NOTICES.txt', 'LICENSE'];
  const paths = [...own.map((path) => join(root, path)), ...Object.values(executableAssets())];
  for (const path of paths.sort())
    archive.addBuffer(readFileSync(path), relative(root, path).split(sep).join('/'), options);
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(file));
}

const [, script = '', file] = process.argv;
if (resolve(script) === import.meta.filename) {
  if (file === undefined) throw new Error('usage: node build/mcp-bundle.js <file>');
  await writeMcpBundle(file);
}
