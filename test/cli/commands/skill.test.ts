import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import { renderSkill } from '../../../src/cli/commands/skill.ts';
import { commandNames, loadDeclarations } from '../../../src/cli/program.ts';
import { run } from '../../support/run.ts';
import { understands } from '../../support/understands.ts';

const skill = renderSkill(await loadDeclarations());
const inline = [...skill.replaceAll(/\n {2}/g, ' ').matchAll(/`([^`]+)`/g)].map(
  ([, text = '']) => text,
);

describe('carbon skill', () => {
  it('prints a skill whose description an agent can load', async () => {
    expect(await run(['skill'])).toMatchObject({ exit: 0, stdout: skill, stderr: '' });
    const [, head = ''] = skill.split('---\n');
    const { name, description } = parse(head);
    expect(name).toBe('carbon');
    expect(description.length).toBeGreaterThan(100);
    // The limit of the format.
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(skill).toContain(`# carbon ${packageJson.version}\n`);
    expect(skill.split('\n').length).toBeLessThan(150);
  });

  it('names every command, and no command that carbon does not have', () => {
    const named = [...skill.matchAll(/`carbon ([a-z]+)/g)].map(([, name]) => name);
    expect(commandNames.filter((name) => !named.includes(name))).toEqual([]);
    expect(named.filter((name) => !commandNames.includes(name ?? ''))).toEqual([]);
    const words = inline.filter((text) => /^[a-z]+$/.test(text));
    const members = ['code', 'message', 'hint'];
    expect(words.filter((word) => ![...commandNames, ...members].includes(word))).toEqual([]);
  });

  it.each(inline.filter((line) => /^carbon \w+ [^<]+$/.test(line)))(
    'has the command line %s, which is understood',
    async (line) => {
      expect(await understands(line)).toBe(true);
    },
  );
});
