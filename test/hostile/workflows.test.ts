/* What the workflows may do: they hold the rights to publish a release. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/documents.ts';

interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

const directory = join(root, '.github/workflows');
const workflows = readdirSync(directory).map((name) => {
  const text = readFileSync(join(directory, name), 'utf8');
  const { permissions, jobs } = parse(text) as {
    permissions: unknown;
    jobs: Readonly<Record<string, Job>>;
  };
  return { name, text, permissions, jobs };
});
const { text: release = '', jobs = {} } =
  workflows.find(({ name }) => name === 'release.yml') ?? {};
const runs = (job: Job | undefined) =>
  (job?.steps ?? []).flatMap(({ run }) => run ?? []).join('\n');

describe.each(workflows)('$name', ({ text, permissions, jobs }) => {
  it('pins every action by its commit, may only read, and leaves no credentials in a checkout', () => {
    const uses = text.split('\n').filter((line) => /\buses:/.test(line));
    expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    expect(uses.length).toBeGreaterThan(0);
    expect(permissions).toEqual({ contents: 'read' });
    const checkouts = Object.values(jobs)
      .flatMap(({ steps }) => steps)
      .filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
  });
});

describe('the release', () => {
  it('gives the right to publish to the jobs that publish, and to no step that runs a build', () => {
    const withIdToken = Object.entries(jobs).filter(
      ([, job]) => job.permissions?.['id-token'] === 'write',
    );
    expect(withIdToken.map(([name]) => name)).toEqual(['attest', 'publish', 'image']);
    for (const [, job] of withIdToken) expect(runs(job)).not.toMatch(/npm (ci|install|run)|node /);
  });

  it('uses no stored token, and installs dependencies without their scripts', () => {
    expect(release).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN/);
    const installs = release.match(/npm ci.*/g) ?? [];
    expect(installs.filter((line) => line !== 'npm ci --ignore-scripts')).toEqual([]);
  });

  it('has checksums of each executable, which it writes before it publishes', () => {
    expect(runs(jobs['checksums'])).toBe('cd release && sha256sum carbon-* > SHA256SUMS');
    expect(jobs['checksums']?.needs).toEqual(['package', 'executable']);
    expect(jobs['publish']?.needs).toContain('checksums');
  });

  it('attests the executables before it publishes, and verifies that when it installs them', () => {
    expect(jobs['attest']?.permissions?.['attestations']).toBe('write');
    const [, attest] = jobs['attest']?.steps ?? [];
    expect([attest?.uses, attest?.with]).toEqual([
      expect.stringMatching(/^actions\/attest@/),
      { 'subject-checksums': 'release/SHA256SUMS' },
    ]);
    expect(jobs['publish']?.needs).toContain('attest');
    expect(runs(jobs['install'])).toContain('gh attestation verify "$file"');
  });

  it('names the image in lower case, as ghcr.io requires, and may pull it while it is private', () => {
    expect(release).not.toMatch(/ghcr\.io\/\$\{\{/);
    expect(release.match(/ghcr\.io\/\$\{GITHUB_REPOSITORY,,\}/g)).toHaveLength(2);
    expect(jobs['install']?.permissions).toEqual({ contents: 'read', packages: 'read' });
    const logins = jobs['install']?.steps.filter(({ uses }) => uses?.includes('login-action'));
    expect(logins).toHaveLength(1);
  });
});

it('updates propose no new major version, which usually needs a later Node', () => {
  const text = readFileSync(join(root, '.github/dependabot.yml'), 'utf8');
  const { updates } = parse(text) as {
    updates: { 'package-ecosystem': string; ignore?: object[] }[];
  };
  const npm = updates.find((each) => each['package-ecosystem'] === 'npm');
  const major = { 'update-types': ['version-update:semver-major'] };
  expect(npm?.ignore).toEqual([{ 'dependency-name': '*', ...major }]);
});

it('updates wait a week, because a compromised release is usually found within days', () => {
  const text = readFileSync(join(root, '.github/dependabot.yml'), 'utf8');
  const { updates } = parse(text) as { updates: { cooldown?: { 'default-days': number } }[] };
  expect(updates.map(({ cooldown }) => cooldown?.['default-days'])).toEqual([7, 7, 7]);
});
