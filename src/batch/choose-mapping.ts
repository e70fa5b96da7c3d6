/*
 * The mapping of one run. A row is known by its mapped cells, so another mapping makes other rows of the same file: where a
 * journal has registrations, its mapping stays in force until the user chooses another.
 */
import { UsageError } from '../errors.ts';
import type { Layout } from './layout.ts';
import { fields, mapOption, mapPair, readMap } from './map-option.ts';
import { isNameHeader, type Mapping, mapColumns, type RecordedMapping } from './mapping.ts';
import { headerBelowTitle } from './preamble.ts';
import type { Field } from './synonyms.ts';

/** A field whose column is another one in the journal than without it, or than `--map` says. */
export interface MappingChange {
  readonly field: Field;
  /** Header in the journal, undefined where the field has no column there. */
  readonly journal: string | undefined;
  /** Header without the journal (kept) or by `--map` (replaced). */
  readonly now: string | undefined;
  /** The `--map` option that chooses `now`. */
  readonly map: string;
}

/** The mapping of a run, and where it is not that of a first run. */
export interface ChosenMapping {
  readonly mapping: Mapping;
  /** Fields that stay as the journal has them. */
  readonly kept: readonly MappingChange[];
  /** Fields that `--map` gives another column than the journal has. */
  readonly replaced: readonly MappingChange[];
  /** Further `--map` options with which a file of the same header has this mapping without the journal. */
  readonly options: readonly string[];
}

/**
 * Chooses the mapping.
 * @param options `--map` as given
 * @param recorded the mapping of a journal with registrations
 * @throws UsageError when the columns are not plain
 */
export function chooseMapping(
  layout: Pick<Layout, 'header' | 'sample' | 'below'>,
  options: readonly string[] = [],
  recorded: RecordedMapping = {},
): ChosenMapping {
  const { header, sample, below } = layout;
  const map = readMap(options);
  const cells = sample.map((row) => row.cells);
  const mapping = advise(() => mapColumns(header, map, cells, recorded), map.size > 0 ? undefined : layout);
  const under = map.has('name') || recorded.name !== undefined ? undefined : headerBelowTitle(header, below);
  if (under !== undefined) throw titled(under.line);
  if (Object.keys(recorded).length === 0) {
    return { mapping, kept: [], replaced: [], options: [] };
  }
  const change = (field: Field, journal: string | undefined, { columns }: Mapping): MappingChange[] => {
    const now = columns.find((column) => column.field === field);
    if (now?.column.slice(0, 200) === journal) return [];
    const option = now === undefined ? `--map ${field}=` : mapOption(field, header, now.index);
    return [{ field, journal, now: now?.column, map: option }];
  };
  const used = new Map(mapping.columns.map(({ field, column }) => [field, column.slice(0, 200)]));
  const first = withoutJournal(header, map, cells);
  const free = fields.filter((field) => !map.has(field));
  const kept = first === undefined ? [] : free.flatMap((field) => change(field, used.get(field), first));
  const unknown =
    first === undefined ? free.filter((field) => used.has(field)) : kept.map(({ field }) => field);
  return {
    mapping,
    kept,
    replaced: [...map.keys()].flatMap((field) => change(field, recorded[field], mapping)),
    options: unknown.map((field) => {
      const column = mapping.columns.find((mapped) => mapped.field === field);
      return column === undefined ? `${field}=` : mapPair(field, header, column.index);
    }),
  };
}

function advise(choose: () => Mapping, layout: Pick<Layout, 'sample' | 'below'> | undefined): Mapping {
  try {
    return choose();
  } catch (error) {
    const below = layout?.below ?? layout?.sample.slice(0, 20).find(isHeader);
    if (!(error instanceof UsageError) || below === undefined) throw error;
    const hint = `The header seems to be on line ${below.line}: --skip-lines ${below.line - 1}`;
    throw new UsageError(error.message, hint, 'invalid_input');
  }
}

function isHeader({ cells }: { readonly cells: readonly string[] }): boolean {
  return cells.length > 1 && cells.some(isNameHeader);
}

function titled(line: number): UsageError {
  return new UsageError(
    `The first line seems to be a title, and line ${line} the header`,
    `--skip-lines ${line - 1} reads it so; if the first line is the header, name its column: --map name=<column>`,
    'invalid_input',
  );
}

/* Undefined where only the journal knows which column is the name. */
function withoutJournal(...args: Parameters<typeof mapColumns>): Mapping | undefined {
  try {
    return mapColumns(...args);
  } catch {
    return undefined;
  }
}
