import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { releaseNotes, serverEntry, withInstall } from '../../build/release-files.js';
import packageJson from '../../package.json' with { type: 'json' };
import { readText } from '../support/documents.ts';

const { name, version, mcpName } = packageJson;

describe('the section "Install" of README.md', () => {
  const readme = readText('README.md');
  const unpublished = withInstall(readme, 'unpublished');
  const published = withInstall(readme, 'published');

  it('is one of two forms, which replace each other', () => {
    // The line of README.md where it leaves the form that it follows longer.
    const leaves = [unpublished, published].map((form) => {
      const lines = form.split('\n');
      return readme.split('\n').findIndex((line, index) => line !== lines[index]);
    });
    const line = 1 + Math.max(...leaves);
    expect(
      [unpublished, published].includes(readme),
      `README.md, section Install, differs from installForms in build/release-files.js at line ${line}: change both`,
    ).toBe(true);
    expect(withInstall(published, 'unpublished')).toBe(unpublished);
  });

  it('installs from a clone before the release, and the package or an executable after it', () => {
    expect(unpublished).toContain('npm ci && npm run build\nnpm install --global .');
    expect(published).toContain(`\nnpm install --global ${name}\n`);
    expect(published).not.toContain('not published');
    expect(published).toContain('SHA256SUMS');
  });

  it.each([unpublished, published])('names the oldest Node of package.json', (text) => {
    expect(packageJson.engines.node).toMatch(/^\^20\.19 /);
    expect(text.replace(/\s+/g, ' ')).toContain('Node.js 20.19 or later');
  });
});

describe('server.json', () => {
  // What the schema of the registry requires and limits.
  const text = z.string().min(1).max(100);
  const url = z.url({ protocol: /^https$/ });
  const named = z.looseObject({ name: z.string(), isRequired: z.boolean().optional() });
  const schema = z.strictObject({
    $schema: url,
    name: z.string().regex(/^io\.github\.[a-zA-Z0-9-]+\/[a-zA-Z0-9._-]+$/),
    title: text,
    description: text,
    version: z.literal(version),
    websiteUrl: url,
    repository: z.strictObject({ url, source: z.literal('github') }),
    packages: z.tuple([
      z.looseObject({
        registryType: z.literal('npm'),
        registryBaseUrl: z.literal('https://registry.npmjs.org'),
        identifier: z.literal(name),
        version: z.literal(version),
        runtimeHint: z.literal('npx'),
        transport: z.strictObject({ type: z.literal('stdio') }),
        packageArguments: z.array(z.looseObject({ type: z.enum(['positional', 'named']) })),
        environmentVariables: z.array(named.extend({ isSecret: z.boolean().optional() })),
      }),
    ]),
  });
  const entry = schema.parse(serverEntry());

  it('has the name that the package on npm has as mcpName', () => {
    expect(entry.name).toBe(mcpName);
    expect(entry.repository.url).toContain(`/${entry.name.split(/[./]/)[2]}/`);
  });

  it('requires --root, shows settings that carbon has, and keeps the key secret', () => {
    const [{ packageArguments, environmentVariables }] = entry.packages;
    expect(packageArguments).toMatchObject([
      { value: 'mcp' },
      { name: '--root', isRequired: true, placeholder: '/path/to/records' },
    ]);
    const settings = readText('docs/reference/environment.md');
    for (const variable of environmentVariables) expect(settings).toContain(`\`${variable.name}\``);
    const secrets = environmentVariables.filter(({ isSecret }) => isSecret);
    expect(secrets.map((variable) => variable.name)).toEqual(['CARBON_API_KEY']);
  });
});

it('releaseNotes returns the section of this version without a relative link', () => {
  expect(releaseNotes()).toMatch(/^The first release: /);
});
