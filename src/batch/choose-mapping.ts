/*
 * Chooses the mapping of a run. The mapped cells identify a row, so a different mapping would send
 * every row again. Once a journal of the file has a settled row, the mapping that it recorded last
 * applies until the user chooses another one.
 */

import { type Field, foldHeader, isNameHeader, placeWords } from '../registration/header-words.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import type { CsvDialect } from '../table/dialect.ts';
import { type HeaderBelow, headerBelowTitle } from '../table/header-below.ts';
import { fields, mapOption, mapPair, readMap } from '../table/map-option.ts';
import { type Mapping, mapColumns } from './columns.ts';
import { hasShortWords } from './country-column.ts';
import { AmbiguousNameError } from './guess-column.ts';
import {
  checkAgreement,
  type LostColumn,
  lostColumns,
  type RecordedMapping,
  recordedColumn,
  recordedHeader,
} from './recorded-mapping.ts';

/** A field for which the journal and this run disagree about the column. */
export interface MappingChange {
  readonly field: Field;
  /** Header in the journal; undefined where the field has no column there. */
  readonly journal: string | undefined;
  /**
   * The other header: the guess without the journal (`kept`), the one that `--map` names
   * (`replaced`), or the new header of a renamed column (`moved`).
   */
  readonly now: string | undefined;
  /** The `--map` option that selects `now`. */
  readonly map: string;
}

/** The mapping that a journal recorded last. */
export interface JournalMapping {
  readonly path: string;
  readonly columns: RecordedMapping;
}

/** The mapping of a run, and how the journals changed it. */
export interface ChosenMapping {
  readonly mapping: Mapping;
  /** Path of the journal whose columns apply; undefined if no journal records columns. */
  readonly journal: string | undefined;
  /** Fields that keep the column of the journal, although a first run would use another one. */
  readonly kept: readonly MappingChange[];
  /** Fields that `--map` reads from a different column than the journal. */
  readonly replaced: readonly MappingChange[];
  /** Fields whose recorded column is missing, with the column that seems to replace it. */
  readonly moved: readonly MappingChange[];
  /** Fields that the journal maps and that no column of this file provides. */
  readonly lost: readonly LostColumn[];
  /**
   * The `--map` options that a file with the same header needs to get this mapping without the
   * journal.
   */
  readonly options: readonly string[];
}

/**
 * Chooses the mapping of a run from `--map`, the journals of the file and its header.
 *
 * @param options the values of `--map`
 * @param journals the recorded mappings of the file's journals, that of this run first
 * @throws UsageError if the columns are ambiguous or the journals disagree about them
 */
export function chooseMapping(
  dialect: Pick<CsvDialect, 'header' | 'sample' | 'below'>,
  options: readonly string[] = [],
  journals: readonly JournalMapping[] = [],
): ChosenMapping {
  const { header, sample, below } = dialect;
  const map = readMap(options);
  const cells = sample.map((row) => row.cells);
  const [own, ...others] = journals;
  const recorded = own?.columns ?? {};
  const mapped = withHeaderHint(
    () => mapColumns(header, map, cells, recorded),
    map.size > 0 ? undefined : dialect,
  );
  const mapping = { ...mapped, hasPlaces: !map.has('hq_region') && hasPlaces(mapped, cells) };
  if (!map.has('name') && recorded.name === undefined) rejectTitle(header, below);
  if (own === undefined) {
    const none = { kept: [], replaced: [], moved: [], lost: [], options: [] };
    return { mapping, journal: undefined, ...none };
  }
  const otherMappings = others.flatMap(({ path, columns }) => {
    const other = mapOrNone(header, map, cells, columns);
    return other === undefined ? [] : [{ path, mapping: other }];
  });
  checkAgreement(header, { path: own.path, mapping }, otherMappings);
  const withoutJournal = mapOrNone(header, map, cells);
  const changes = compareMappings(header, map, recorded, mapping, withoutJournal);
  return { mapping, journal: own.path, ...changes };
}

/* Compares the mapping of this run with the recorded one and with the one of a first run. */
function compareMappings(
  header: readonly string[],
  map: ReadonlyMap<Field, string>,
  recorded: RecordedMapping,
  mapping: Mapping,
  withoutJournal: Mapping | undefined,
): Omit<ChosenMapping, 'mapping' | 'journal'> {
  const change = (
    field: Field,
    journal: string | undefined,
    { columns }: Mapping,
  ): MappingChange[] => {
    const now = columns.find((column) => column.field === field);
    const current = now === undefined ? undefined : recordedHeader(now.column);
    if (current === journal) return [];
    const option = now === undefined ? `--map ${field}=` : mapOption(field, header, now.index);
    return [{ field, journal, now: now?.column, map: option }];
  };
  const used = new Map(mapping.columns.map(({ field, column }) => [field, recordedHeader(column)]));
  const unset = fields.filter((field) => !map.has(field));
  const isRenamed = (field: Field) =>
    used.has(field) && recorded[field] !== undefined && recordedColumn(header, recorded[field]) < 0;
  const kept =
    withoutJournal === undefined
      ? []
      : unset.flatMap((field) => change(field, used.get(field), withoutJournal));
  const fromJournal =
    withoutJournal === undefined
      ? unset.filter((field) => used.has(field))
      : kept.map(({ field }) => field);
  return {
    kept,
    replaced: [...map.keys()].flatMap((field) => change(field, recorded[field], mapping)),
    moved: unset.filter(isRenamed).flatMap((field) => change(field, recorded[field], mapping)),
    lost: lostColumns(header, map, recorded, mapping),
    options: fromJournal.map((field) => {
      const column = mapping.columns.find((mapped) => mapped.field === field);
      return column === undefined ? `${field}=` : mapPair(field, header, column.index);
    }),
  };
}

/*
 * Checks whether the values, not the header, made a column such as `Region` the country column. If
 * most of its values are short codes, the user chose the column, now or in an earlier run.
 */
function hasPlaces({ columns }: Mapping, sample: readonly (readonly string[])[]): boolean {
  const country = columns.find(({ field }) => field === 'hq_region');
  if (country === undefined || !placeWords.has(foldHeader(country.column))) return false;
  return !hasShortWords(sample.map((row) => row[country.index] ?? ''));
}

/* Adds a hint to an error if a lower row looks like the header. */
function withHeaderHint(
  choose: () => Mapping,
  dialect: Pick<CsvDialect, 'sample' | 'below'> | undefined,
): Mapping {
  try {
    return choose();
  } catch (error) {
    if (!(error instanceof UsageError) || error instanceof AmbiguousNameError) throw error;
    const headers = dialect?.sample.slice(0, 20).filter(isHeader) ?? [];
    // Rows with a word of a header are data if there are several, such as `Firma` for companies.
    const below = dialect?.below ?? (headers.length === 1 ? headers[0] : undefined);
    if (below === undefined) throw error;
    const hint = `The header seems to be on line ${below.line}: --skip-lines ${below.line - 1}`;
    throw new UsageError(error.message, hint, 'invalid_input');
  }
}

function isHeader({ cells }: { readonly cells: readonly string[] }): boolean {
  return cells.length > 1 && cells.some(isNameHeader);
}

function rejectTitle(header: readonly string[], below: HeaderBelow | undefined): void {
  const line = headerBelowTitle(header, below)?.line;
  if (line === undefined) return;
  throw new UsageError(
    `The first line seems to be a title, and line ${line} seems to be the header`,
    `Use --skip-lines ${line - 1}. If the first line is the header, use --map name=<column>.`,
    'invalid_input',
  );
}

/* Returns undefined if the name column is unknown, as when only another journal recorded it. */
function mapOrNone(...args: Parameters<typeof mapColumns>): Mapping | undefined {
  try {
    return mapColumns(...args);
  } catch {
    return undefined;
  }
}
