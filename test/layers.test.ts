import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

/* The directories and what each may import: docs/dev/architecture.md draws the same picture. */
const ground = [
  'contract',
  'read-record',
  'record-head',
  'secret',
  'errors',
  'exit-codes',
  'exit-code-table',
  'pacing-outcome',
  'clock',
  'slots',
  'schedule',
  'backoff',
  'wake-up',
  'context',
  'transport',
  'status',
  'codes',
  'duration',
  'folders',
  'system-error',
  'quote-words',
  'machine',
  'atomic-file',
  'temporary-file',
  'proxy',
  'access',
];
const rooms: Readonly<Record<string, readonly string[]>> = {
  main: ['cli', 'commands', 'session', 'context', 'errors', 'exit-codes'],
  answers: ['commands'],
  index: ['api', 'clock', 'contract', 'errors', 'read-record', 'status'],
  commands: [
    'cli',
    'session',
    'api',
    'batch',
    'report',
    'sandbox',
    'settings',
    'profiles',
    'profiles-write',
    'identifier',
    ...ground,
    'render',
  ],
  session: [
    'cli',
    'api',
    'batch',
    'identifier',
    'report',
    'render',
    'sandbox',
    'settings',
    'profiles',
    ...ground,
  ],
  cli: ['batch', 'errors'],
  api: ground,
  batch: ['api', 'identifier', 'render', ...ground],
  report: ['render', ...ground],
  render: ground,
  sandbox: ground,
  settings: ['profiles', ...ground],
  profiles: ground,
  'profiles-write': ['profiles', 'profiles-lock', ...ground],
  'profiles-lock': ground,
  identifier: ['codes', 'contract'],
  codes: [],
  contract: ['emission-types', 'identifier-types', 'record-types'],
  'emission-types': [],
  'identifier-types': [],
  'record-types': ['emission-types'],
  'read-record': ['contract', 'record-head'],
  status: [],
  'record-head': [],
  secret: [],
  'exit-codes': [],
  'exit-code-table': ['exit-codes'],
  duration: ['errors'],
  'pacing-outcome': ['api', 'errors'],
  folders: ['context', 'errors', 'system-error'],
  errors: ['system-error'],
  'system-error': [],
  machine: [],
  'quote-words': [],
  'atomic-file': ['machine', 'system-error'],
  'temporary-file': ['errors', 'folders', 'system-error'],
  clock: [],
  slots: [],
  schedule: [],
  backoff: [],
  'wake-up': ['clock'],
  'undici-parts': [],
  transport: ['undici-parts', 'errors', 'proxy'],
  proxy: ['errors'],
  access: ['errors', 'proxy'],
  context: ['clock', 'prompt', 'transport'],
  prompt: [],
};

/* Each library has its place. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  commander: ['commands', 'main'],
  undici: ['transport', 'undici-parts', 'api'],
  conf: ['profiles-write'],
  chalk: ['render'],
  'cli-table3': ['render'],
  ora: ['render'],
  'string-width': ['render'],
  'csv-stringify': ['render', 'batch'],
  'd3-scale': ['report'],
  'csv-parse': ['batch'],
  zod: ['contract', 'read-record'],
  'iso-3166': ['codes'],
};

interface Import {
  readonly file: string;
  readonly room: string;
  readonly target: string;
}

const source = join(import.meta.dirname, '../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.ts$/.test(file));
const roomOf = (path: string) => path.replace(/\.ts$/, '').split('/')[0] ?? '';
const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(source, file), 'utf8');
  const found = text.matchAll(/(?:from|import\()\s*'([^']+)'|^import '([^']+)'/gm);
  return [...found].map(([, target = '', bare = '']) => ({
    file,
    room: roomOf(file),
    target: target || bare,
  }));
});

it('has a rule for every room', () => {
  const known = new Set(Object.keys(rooms));
  expect(files.filter((file) => !file.endsWith('.d.ts')).filter((file) => !known.has(roomOf(file)))).toEqual(
    [],
  );
});

it('imports in one direction', () => {
  const wrong = imports
    .filter(({ target }) => target.startsWith('.') && !target.endsWith('.json'))
    .map((found) => ({ ...found, to: roomOf(normalize(join(dirname(found.file), found.target))) }))
    .filter(({ room, to }) => room !== to && !rooms[room]?.includes(to));
  expect(wrong).toEqual([]);
});

it('keeps each library in its place', () => {
  const wrong = imports
    .filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'))
    .filter(({ file }) => !file.endsWith('.d.ts'))
    .filter(({ room, target }) => !libraries[target.split('/')[0] ?? '']?.includes(room));
  expect(wrong).toEqual([]);
});

it('lets no command import another', () => {
  const shared = ['./run.ts', './globals.ts', './topics.ts', './unknown-flag.ts'];
  const wrong = imports
    .filter(({ file }) => file.startsWith('commands/') && file !== 'commands/program.ts')
    .filter(({ target }) => target.startsWith('./') && !shared.includes(target));
  expect(wrong).toEqual([]);
});

it('touches the process, the date and chance only in context and clock', () => {
  const touches = /\bprocess\.(?!id\b|userId\b)|\bnew Date\(\)|\bDate\.now\(|\bMath\.random\b|\bconsole\./;
  const wrong = files
    .filter((file) => !['context.ts', 'clock.ts'].includes(file))
    .filter((file) =>
      touches.test(readFileSync(join(source, file), 'utf8').replace(/context\.process\./g, '')),
    );
  expect(wrong).toEqual([]);
});
