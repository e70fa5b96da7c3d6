import { describe, expect, it } from 'vitest';
import { newFolder, run } from '../support/run.ts';

describe('CARBON_SANDBOX', () => {
  const env = { CARBON_SANDBOX: '1' };

  it('selects the sandbox, and each run says so', async () => {
    const home = newFolder();
    const registered = await run(['register', '--name', 'Acme'], { home, env });
    expect(registered.exit).toBe(0);
    expect(registered.stderr).toContain('CARBON_SANDBOX is set: this is the sandbox');
    const { stderr } = await run(['get', '1', '--json'], { home, env });
    expect(JSON.parse(stderr)).toEqual({
      level: 'result',
      text: 'CARBON_SANDBOX is set: this is the sandbox, with synthetic data',
    });
    expect((await run(['whoami'], { home, env })).stdout).toContain('(CARBON_SANDBOX)');
  });

  it.each([
    ['--base-url', 'https://a.example'],
    ['--profile', 'acme'],
  ])('is overridden by %s', async (...option) => {
    const { exit, stderr } = await run(['get', '1', ...option], { env });
    expect(exit).not.toBe(0);
    expect(stderr).not.toContain('sandbox, with synthetic data');
  });

  it('changes nothing when it is 0 or empty, and accepts no other value', async () => {
    for (const value of ['0', ''])
      expect((await run(['get', '1'], { env: { CARBON_SANDBOX: value } })).exit).toBe(2);
    const { exit, stderr } = await run(['get', '1'], { env: { CARBON_SANDBOX: 'on' } });
    expect([exit, stderr]).toEqual([2, 'Error: CARBON_SANDBOX: "on" is not 1 or 0\n']);
  });
});
