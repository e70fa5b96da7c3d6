import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeResearch } from '../../../../src/cli/commands/lists/sync/run.ts';
import { newFolder, run } from '../../../support/run.ts';

describe('describeResearch', () => {
  it('draws what is done, and counts failures', () => {
    expect(describeResearch({ total: 40, open: 15, failed: 2 }, true)).toBe(
      'Researching █████████████▊········ 25 of 40 · 2 failed',
    );
    expect(describeResearch({ total: 1_000, open: 1_000, failed: 0 }, false)).toBe(
      'Researching 0 of 1,000',
    );
  });
});

describe('bars', () => {
  const status = async (env: Record<string, string>, terminal?: number) => {
    const home = newFolder();
    const path = join(home, 'suppliers.csv');
    writeFileSync(path, 'name\nAcme AG\nOrganization 1\nOrganization 2\nSandbox 422\n');
    await run(['batch', path, '--sandbox'], { home });
    const world = terminal === undefined ? { home, env } : { home, env, terminal };
    return (await run(['batch', path, '--sandbox', '--status'], world)).stdout;
  };

  it('are drawn in a terminal with UTF-8', async () => {
    expect(await status({ LANG: 'C.UTF-8' }, 80)).toContain(
      '\n██████████████████████▌······· 75% registered\n',
    );
  });

  it.each([
    ['without UTF-8', { LANG: 'C' }, 80],
    ['with TERM=dumb', { LANG: 'C.UTF-8', TERM: 'dumb' }, 80],
    ['in a pipe', { LANG: 'C.UTF-8' }, undefined],
  ])('are left out %s', async (_, env, terminal) => {
    expect(await status(env, terminal)).not.toMatch(/[\u2581-\u258f]/);
  });
});

describe('carbon register --wait', () => {
  it('shows the name and the status while it waits', async () => {
    let shown = '';
    await run(
      ['register', '--sandbox', '--name', 'Borealis Steel', '--hq-region', 'DE', '--wait'],
      {
        terminal: 80,
        isAnimated: true,
        onOutput: (text) => {
          shown += text;
        },
      },
    );
    expect(shown).toMatch(/. Borealis Steel · [a-z]+ · \d+ s/u);
  });
});
