import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/*
 * Imports that the chain in docs/dev/architecture.md allows, but that these directories do not
 * need, with the reason.
 */
const forbidden: readonly (readonly [directory: string, imports: string, why: string])[] = [
  ['api', 'terminal, workbook', 'it could be published alone'],
  ['registration', 'terminal', 'it only knows what a request field means'],
  ['config', 'registration, terminal', 'it only knows settings and where they are stored'],
  ['pace', 'terminal, workbook', 'it only knows when to send a request'],
  ['records', 'config, organizations, registration', 'it only knows files of records'],
  ['table', 'api, config, organizations', 'it only knows rows and cells'],
  ['sync', 'config, page, registration, terminal', 'it only knows the records of a list'],
  ['checks', 'config, registration', 'it only knows whether a record can be right'],
  ['list', 'config, organizations, page', 'it only knows rows and the files that are kept of them'],
  ['batch', 'config', 'it knows neither flags nor where a key is stored'],
  ['report', 'batch, config, registration', 'it reads records from files, never from a service'],
  ['page', 'api, registration, workbook', 'it only knows markup'],
  ['footprint', 'config', 'it knows neither flags nor a service'],
  ['sandbox', 'batch, organizations, terminal', 'it is a service, not a part of the client'],
  ['mcp', 'batch, config, sandbox', 'it knows neither flags nor where a key is stored'],
  ['cli/output', 'cli/commands, list/journal.ts, config, sandbox', 'it turns values into text'],
  ['cli/help', 'api, batch, config, report, sandbox', 'light commands load it'],
];

/* The directories that may import each library. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  commander: ['cli', 'main.ts'],
  undici: ['api', 'runtime'],
  conf: ['config'],
  chalk: ['terminal'],
  'cli-table3': ['terminal'],
  ora: ['terminal'],
  'get-east-asian-width': ['terminal'],
  'csv-parse': ['table'],
  'd3-format': ['terminal/figure.ts'],
  'd3-array': ['page'],
  zod: ['api', 'mcp', 'registration/schema.ts', 'sandbox/openapi.ts'],
  'iso-3166': ['registration'],
  '@modelcontextprotocol/server': ['mcp'],
  saxes: ['workbook'],
  yauzl: ['workbook'],
  yazl: ['workbook'],
};

interface Import {
  readonly file: string;
  readonly target: string;
}

const source = join(import.meta.dirname, '../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);
const imports: readonly Import[] = files.flatMap((file) => {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'([^'\n]+)'/gm)].map(
    ([, target = '']) => ({
      file,
      target: target.startsWith('.') ? normalize(join(dirname(file), target)) : target,
    }),
  );
});
const page = readFileSync(join(source, '../docs/dev/architecture.md'), 'utf8');
const isIn = (path: string, directory: string) =>
  path === directory || path.startsWith(`${directory}/`);

describe('src', () => {
  it.each(forbidden)('%s imports nothing from %s', (directory, targets) => {
    const wrong = imports
      .filter(({ file }) => isIn(file, directory))
      .filter(({ target }) =>
        targets.split(', ').some((forbiddenTarget) => isIn(target, forbiddenTarget)),
      );
    expect(wrong).toEqual([]);
  });

  it('has a line for every directory in docs/dev/architecture.md', () => {
    const listed: string[] = [];
    const path: string[] = [];
    const tree = page.slice(page.indexOf('\nsrc/\n'), page.indexOf('\ntest/ '));
    for (const [, indent = '', name = ''] of tree.matchAll(/^( {2,})([\w-]+)\/ /gm)) {
      path.splice(indent.length / 2 - 1, Number.POSITIVE_INFINITY, name);
      listed.push(path.join('/'));
    }
    const directories = new Set(files.map((file) => dirname(file)).filter((name) => name !== '.'));
    expect(listed.sort()).toEqual([...directories].sort());
  });

  it('imports in the direction that docs/dev/architecture.md shows', () => {
    const chain = /\ncli → .*?\n```/s.exec(page)?.[0] ?? '';
    const levels: readonly (readonly string[])[] = chain
      .split('→')
      .map((names) => names.match(/\w+/g) ?? []);
    const levelOf = (path: string) =>
      levels.findIndex((names) => names.includes(path.split('/')[0] ?? ''));
    const wrong = imports
      .filter(({ file, target }) => levelOf(file) >= 0 && levelOf(target) >= 0)
      .filter(({ file, target }) => file.split('/')[0] !== target.split('/')[0])
      .filter(({ file, target }) => levelOf(file) >= levelOf(target));
    expect(wrong).toEqual([]);
    const directories = files.filter((file) => file.includes('/'));
    expect(directories.filter((file) => levelOf(file) < 0)).toEqual([]);
  });

  it('has only index.ts and main.ts at its root', () => {
    expect(files.filter((file) => !file.includes('/')).sort()).toEqual(['index.ts', 'main.ts']);
  });

  it('has no command that imports another, but sync registers as batch does', () => {
    const commandOf = (path: string) => /^cli\/commands\/([^/]+)\//.exec(path)?.[1];
    const wrong = imports.filter(({ file, target }) => {
      const command = commandOf(file);
      const other = commandOf(target) ?? command;
      return (
        command !== undefined && command !== other && !(command === 'sync' && other === 'batch')
      );
    });
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(libraries))('imports %s only in %s', (library, places) => {
    const wrong = imports
      .filter(({ file, target }) => isIn(target, library) && !file.endsWith('.d.ts'))
      .filter(({ file }) => !places.some((place) => isIn(file, place)));
    expect(wrong).toEqual([]);
  });

  it('imports no library that the table does not list', () => {
    const wrong = imports
      .filter(({ target }) => !/^node:|\.(ts|json|css|js|lua)(\?raw)?$/.test(target))
      .filter(({ target }) => !Object.keys(libraries).some((library) => isIn(target, library)));
    expect(wrong).toEqual([]);
  });

  it('uses the process, the date and random numbers only in runtime/context.ts and runtime/clock.ts', () => {
    const touches =
      /\bprocess\.(?!id\b|userId\b)\w|\bnew Date\(\)|\bDate\.now\(|\bMath\.random\b|\bconsole\./;
    const wrong = files
      .filter((file) => !['runtime/context.ts', 'runtime/clock.ts'].includes(file))
      .filter((file) =>
        touches.test(readFileSync(join(source, file), 'utf8').replace(/context\.process\./g, '')),
      );
    expect(wrong).toEqual([]);
  });
});
