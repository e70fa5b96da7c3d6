/* What the workflows may do: they hold the rights to publish a release. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/documents.ts';

interface Job {
  readonly needs?: string | readonly string[];
  readonly strategy?: {
    readonly matrix: { readonly include?: readonly { target: string; suffix?: string }[] };
  };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const directory = join(root, '.github/workflows');
const workflows = readdirSync(directory).map((name) => {
  const text = readFileSync(join(directory, name), 'utf8');
  return { name, text, workflow: parse(text) as Workflow };
});
const release = workflows.find(({ name }) => name === 'release.yml');
const jobs = Object.entries(release?.workflow.jobs ?? {});
const runs = (job: Job | undefined) =>
  (job?.steps ?? []).flatMap(({ run }) => run ?? []).join('\n');

describe.each(workflows)('$name', ({ text, workflow }) => {
  it('pins every action by its commit, with the version as a comment', () => {
    const uses = text.split('\n').filter((line) => /\buses:/.test(line));
    expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    expect(uses.length).toBeGreaterThan(0);
  });

  it('may only read, unless a job asks for more', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  it('leaves no credentials in a checkout', () => {
    const checkouts = Object.values(workflow.jobs)
      .flatMap(({ steps }) => steps)
      .filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
  });
});

describe('the release', () => {
  it('gives the right to publish to the jobs that publish, and to no step that runs a build', () => {
    const withIdToken = jobs.filter(([, job]) => job.permissions?.['id-token'] === 'write');
    expect(withIdToken.map(([name]) => name)).toEqual(['publish', 'image']);
    expect(withIdToken.filter(([, job]) => /npm (ci|install|run)|node /.test(runs(job)))).toEqual(
      [],
    );
  });

  it('uses no stored token', () => {
    expect(release?.text).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN/);
  });

  it('has checksums of each executable, which it writes before it publishes', () => {
    const job = (name: string) => jobs.find(([known]) => known === name)?.[1];
    expect(runs(job('checksums'))).toBe('cd release && sha256sum carbon-* > SHA256SUMS');
    expect(job('checksums')?.needs).toEqual(['package', 'executable']);
    expect(job('publish')?.needs).toContain('checksums');
  });

  it('installs dependencies without their scripts', () => {
    const installs = release?.text.match(/npm ci.*/g) ?? [];
    expect(installs.filter((line) => line !== 'npm ci --ignore-scripts')).toEqual([]);
  });
});

it('updates wait a week, because a compromised release is usually found within days', () => {
  const text = readFileSync(join(root, '.github/dependabot.yml'), 'utf8');
  const { updates } = parse(text) as { updates: { cooldown?: { 'default-days': number } }[] };
  expect(updates.map(({ cooldown }) => cooldown?.['default-days'])).toEqual([7, 7, 7]);
});
