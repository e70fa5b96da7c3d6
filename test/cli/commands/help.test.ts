import { describe, expect, it } from 'vitest';
import { commandNames } from '../../../src/cli/program.ts';
import { run, transcript } from '../../support/run.ts';

const described = async (...words: string[]) =>
  JSON.parse((await run(['help', ...words, '--json'])).stdout);

describe('carbon help --json', () => {
  it('describes every command, exit code and environment variable', async () => {
    const help = await described();
    expect(help.commands.map(({ name }: { name: string }) => name)).toEqual(commandNames);
    expect(help.exit_codes).toContainEqual({
      code: 5,
      name: 'not found',
      meaning: 'the organization, or the path of carbon api, does not exist (404)',
    });
    expect(help.environment.map(({ name }: { name: string }) => name)).toContain('CARBON_API_KEY');
    expect(help.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('gives alias, argument, default and description of a flag', async () => {
    const { options } = await described('watch');
    const find = (flag: string) => options.find(({ name }: { name: string }) => name === flag);
    expect([find('--timeout'), find('--ids'), find('--no-color')]).toMatchInlineSnapshot(`
      [
        {
          "argument": "duration",
          "default": "30m",
          "description": "stop after this time, 0 for never",
          "global": false,
          "name": "--timeout",
        },
        {
          "alias": "-q",
          "description": "print only IDs, one per line",
          "global": true,
          "name": "--ids",
        },
        {
          "description": "print without color, as NO_COLOR does",
          "global": true,
          "name": "--no-color",
        },
      ]
    `);
  });

  it('refuses an unknown topic', async () => {
    expect(await transcript(['help', 'bath', '--json'])).toMatchInlineSnapshot(`
      "--- stderr
      {"error":{"code":"usage","exit":2,"message":"No help for \\"bath\\"","retryable":false,"hint":"Did you mean batch?"}}
      --- exit 2"
    `);
  });
});
