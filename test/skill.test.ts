import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { pages } from '../build/docs/pages.ts';
import { commandNames } from '../src/cli/program.ts';
import { understands } from './support/understands.ts';

const skill = pages['docs/reference/SKILL.md'] ?? '';
const inline = [...skill.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

describe('SKILL.md', () => {
  it('has a description that an agent can load', () => {
    const [, head = ''] = skill.split('---\n');
    const { name, description } = parse(head);
    expect(name).toBe('carbon');
    expect(description.length).toBeGreaterThan(100);
    // The limit of the format.
    expect(description.length).toBeLessThanOrEqual(1024);
  });

  it('names every command, and no command that carbon does not have', () => {
    const named = [...skill.matchAll(/`carbon ([a-z]+)/g)].map(([, name]) => name);
    expect(commandNames.filter((name) => !named.includes(name))).toEqual([]);
    expect(named.filter((name) => !commandNames.includes(name ?? ''))).toEqual([]);
  });

  it.each(inline.filter((line) => /^carbon \w+ [^<]+$/.test(line)))(
    'has the command line %s, which is understood',
    async (line) => {
      expect(await understands(line)).toBe(true);
    },
  );
});
