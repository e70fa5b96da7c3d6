/* Reads the links behind the cells of a sheet (ECMA-376 part 1, 18.3.1.47). */
import { posix } from 'node:path';
import { type Archive, readXml } from './archive.ts';
import { columnOf } from './cells.ts';

/** Addresses by row from 1, then by column from 0. */
export type Hyperlinks = ReadonlyMap<number, ReadonlyMap<number, string>>;

/* Excel allows 65,530 links in a sheet. */
const maxLinks = 200_000;

/** Reads the external links of a sheet; does not parse a sheet without any. */
export async function readHyperlinks(archive: Archive, part: string): Promise<Hyperlinks> {
  const links = new Map<number, Map<number, string>>();
  const targets = await readTargets(archive, part);
  if (targets.size === 0) return links;
  let count = 0;
  await readXml(archive, part, {
    open(name, attributes) {
      if (name !== 'hyperlink' || count >= maxLinks) return;
      const id = Object.entries(attributes).find(([key]) => /^\w+:id$/.test(key))?.[1];
      const target = targets.get(id ?? '');
      const [, first = '', from = '', last = first, to = from] =
        /^([A-Z]{1,3})(\d+)(?::([A-Z]{1,3})(\d+))?$/.exec(attributes['ref'] ?? '') ?? [];
      if (target === undefined || first === '') return;
      for (let row = Number(from); row <= Number(to); row += 1)
        for (let column = columnOf(first); column <= columnOf(last); column += 1) {
          count += 1;
          if (count > maxLinks) return;
          links.set(row, (links.get(row) ?? new Map()).set(column, target));
        }
    },
  });
  return links;
}

async function readTargets(archive: Archive, part: string): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>();
  const { dir, base } = posix.parse(part);
  const path = posix.join(dir, '_rels', `${base}.rels`);
  if (!archive.parts.has(path)) return targets;
  await readXml(archive, path, {
    open(name, { Id: id, Type: type = '', Target: target, TargetMode: mode }) {
      const isLink = name === 'Relationship' && mode === 'External' && /\/hyperlink$/.test(type);
      if (isLink && id !== undefined && target !== undefined)
        targets.set(id, target.replace(/^mailto:/i, ''));
    },
  });
  return targets;
}

/** Returns the address of a formula such as `HYPERLINK("https://example.com","Website")`. */
export function linkOfFormula(formula: string): string | undefined {
  const [, address] = /^\s*=?\s*HYPERLINK\(\s*"((?:[^"]|"")*)"/i.exec(formula) ?? [];
  return address?.replaceAll('""', '"').replace(/^mailto:/i, '');
}
