import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeAnswers } from '../src/answers.ts';
import { helpTopics, variables } from '../src/commands/help.ts';
import { buildProgram, commandNames } from '../src/commands/program.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { csvColumns } from '../src/render/csv-columns.ts';
import { run } from './support/run.ts';

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const program = await buildProgram(
  '0',
  async () => undefined,
  () => undefined,
);

describe('the README', () => {
  it('has the exit-code table of the code', () => {
    const table = exitCodes.map(({ code, name, meaning }) => `| ${code} | ${name} | ${meaning} |`).join('\n');
    expect(readme).toContain(table);
  });

  it('has the environment table of the code', () => {
    const table = variables.map(({ name, meaning }) => `| \`${name}\` | ${meaning} |`).join('\n');
    expect(readme).toContain(table);
  });

  it('names every CSV column', () => {
    expect(csvColumns.map(({ name }) => name).filter((name) => !readme.includes(name))).toEqual([]);
  });

  it('documents every command and every flag', () => {
    const flags = program.commands.flatMap((command) =>
      command.options.map((option) => ({ command: command.name(), flag: option.long ?? '' })),
    );
    expect(commandNames.filter((name) => !readme.includes(`carbon ${name}`))).toEqual([]);
    expect(flags.filter(({ flag }) => !readme.includes(flag))).toEqual([]);
  });
});

describe('help', () => {
  it('is the same from the program as from what was generated', async () => {
    const answers = await makeAnswers();
    expect(Object.keys(answers).length).toBeGreaterThan(30);
    for (const [words, text] of Object.entries(answers)) {
      const { stdout, exit } = await run(words === '' ? ['help'] : words.split(' '));
      expect([words, exit, stdout]).toEqual([words, 0, text]);
    }
  });

  it('describes every command, argument and flag, and fits 80 columns', async () => {
    for (const command of program.commands) {
      expect(command.description(), command.name()).not.toBe('');
      for (const option of command.options) expect(option.description, option.flags).not.toBe('');
    }
    for (const text of Object.values(await makeAnswers())) {
      if (/^#/.test(text)) continue;
      expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    }
  });

  it.each(helpTopics)('has the topic %s', async (topic) => {
    expect((await run(['help', topic])).stdout).toMatchSnapshot();
  });

  it('names what there is when asked for what there is not', async () => {
    const { exit, stderr } = await run(['help', 'moon']);
    expect(exit).toBe(2);
    expect(stderr).toContain('Topics: environment, exit-codes');
  });
});

describe('a wrong command line', () => {
  it.each([
    [['foo'], "Unknown command 'foo'"],
    [['gat', '1'], 'Did you mean get?'],
    [['get'], "Missing required argument 'id'"],
    [['get', '1', '--jsn'], "Unknown option '--jsn'"],
    [['get', '1', '--json', '--csv'], 'exclude each other'],
    [['get', '1', '--json', '-q'], 'exclude each other'],
    [['whoami', '--csv'], '--csv has no meaning for carbon whoami'],
    [['login', '-q'], '--quiet has no meaning for carbon login'],
    [['watch', '1', '--interval', 'soon'], '"soon" is not a duration'],
    [['watch', '1', '--interval', '0'], 'is shorter than 100 ms'],
    [['watch', '1', '--concurrency', '0'], 'not a whole number from 1 to 256'],
    [['get', '1', '--sandbox', '--base-url', 'https://a.example'], 'goes with neither'],
    [['register', '--name'], "Option '--name <text>' argument missing"],
    [['completion', 'tcsh'], 'Shells: bash, zsh, fish.'],
    [['sandbox', '--fault', 'gremlins'], 'gremlins'],
  ])('%j exits 2 and says why', async (argv, says) => {
    const { exit, stdout, stderr } = await run(argv);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
  });

  it('takes the global flags before and after the command, the later one counts', async () => {
    const env = { CARBON_API_KEY: 'key-12345', CARBON_BASE_URL: 'https://env.example' };
    const { stdout } = await run(['--base-url', 'https://one.example', 'whoami', '--json'], { env });
    expect(JSON.parse(stdout).base_url).toEqual({ value: 'https://one.example', from: '--base-url' });
    const later = await run(
      ['--base-url', 'https://one.example', 'whoami', '--json', '--base-url', 'https://two.example'],
      { env },
    );
    expect(JSON.parse(later.stdout).base_url.value).toBe('https://two.example');
  });
});
