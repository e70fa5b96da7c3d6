/*
 * Finds the parts of a workbook: relationships lead from the package to the workbook, and from the
 * workbook to its sheets, shared strings and styles (ECMA-376 part 2, 9.3).
 */
import { posix } from 'node:path';
import type { Archive } from './archive.ts';
import { damaged, foreignArchive } from './foreign-format.ts';
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

interface Relationship {
  readonly type: string;
  readonly part: string;
}

/* Excel permits a few hundred sheets in practice. */
const maxSheets = 10_000;

/**
 * Reads which parts a workbook has.
 *
 * @throws UsageError if the archive is not an .xlsx workbook
 */
export async function readManifest(archive: Archive): Promise<Manifest> {
  const workbook = archive.has('_rels/.rels')
    ? [...(await readRelationships(archive, '')).values()].find(
        ({ type }) => type === 'officeDocument',
      )?.part
    : undefined;
  if (workbook === undefined || !archive.has(workbook) || !(await isWorkbook(archive, workbook))) {
    throw foreignArchive(archive.name, archive.parts, await mimetype(archive));
  }
  const relationships = await readRelationships(archive, workbook);
  const partOf = (type: string) =>
    [...relationships.values()].find((relationship) => relationship.type === type)?.part;
  const sheets: Sheet[] = [];
  let is1904 = false;
  await readXml(archive, workbook, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = isTrue(attributes['date1904']);
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => /^\w+:id$/.test(key))?.[1] ?? '';
      const { type, part } = relationships.get(id) ?? {};
      if (type !== 'worksheet' || part === undefined) return;
      if (sheets.length === maxSheets) throw damaged(archive.name, `more than ${maxSheets} sheets`);
      const isVisible = !/^(?:hidden|veryHidden)$/.test(attributes['state'] ?? '');
      sheets.push({ name: attributes['name'] ?? '', isVisible, part });
    },
    close() {},
    text() {},
  });
  return { sheets, sharedStrings: partOf('sharedStrings'), styles: partOf('styles'), is1904 };
}

/* Checks the root element; Word documents and presentations are archives of the same form. */
async function isWorkbook(archive: Archive, part: string): Promise<boolean> {
  if (/\.bin$/i.test(part)) return false;
  let root: string | undefined;
  await readXml(archive, part, {
    open(name) {
      root ??= name;
    },
    close() {},
    text() {},
  });
  return root === 'workbook';
}

/* Reads the relationships of a part by their ids; types without their URL. */
async function readRelationships(
  archive: Archive,
  part: string,
): Promise<ReadonlyMap<string, Relationship>> {
  const relationships = new Map<string, Relationship>();
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
    close() {},
    text() {},
  });
  return relationships;
}

async function mimetype(archive: Archive): Promise<string> {
  if (!archive.has('mimetype')) return '';
  let text = '';
  for await (const bytes of archive.bytes('mimetype')) {
    text += bytes.toString('latin1');
    if (text.length > 200) break;
  }
  return text;
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}
