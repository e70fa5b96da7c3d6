/*
 * Finds the parts of a workbook: relationships lead from the package to the workbook, and from the
 * workbook to its sheets, shared strings and styles (ECMA-376 part 2, 9.3).
 */
import { posix } from 'node:path';
import type { Archive } from './archive.ts';
import { damaged, foreignFormat } from './foreign-format.ts';
import { readXml } from './xml.ts';

/** A worksheet of a workbook. */
export interface Sheet {
  readonly name: string;
  /** Whether Excel shows a tab for the sheet. */
  readonly isVisible: boolean;
  /** Name of the part with the cells. */
  readonly part: string;
}

/** The parts of a workbook. */
export interface Manifest {
  /** Worksheets in the order of their tabs, without charts. */
  readonly sheets: readonly Sheet[];
  readonly sharedStrings: string | undefined;
  readonly styles: string | undefined;
  /** Whether day 0 of the workbook's dates is 1904-01-01. */
  readonly is1904: boolean;
}

type Relationships = ReadonlyMap<string, { readonly type: string; readonly part: string }>;

/* Excel permits a few hundred sheets in practice. */
const maxSheets = 10_000;

/**
 * Reads which parts a workbook has.
 *
 * @throws UsageError if the archive is not an .xlsx workbook
 */
export async function readManifest(archive: Archive): Promise<Manifest> {
  const root = archive.parts.has('_rels/.rels') ? await readRelationships(archive, '') : new Map();
  const workbook = partOf(root, 'officeDocument') ?? '';
  const tabs: Readonly<Record<string, string>>[] = [];
  let is1904 = false;
  let element: string | undefined;
  if (archive.parts.has(workbook) && !/\.bin$/i.test(workbook)) {
    await readXml(archive, workbook, {
      open(name, attributes) {
        element ??= name;
        if (name === 'workbookPr') is1904 = /^(?:1|true|on)$/.test(attributes['date1904'] ?? '');
        if (name !== 'sheet') return;
        if (tabs.length === maxSheets) throw damaged(archive.name, `more than ${maxSheets} sheets`);
        tabs.push(attributes);
      },
    });
  }
  // Word documents and presentations are archives of the same form.
  if (element !== 'workbook') throw foreignFormat(archive.name);
  const relationships = await readRelationships(archive, workbook);
  const sheets = tabs.flatMap((attributes) => {
    const id = Object.entries(attributes).find(([key]) => /^\w+:id$/.test(key))?.[1] ?? '';
    const { type, part } = relationships.get(id) ?? {};
    if (type !== 'worksheet' || part === undefined) return [];
    const isVisible = !/^(?:hidden|veryHidden)$/.test(attributes['state'] ?? '');
    return [{ name: attributes['name'] ?? '', isVisible, part }];
  });
  const sharedStrings = partOf(relationships, 'sharedStrings');
  return { sheets, sharedStrings, styles: partOf(relationships, 'styles'), is1904 };
}

function partOf(relationships: Relationships, wanted: string): string | undefined {
  return [...relationships.values()].find(({ type }) => type === wanted)?.part;
}

/* Reads the relationships of a part by their ids; types without their URL. */
async function readRelationships(archive: Archive, part: string): Promise<Relationships> {
  const relationships = new Map<string, { type: string; part: string }>();
  const { dir, base } = posix.parse(part);
  await readXml(archive, posix.join(dir, '_rels', `${base}.rels`), {
    open(name, { Id: id, Type: type, Target: target, TargetMode: mode }) {
      if (name !== 'Relationship' || id === undefined || target === undefined) return;
      if (mode === 'External') return;
      const path = target.startsWith('/') ? target : `/${dir}/${target}`;
      relationships.set(id, {
        type: (type ?? '').replace(/^.*\//, ''),
        part: posix.normalize(path).slice(1),
      });
    },
  });
  return relationships;
}
