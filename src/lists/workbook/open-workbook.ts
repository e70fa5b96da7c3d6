/* Opens a workbook: finds its parts, its sheets and its shared strings (ECMA-376). */
import type { FileHandle } from 'node:fs/promises';
import { posix } from 'node:path';
import { UsageError } from '../../runtime/carbon-error.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import { nearestNames } from '../../runtime/nearest.ts';
import { type Archive, openArchive, readXml } from './archive.ts';
import { readCellStyles } from './cell-styles.ts';
import { unescapeText } from './cells.ts';
import { damaged, foreignFormat, invalidWorkbook } from './foreign-format.ts';
import { readHyperlinks } from './hyperlinks.ts';
import { dataName, madeName } from './package-parts.ts';
import {
  readSheetRows,
  type SheetFindings,
  type SheetLayout,
  type SheetRow,
} from './sheet-rows.ts';

/** What to read of a sheet besides texts. */
export interface SheetOptions {
  /** Whether to read the links behind cells. */
  readonly withLinks?: boolean | undefined;
  /** Whether to read the cells as they are stored, to write them to another workbook. */
  readonly withStored?: boolean | undefined;
}

/** An open workbook with one chosen sheet. */
export interface Workbook {
  /** Name of the chosen sheet, as the workbook spells it. */
  readonly name: string;
  /** Whether carbon made the sheet; not if a list of the user has columns of carbon there. */
  readonly isMade: boolean;
  /** The other sheets in the order of their tabs, hidden ones too, without charts. */
  readonly others: readonly { readonly name: string; readonly isVisible: boolean }[];
  /** What the reading of the rows found; complete once all rows are read. */
  readonly findings: Readonly<SheetFindings>;
  /** How the columns look; complete once the first rows are read. */
  readonly layout: Readonly<SheetLayout>;
  /** Whether day 0 of its dates is 1904-01-01. */
  readonly is1904: boolean;
  /**
   * Reads the rows of the chosen sheet that have a value, in groups; can be called once. The shared
   * strings stay in memory, rows do not.
   *
   * @throws UsageError if the workbook is damaged
   */
  rows(options?: SheetOptions): AsyncGenerator<readonly SheetRow[], void, void>;
  /** Closes the file, unless the caller opened it. */
  close(): Promise<void>;
}

/**
 * Opens an .xlsx workbook and chooses a sheet, by default the one with the data of a workbook that
 * carbon wrote, otherwise the first visible one.
 *
 * @param source a path, or an open file, which stays open
 * @param file the name of the file in messages
 * @param wanted name of the sheet, in any case
 * @throws UsageError if the file is missing, of another format or damaged, and if the sheet does
 * not exist; LocalError if the file cannot be read
 */
export async function openWorkbook(
  source: string | FileHandle,
  file: string,
  wanted?: string,
): Promise<Workbook> {
  const archive = await openArchive(source, file);
  try {
    const manifest = await readManifest(archive);
    const { sheets, sharedStrings, styles, is1904 } = manifest;
    const sheet = chooseSheet(manifest, wanted, file);
    const cellStyles = await readCellStyles(archive, styles);
    const places = { firstMissing: [], firstMerged: [], firstHidden: [] };
    const findings = { missing: 0, mergedRanges: 0, hiddenRows: 0, ...places };
    const layout: SheetLayout = { columns: [] };
    return {
      name: sheet.name,
      isMade: sheet.isMade,
      others: sheets.filter((other) => other !== sheet),
      findings,
      layout,
      is1904,
      async *rows({ withLinks = false, withStored = false } = {}) {
        const strings = await readSharedStrings(archive, sharedStrings);
        const { part } = sheet;
        const hyperlinks = withLinks ? await readHyperlinks(archive, part) : undefined;
        const context = { strings, ...cellStyles, is1904, withStored };
        yield* readSheetRows({ archive, part, hyperlinks }, context, { findings, layout });
      },
      close: archive.close,
    };
  } catch (error) {
    await archive.close();
    throw error;
  }
}

/** A worksheet; Excel shows no tab for a hidden one. */
interface Sheet {
  readonly name: string;
  readonly isVisible: boolean;
  readonly isMade: boolean;
  readonly part: string;
}

function chooseSheet(
  { sheets, dataSheet }: Manifest,
  wanted: string | undefined,
  file: string,
): Sheet {
  if (wanted === undefined) {
    const sheet =
      sheets.find(({ name }) => name === dataSheet) ??
      sheets.find(({ isVisible }) => isVisible) ??
      sheets[0];
    if (sheet !== undefined) return sheet;
    throw invalidWorkbook(`${file} has no worksheet`, 'Save the workbook with a sheet of cells.');
  }
  const fold = (text: string) => text.normalize('NFC').trim().toLowerCase();
  const sheet =
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => fold(name) === fold(wanted));
  if (sheet !== undefined) return sheet;
  const names = sheets.map(({ name, isVisible }) => `"${name}"${isVisible ? '' : ' (hidden)'}`);
  const near = nearestNames(
    fold(wanted),
    sheets.map(({ name }) => fold(name)),
  );
  const numbered = /^\d{1,2}$/.test(wanted) ? sheets[Number(wanted) - 1] : undefined;
  const meant = numbered ?? sheets.find(({ name }) => near.length === 1 && fold(name) === near[0]);
  throw new UsageError(
    `${file} has no sheet "${wanted}"`,
    `${meant ? `Did you mean --sheet "${meant.name}"? ` : ''}Sheets: ${names.join(', ')}.`,
  );
}

interface Manifest {
  /** Worksheets in the order of their tabs, without charts. */
  readonly sheets: readonly Sheet[];
  /** The sheet with the data of a workbook that carbon wrote, whose first sheet is a summary. */
  readonly dataSheet: string | undefined;
  readonly sharedStrings: string | undefined;
  readonly styles: string | undefined;
  readonly is1904: boolean;
}

/* Excel allows a few hundred sheets in practice. */
const maxSheets = 10_000;

/* Reads which parts a workbook has. */
async function readManifest(archive: Archive): Promise<Manifest> {
  const root = archive.parts.has('_rels/.rels') ? await readRelationships(archive, '') : new Map();
  const workbook = partOf(root, 'officeDocument') ?? '';
  const tabs: Readonly<Record<string, string>>[] = [];
  /* Places of the sheets that carbon made. */
  const made = new Set<number>();
  let isDataName = false;
  let dataRange = '';
  let is1904 = false;
  let element: string | undefined;
  if (archive.parts.has(workbook) && !/\.bin$/i.test(workbook)) {
    await readXml(archive, workbook, {
      open(name, attributes) {
        element ??= name;
        if (name === 'workbookPr') is1904 = /^(?:1|true|on)$/.test(attributes['date1904'] ?? '');
        if (name === 'sheet' && tabs.push(attributes) > maxSheets)
          throw damaged(archive.name, `more than ${maxSheets} sheets`);
        isDataName = name === 'definedName' && attributes['name'] === dataName;
        if (name === 'definedName' && attributes['name'] === madeName)
          made.add(Number(attributes['localSheetId']));
      },
      close() {
        isDataName = false;
      },
      text(text) {
        if (isDataName) dataRange += text;
      },
    });
  }
  // Word documents and presentations are archives of the same form.
  if (element !== 'workbook') throw foreignFormat(archive.name);
  const relationships = await readRelationships(archive, workbook);
  const sheets = tabs.flatMap((attributes, place) => {
    const id = Object.entries(attributes).find(([key]) => /^\w+:id$/.test(key))?.[1] ?? '';
    const { type, part } = relationships.get(id) ?? {};
    if (type !== 'worksheet' || part === undefined) return [];
    const isVisible = !/^(?:hidden|veryHidden)$/.test(attributes['state'] ?? '');
    return [{ name: attributes['name'] ?? '', isVisible, isMade: made.has(place), part }];
  });
  const sharedStrings = partOf(relationships, 'sharedStrings');
  const [, quoted, plain] = /^(?:'((?:[^']|'')+)'|([^'!]+))!/.exec(dataRange) ?? [];
  const dataSheet = quoted?.replaceAll("''", "'") ?? plain;
  return { sheets, dataSheet, sharedStrings, styles: partOf(relationships, 'styles'), is1904 };
}

type Relationships = ReadonlyMap<string, { readonly type: string; readonly part: string }>;

function partOf(relationships: Relationships, wanted: string): string | undefined {
  return [...relationships.values()].find(({ type }) => type === wanted)?.part;
}

/* Reads the relationships of a part by their ids; types without their URL. */
async function readRelationships(archive: Archive, part: string): Promise<Relationships> {
  const relationships = new Map<string, { type: string; part: string }>();
  const { dir, base } = posix.parse(part);
  await readXml(archive, posix.join(dir, '_rels', `${base}.rels`), {
    open(name, { Id: id, Type: type = '', Target: target, TargetMode: mode }) {
      if (name !== 'Relationship' || id === undefined || target === undefined) return;
      if (mode === 'External') return;
      const path = target.startsWith('/') ? target : `/${dir}/${target}`;
      relationships.set(id, {
        type: type.replace(/^.*\//, ''),
        part: posix.normalize(path).slice(1),
      });
    },
  });
  return relationships;
}

/* Bounds the memory of a workbook; a string takes about 32 bytes more than its characters. */
const maxBytes = 512 * 2 ** 20;
const stringBytes = 32;

/* Reads the shared strings of a workbook without their phonetic guides. */
async function readSharedStrings(
  archive: Archive,
  part: string | undefined,
): Promise<readonly string[]> {
  const strings: string[] = [];
  if (part === undefined || !archive.parts.has(part)) return strings;
  let bytes = 0;
  let text = '';
  let isText = false;
  let isPhonetic = false;
  await readXml(archive, part, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') isPhonetic = true;
      else isText = name === 't' && !isPhonetic;
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'si') {
        strings.push(flattenString(unescapeText(text)));
        bytes += text.length + stringBytes;
        if (bytes > maxBytes)
          throw invalidWorkbook(
            `${archive.name} is too large: its texts take more than 512 MiB`,
            'Split the workbook, or save the sheet as CSV.',
          );
      }
    },
    text(content) {
      if (isText) text += content;
    },
  });
  return strings;
}
