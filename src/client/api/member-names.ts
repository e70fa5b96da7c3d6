/*
 * The names of the fields of a record as data. The build replaces this module by its result, so
 * that no command loads zod for it.
 */
import { organizationSchema } from './schema.ts';

/** The fields of a record (section 2.1). */
export const memberNames: readonly string[] = Object.keys(organizationSchema.shape);
