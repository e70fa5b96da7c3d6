import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  configFile,
  dataDirectory,
  loadProfileReader,
  readProfiles,
} from '../../src/config/profiles.ts';
import { readDuration } from '../../src/config/settings.ts';
import { UsageError } from '../../src/runtime/carbon-error.ts';
import { realContext } from '../../src/runtime/context.ts';
import { newFolder } from '../support/run.ts';

const home = join('/', 'home', 'ada');
const base = join('/', 'srv', 'ada');

it.each([
  ['the home directory', {}, join(home, '.config', 'carbon'), join(home, '.local/share', 'carbon')],
  [
    'absolute XDG directories',
    { XDG_CONFIG_HOME: base, XDG_DATA_HOME: base },
    join(base, 'carbon'),
    join(base, 'carbon'),
  ],
  [
    'the home directory instead of relative XDG directories, which any directory could serve',
    { XDG_CONFIG_HOME: '.config', XDG_DATA_HOME: 'data' },
    join(home, '.config', 'carbon'),
    join(home, '.local/share', 'carbon'),
  ],
  ['its own variables', { CARBON_CONFIG_DIR: 'here', CARBON_DATA_DIR: 'there' }, 'here', 'there'],
])('finds its directories by %s', (_, env, config, data) => {
  const user = { env, home, platform: 'linux' } as const;
  expect(configFile(user)).toBe(join(config, 'config.json'));
  expect(dataDirectory(user)).toBe(data);
});

it('finds no directory without a home directory', () => {
  const user = { env: {}, home: undefined, platform: 'linux' } as const;
  expect([configFile(user), dataDirectory(user)]).toEqual([undefined, undefined]);
});

it('reads durations', () => {
  const read = (text: string) => readDuration(text, '--timeout');
  expect(['0', '500ms', '1.5s', '1m30s', '1h30m', '2d'].map(read)).toEqual([
    0, 500, 1_500, 90_000, 5_400_000, 172_800_000,
  ]);
  for (const text of ['', '10', '-1s', '1 h', '1s2', 'h', '1e3s'])
    expect(() => read(text)).toThrow(UsageError);
});

it('finds no profile in a file that another process creates after it looked for one', async () => {
  const home = newFolder();
  const context = { ...realContext(process, new AbortController().signal), env: {}, home };
  const read = await loadProfileReader(context);
  const directory = join(home, '.config', 'carbon');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, 'config.json'), '{}', { mode: 0o600 });
  expect(readProfiles(context, () => undefined, read)).toEqual({});
});
