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

/* Returns the shown fields in a schema. Of the lists, only that of years has any. */
function shownIn(schema: z.core.$ZodType, path: readonly string[]): ShownField[] {
  const shown = shows.get(schema);
  if (shown !== undefined) {
    const { description = '' } = z.globalRegistry.get(schema) ?? {};
    return [{ path, description, ...shown }];
  }
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return shownIn(def.innerType, path);
    case 'array':
      return path.join() === 'performances' ? shownIn(def.element, []) : [];
    case 'pipe': {
      const { object } = usuals.get(schema) ?? {};
      return object === undefined ? [] : shownIn(object, path);
    }
    case 'object':
      return Object.entries(def.shape).flatMap(([name, member]) =>
        shownIn(member, [...path, name]),
      );
    default:
      return [];
  }
}

/** The fields of a record (section 2.1), and those of a year (section 2.4). */
export const shownFields: readonly ShownField[] = shownIn(organizationSchema, []);
