import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failures } from '../src/cli/errors.ts';
import { globalOptions, optionName, ownOptions } from '../src/cli/options.ts';
import { loadDeclarations } from '../src/cli/program.ts';
import { scenarios } from '../src/sandbox/records.ts';
import { codeBlocks, documents, readText, root } from './support/documents.ts';
import { understands } from './support/understands.ts';

const declarations = await loadDeclarations();

/* Options of curl, Docker, Slurm, systemd and GNU parallel in sentences. */
const optionsOfOthers = [
  '--help',
  '--version',
  '--parallel',
  '--entrypoint',
  '--build-context',
  '--create',
  '--user',
  '--array',
  '--resume-failed',
];

const contract = 'docs/service.md';

describe('documents', () => {
  it('keep README.md within 7 kB and CONTRIBUTING.md within 5 kB', () => {
    expect(Buffer.byteLength(readText('README.md'))).toBeLessThanOrEqual(7_000);
    expect(Buffer.byteLength(readText('CONTRIBUTING.md'))).toBeLessThanOrEqual(5_000);
  });

  it('have at most 11,600 words for users', () => {
    const texts = [...documents, 'SECURITY.md', 'CHANGELOG.md']
      .filter((path) => path !== contract)
      .map(readText);
    const words = texts.flatMap((text) => text.split(/\s+/).filter((word) => word !== ''));
    expect(words.length).toBeLessThanOrEqual(11_600);
    // The contract of the service is a reference for developers.
    expect(readText(contract).split(/\s+/).length).toBeLessThanOrEqual(900);
  });

  it('quote the share of a limit and the memory that figures.md has', () => {
    const figures = readText('docs/dev/figures.md');
    const share = /20 ms \+ 5 ms: of the rate \| ([\d.]+) %/.exec(figures)?.[1];
    const memory = Number(/1,000,000 rows \| (\d+) MB/.exec(figures)?.[1]);
    expect(readText('docs/batch.md')).toContain(`uses ${share}%`);
    const quoted = Number(/million rows\D+(\d+) MB/.exec(readText('docs/operations.md'))?.[1]);
    expect(Math.abs(quoted / memory - 1)).toBeLessThan(0.05);
  });

  it('explain every name of the sandbox', () => {
    const page = readText('docs/reference/sandbox.md');
    const names = [...page.matchAll(/^\| `Sandbox (.*?)` \|/gm)].flatMap(([, words = '']) =>
      words.split('`, `'),
    );
    expect(scenarios.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('say the same about resuming', () => {
    for (const path of ['README.md', 'docs/batch.md']) {
      const text = readText(path).replace(/\s+/g, ' ');
      expect(text).toContain(
        'Rows in flight, or answered in the last 100 ms, are sent again and get the same ID',
      );
    }
  });

  it('give every error code the exit code of the command', () => {
    const page = readText('docs/reference/errors.md');
    const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| /gm)];
    expect(Object.fromEntries(rows.map(([, code, exit]) => [code, Number(exit)]))).toEqual(
      Object.fromEntries(Object.entries(failures).map(([code, { exit }]) => [code, exit])),
    );
    // Each response leads to one of them.
    const responses = [...page.matchAll(/^\| (?!`).* \| `(\w+)` \|$/gm)].map(([, code]) => code);
    expect(responses.length).toBeGreaterThan(8);
    expect(responses.filter((code) => !Object.hasOwn(failures, code ?? ''))).toEqual([]);
  });

  it('show only command lines that carbon understands', async () => {
    const lines = codeBlocks('sh').flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
    const simple = lines.filter((line) => line.startsWith('carbon ') && !line.includes('||'));
    expect(simple.length).toBeGreaterThan(10);
    for (const line of simple) {
      const commands = line.replace(/ +(?:#|2> ).*/, '').split(' | ');
      for (const command of commands.filter((each) => each.startsWith('carbon '))) {
        expect([command, await understands(command)]).toEqual([command, true]);
      }
    }
  });

  it('are in the package if the program names them', () => {
    const chunks = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
    // `npm run bench` builds programs that no package has.
    const texts = chunks
      .filter((path) => /\.[cm]?js$/.test(path) && !/^bench\b/.test(path))
      .map((path) => `dist/${path}`);
    const named = texts.flatMap((path) => readText(path).match(/docs\/[\w/.-]+\.md/g) ?? []);
    expect(named).toEqual(expect.arrayContaining(['docs/batch.md', 'docs/reference/checks.md']));
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    expect(paths).toContain(contract);
    expect([...new Set(named)].filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('name only options that carbon has', () => {
    const known = new Set([...globalOptions, ...declarations.flatMap(ownOptions)].map(optionName));
    const others =
      /^(aws|docker|kubectl|parallel|sbatch|systemctl|loginctl|journalctl|npm|npx|git|curl|node|secret-tool|tail) /;
    for (const path of documents) {
      const lines = readText(path)
        .replace(/\\\n\s*/g, ' ')
        .split('\n');
      const named = lines
        .filter((line) => !others.test(line))
        .flatMap((line) => [...line.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)]);
      const flags = named.map(([flag]) => flag).filter((flag) => !optionsOfOthers.includes(flag));
      expect({ path, unknown: flags.filter((flag) => !known.has(flag)) }).toEqual({
        path,
        unknown: [],
      });
    }
  });
});

const listed = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
  {
    cwd: root,
    encoding: 'utf8',
  },
);
const allMarkdown = listed
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));

/** Returns a document without its code, in which brackets are not links. */
function readProse(path: string): string {
  return readText(path)
    .replace(/^```.*?^```/gms, '')
    .replace(/<!--.*?-->/gs, '');
}

/** Returns the anchors that GitHub generates for the headings of a document. */
function anchorsOf(path: string): Set<string> {
  const headings = [...readProse(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  const slugs = headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set(
    slugs.map((slug, index) => {
      const before = slugs.slice(0, index).filter((other) => other === slug).length;
      return before === 0 ? slug : `${slug}-${before}`;
    }),
  );
}

describe('links', () => {
  it.each(allMarkdown)('in %s lead to existing files and headings', (path) => {
    const links = [...readProse(path).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)/gm)].map(
      ([, inline, reference]) => inline ?? reference ?? '',
    );
    const broken = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : normalize(join(dirname(path), file));
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});
