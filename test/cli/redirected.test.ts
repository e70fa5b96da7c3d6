import { describe, expect, it } from 'vitest';
import { newFolder, run } from '../support/run.ts';

/* Standard output is a file, standard error a terminal that a person watches. */
const watched = { terminal: 80, isRedirected: true };

const isJson = (line: string) => {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
};

async function registered(): Promise<string> {
  const home = newFolder();
  for (const name of ['Acme AG', 'Globex', 'Sandbox errored'])
    await run(['register', '--name', name, '--sandbox', '-q'], { home });
  return home;
}

describe('--json into a file, at a terminal', () => {
  it('watch shows the spinner with a count and no JSON, and the file has the records', async () => {
    const home = await registered();
    const { stdout, stderr } = await run(['watch', '-', '--json', '--sandbox'], {
      ...watched,
      home,
      isAnimated: true,
      stdin: '1\n2\n3\n',
    });
    expect(stdout.trim().split('\n').filter(isJson)).toHaveLength(3);
    expect(stderr).toMatch(/\d ended, \d in progress/);
    expect(stderr).not.toContain('{"');
  });

  it('get reports what failed in words', async () => {
    const { exit, stdout, stderr } = await run(['get', '1', '99', '--json', '--sandbox'], {
      ...watched,
      home: await registered(),
    });
    expect(exit).toBe(5);
    expect(stdout).toContain('{"ok":false,"id":99');
    expect(stderr).toBe('1 of 2 failed\n');
  });

  it('an error is plain text, also of a wrong command line', async () => {
    for (const argv of [
      ['get', '1', '--json', '--jsn'],
      ['get', '99', '--json', '--sandbox'],
    ]) {
      const { stdout, stderr } = await run(argv, watched);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^Error: [^{]*\nHint: /);
    }
  });
});

it('with --json, every line of standard error is JSON when both are the terminal', async () => {
  const world = { terminal: 80, isAnimated: true, home: await registered() };
  const { stderr } = await run(['watch', '1', '2', '--json', '--sandbox'], world);
  const lines = stderr.trim().split('\n');
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.filter((line) => !isJson(line))).toEqual([]);
});
