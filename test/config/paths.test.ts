import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configDirectory, dataDirectory } from '../../src/config/paths.ts';

const home = join('/', 'home', 'ada');
const base = join('/', 'srv', 'ada');
const on = (platform: NodeJS.Platform, env: Record<string, string>) => ({ env, home, platform });

describe('configDirectory and dataDirectory', () => {
  it('are below the home directory by default', () => {
    expect(configDirectory(on('linux', {}))).toBe(join(home, '.config', 'carbon'));
    expect(dataDirectory(on('linux', {}))).toBe(join(home, '.local', 'share', 'carbon'));
  });

  it('are in the XDG base directories when these are absolute', () => {
    const user = on('linux', { XDG_CONFIG_HOME: base, XDG_DATA_HOME: base });
    expect(configDirectory(user)).toBe(join(base, 'carbon'));
    expect(dataDirectory(user)).toBe(join(base, 'carbon'));
  });

  it('ignore relative XDG base directories, so that the current directory provides no key', () => {
    const user = on('linux', { XDG_CONFIG_HOME: '.config', XDG_DATA_HOME: 'data' });
    expect(configDirectory(user)).toBe(join(home, '.config', 'carbon'));
    expect(dataDirectory(user)).toBe(join(home, '.local', 'share', 'carbon'));
  });

  it('are the directories of the variables of carbon, also relative ones', () => {
    const user = on('linux', { CARBON_CONFIG_DIR: 'here', CARBON_DATA_DIR: 'there' });
    expect([configDirectory(user), dataDirectory(user)]).toEqual(['here', 'there']);
  });

  it('are undefined without a home directory', () => {
    const user = { env: {}, home: undefined, platform: 'linux' } as const;
    expect([configDirectory(user), dataDirectory(user)]).toEqual([undefined, undefined]);
  });
});
