import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/*
 * Imports that the arrows in docs/dev/architecture.md allow, but that these directories do not
 * need, with the reason.
 */
const forbidden: readonly (readonly [directory: string, imports: string, why: string])[] = [
  ['lists/table', 'client/api', 'it only knows rows and cells'],
  ['lists/workbook', 'client, display', 'it only knows the format of a file'],
  ['lists/list', 'display/page', 'it only knows rows'],
  ['lists/kept', 'client/pace, display/page', 'it only knows the files of a list'],
  [
    'lists/kept/store.ts',
    'client/registration, display, lists/list',
    'it only knows the records of a list',
  ],
  ['portfolio/organizations', 'lists', 'it only knows what a record means'],
  ['portfolio/records', 'client/registration', 'it only knows files of records'],
  ['portfolio/checks', 'client/registration, lists', 'it only knows whether a record can be right'],
  ['portfolio/report', 'client/registration, lists/batch', 'it reads records, never a service'],
  ['portfolio/footprint', 'lists/batch', 'it reads records, never a service'],
  ['sandbox', 'client/api/client.ts', 'it is a service, not a part of the client'],
  ['config', 'client/registration', 'it only knows settings and where they are stored'],
  ['mcp', 'lists', 'it reads records through the portfolio'],
  [
    'cli/output',
    'cli/commands, lists/kept/journal.ts, config, sandbox',
    'it turns values into text',
  ],
  [
    'cli/help.ts',
    'client/api, lists/batch, config, portfolio/report, sandbox',
    'light commands load it',
  ],
];

/* The directories that may import each library. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  commander: ['cli', 'main.ts'],
  '@clack/prompts': ['cli/prompter.ts'],
  undici: ['runtime'],
  conf: ['config'],
  chalk: ['display/terminal'],
  'cli-table3': ['display/terminal'],
  ora: ['display/terminal'],
  'get-east-asian-width': ['display/terminal'],
  'csv-parse': ['lists/table'],
  'd3-format': ['display/terminal/figure.ts'],
  zod: [
    'client/api',
    'client/registration/schema.ts',
    'config/profile-file.ts',
    'mcp',
    'sandbox/openapi.ts',
  ],
  'iso-3166': ['client/registration'],
  '@modelcontextprotocol/server': ['mcp'],
  saxes: ['lists/workbook'],
  yauzl: ['lists/workbook'],
  yazl: ['lists/workbook'],
};

/*
 * What a report and a footprint each say of themselves: their views have the same parts, and no
 * file imports both.
 */
const commonNames = ['headlineOf', 'notesOf', 'statements'];

/* Arrows between districts, or between the rooms of one. */
interface Chain {
  readonly district: string;
  readonly levels: readonly (readonly string[])[];
}

interface Import {
  readonly file: string;
  readonly target: string;
  /** Whether the module is loaded before the one that imports it. */
  readonly isFirst: boolean;
}

const source = join(import.meta.dirname, '../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);
const imports: readonly Import[] = files.flatMap((file) => {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(/(?:\b(from)|\b(import\()|^(import))\s*'([^'\n]+)'/gm)].map(
    ({ 2: later, 4: target = '', index }) => {
      const clause =
        text
          .slice(0, index)
          .split(/^(?=import|export)/m)
          .at(-1) ?? '';
      const names = /\{([^}]*)\}/.exec(clause)?.[1]?.match(/[^,\s][^,]*/g) ?? [''];
      const isOfTypes =
        /^\w+ type\b/.test(clause) || names.every((name) => name.startsWith('type '));
      return {
        file,
        target: target.startsWith('.') ? normalize(join(dirname(file), target)) : target,
        isFirst: later === undefined && !isOfTypes,
      };
    },
  );
});
const page = readFileSync(join(source, '../docs/dev/architecture.md'), 'utf8');
const isIn = (path: string, directory: string) =>
  path === directory || path.startsWith(`${directory}/`);

describe('src', () => {
  it.each(forbidden)('%s imports nothing from %s', (directory, targets) => {
    const own = imports.filter(({ file }) => isIn(file, directory));
    expect(own).not.toEqual([]);
    const wrong = own.filter(({ target }) =>
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
    const directories = files.flatMap((file) => {
      const names = dirname(file).split('/');
      return names.map((_, index) => names.slice(0, index + 1).join('/'));
    });
    expect(listed.sort()).toEqual([...new Set(directories)].filter((name) => name !== '.').sort());
  });

  it('imports in the direction that docs/dev/architecture.md shows', () => {
    const chains: readonly Chain[] = [...page.matchAll(/^(?:(\w+): )?([\w, ]+ → [\w, →]+)$/gm)].map(
      ([, district = '', arrows = '']) => ({
        district,
        levels: arrows.split('→').map((names) => names.match(/\w+/g) ?? []),
      }),
    );
    const districts = new Set(
      files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]),
    );
    expect(new Set(chains.find(({ district }) => district === '')?.levels.flat())).toEqual(
      districts,
    );
    for (const { district, levels } of chains) {
      const depth = district === '' ? 0 : 1;
      const nameOf = (path: string) => path.split('/')[depth] ?? '';
      const levelOf = (path: string) => levels.findIndex((names) => names.includes(nameOf(path)));
      const inside = imports
        .filter(({ file, target }) =>
          [file, target].every((path) => depth === 0 || isIn(path, district)),
        )
        .filter(({ file, target }) => levelOf(file) >= 0 && levelOf(target) >= 0);
      const wrong = inside
        .filter(({ file, target }) => nameOf(file) !== nameOf(target))
        .filter(({ file, target }) => levelOf(file) >= levelOf(target));
      expect(wrong).toEqual([]);
      const placed = files.filter((file) => depth === 1 && isIn(file, district));
      expect(placed.filter((file) => levelOf(file) < 0)).toEqual([]);
    }
  });

  it('has no file that needs itself to be loaded', () => {
    const loads = new Map(
      files.map((file) => [
        file,
        imports.filter((each) => each.file === file && each.isFirst).map(({ target }) => target),
      ]),
    );
    // A file that is loaded after all of its own is in no circle.
    const waiting = new Set(files);
    for (let before = 0; before !== waiting.size; ) {
      before = waiting.size;
      for (const file of waiting)
        if (!loads.get(file)?.some((target) => waiting.has(target))) waiting.delete(file);
    }
    expect([...waiting]).toEqual([]);
  });

  it('has nothing above the commands but the program, a hint for register and the completion', () => {
    const above = imports
      .filter(({ file }) => isIn(file, 'cli') && !isIn(file, 'cli/commands'))
      .filter(({ target }) => isIn(target, 'cli/commands'))
      .filter(({ file }) => file !== 'cli/program.ts');
    expect(above.map(({ file, target }) => `${file} ${target}`)).toEqual([
      'cli/prerendered.ts cli/commands/setup/completion.ts',
      'cli/usage-errors.ts cli/commands/organizations/register.ts',
    ]);
  });

  it('exports no name from two files, but what views of report and footprint have in common', () => {
    const places = new Map<string, string[]>();
    for (const file of files) {
      const text = readFileSync(join(source, file), 'utf8');
      const declared = text.matchAll(
        /^export (?:async )?(?:function\*?|class|const|let|interface|type|enum) (\w+)/gm,
      );
      for (const [, name = ''] of declared) places.set(name, [...(places.get(name) ?? []), file]);
    }
    const shared = [...places].filter(([, found]) => new Set(found).size > 1);
    expect(shared.map(([name]) => name).sort()).toEqual(commonNames);
    const rooms = new Set(shared.flatMap(([, found]) => found.map((file) => file.split('/')[1])));
    expect([...rooms].sort()).toEqual(['footprint', 'report']);
  });

  it('has only index.ts and main.ts at its root', () => {
    expect(files.filter((file) => !file.includes('/')).sort()).toEqual(['index.ts', 'main.ts']);
  });

  it('has no command that imports another, but sync registers as batch does, and report lists', () => {
    const allowed = ['sync batch', 'report list'];
    const commandOf = (path: string) =>
      /^cli\/commands\/[a-z]+\/([a-z]+)(?:\/|\.ts$)/.exec(path)?.[1];
    const wrong = imports.filter(({ file, target }) => {
      const command = commandOf(file);
      const other = commandOf(target) ?? command;
      return command !== undefined && command !== other && !allowed.includes(`${command} ${other}`);
    });
    expect(wrong).toEqual([]);
  });

  it('asks for a format, an extension or a terminal only where a result goes', () => {
    const filesWith = (pattern: RegExp) =>
      files
        .filter((file) => isIn(file, 'cli') || isIn(file, 'portfolio'))
        .filter((file) => pattern.test(readFileSync(join(source, file), 'utf8')))
        .sort();
    const aFormat =
      /\bformat [!=]==|\bsession\.format\b|\bformat\b[^;={}()]*\}(?: = |: )(?:this\.#)?[sS]ession\b|[!=]== '(?:json|csv|ids|human)'/;
    const anExtension = /\.extension\b|\bextname\b|[!=]== '\.(?:xlsx|csv|ndjson|html)'/;
    const output = ['cli/output/out-file.ts', 'cli/output/show.ts'];
    expect(filesWith(aFormat)).toEqual(output);
    expect(filesWith(anExtension)).toEqual(output);
    // The other two write no results: they ask people, and write to standard error.
    expect(filesWith(/\bisTerminal\b[^;={}()]*\} = [\w.]*stdout\b|\bstdout\.isTerminal\b/)).toEqual(
      ['cli/messages.ts', 'cli/output/show.ts', 'cli/questions.ts', 'cli/session.ts'],
    );
    expect(filesWith(/\bview\.terminal\b/)).toEqual([]);
  });

  it.each(Object.entries(libraries))('imports %s only in %s', (library, places) => {
    const wrong = imports
      .filter(({ file, target }) => isIn(target, library) && !file.endsWith('.d.ts'))
      .filter(({ file }) => !places.some((place) => isIn(file, place)));
    expect(wrong).toEqual([]);
  });

  it('asks only for a command, a session or a failed run, never in an engine', () => {
    const asking = imports.filter(({ target }) =>
      ['cli/prompter.ts', 'cli/questions.ts'].includes(target),
    );
    const wrong = asking.filter(({ file }) => file !== 'main.ts' && !isIn(file, 'cli'));
    expect(wrong).toEqual([]);
    const touching = files.filter((file) =>
      /\batTerminal\b/.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(touching.sort()).toEqual([
      'cli/prompter.ts',
      'runtime/context.ts',
      'runtime/terminal.ts',
    ]);
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
