import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText, root } from './support/documents.ts';

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
});
const documents = listed.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));

/** Returns a document without its code, in which brackets are no links. */
function readProse(path: string): string {
  return readText(path)
    .replace(/^```.*?^```/gms, '')
    .replace(/<!--.*?-->/gs, '');
}

/** Returns the anchors of a document's headings, as GitHub makes them. */
function anchorsOf(path: string): Set<string> {
  const headings = [...readProse(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  const slugs = headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set(
    slugs.map((slug, at) => {
      const before = slugs.slice(0, at).filter((other) => other === slug).length;
      return before === 0 ? slug : `${slug}-${before}`;
    }),
  );
}

describe('links', () => {
  it.each(documents)('in %s lead to a file and a heading of this repository', (path) => {
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
