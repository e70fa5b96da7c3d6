import * as z from 'zod/mini';

const status = z.int().check(z.describe('HTTP status of the response'));
const detail = z.string();

/** The forms of an error body (section 2.10): most have a title, the two 404 are special. */
export const errorSchemas = {
  Error: z.looseObject({ status, title: z.string(), detail }),
  NoMatch: z.looseObject({ status, detail }),
  NotRegistered: z.looseObject({ status, title: z.string(), detail, id: z.string() }),
};
