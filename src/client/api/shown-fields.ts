/*
 * The fields that `carbon get` shows as the schema declares them, as data. The build replaces this
 * module by its result, so that no command loads zod for it.
 */
import * as z from 'zod/mini';
import { organizationSchema, type Shown, shows, usuals } from './schema.ts';

export interface ShownField extends Shown {
  /** The members that lead to it, from the record, or from a year of performances. */
  readonly path: readonly string[];
  readonly description: string;
}

/** Whose members a field is one of. */
type Place = 'record' | 'year' | 'list';

/*
 * Returns the shown fields in a schema. Of the lists, only that of years can have any: `get` and
 * CSV have a line or a column for a field, not for each item.
 */
function shownIn(schema: z.core.$ZodType, path: readonly string[], place: Place): ShownField[] {
  const shown = shows.get(schema);
  if (shown !== undefined) {
    checkPlace(shown, path, place);
    const { description = '' } = z.globalRegistry.get(schema) ?? {};
    return [{ path, description, ...shown }];
  }
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return shownIn(def.innerType, path, place);
    case 'array':
      return path.join() === 'performances'
        ? shownIn(def.element, [], 'year')
        : shownIn(def.element, path, 'list');
    case 'union':
      return def.options.flatMap((option) => shownIn(option, path, place));
    case 'pipe': {
      const { object } = usuals.get(schema) ?? {};
      return object === undefined ? [] : shownIn(object, path, place);
    }
    case 'object':
      return Object.entries(def.shape).flatMap(([name, member]) =>
        shownIn(member, [...path, name], place),
      );
    default:
      return [];
  }
}

function checkPlace({ section }: Shown, path: readonly string[], place: Place): void {
  const refuse = (why: string) => {
    throw new TypeError(`shown() in schema.ts has no effect on ${path.join('.')}: ${why}`);
  };
  if (place === 'list')
    refuse('it is in a list. Give it words in organization.ts and columns.ts, or use detail()');
  if (section === 'years' && place !== 'year') refuse('it is in no year. Choose another section');
  if (place === 'year' && section !== 'years' && section !== undefined)
    refuse("it is in a year. Use the section 'years'");
}

/**
 * Returns the shown fields in the schema of a record.
 * @throws TypeError for a field that `shown` has no effect on
 */
export function findShown(schema: z.core.$ZodType): ShownField[] {
  return shownIn(schema, [], 'record');
}

/** The fields of a record (section 2.1), and those of a year (section 2.4). */
export const shownFields: readonly ShownField[] = findShown(organizationSchema);
