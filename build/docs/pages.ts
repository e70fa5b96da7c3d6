/* Generates all documents that `npm run docs` and `npm pack` write. */
import { writeErrors } from './errors.ts';
import { writeJsonDocuments } from './json-documents.ts';
import { writeSchemas } from './json-schemas.ts';
import { writeReference } from './markdown.ts';
import { readProgram } from './program.ts';
import { writeRecord } from './record.ts';
import { writeManual } from './roff.ts';
import { writeSkill } from './skill.ts';

export { collectCountryWords, collectRegionNames } from './country-words.ts';

const documented = await readProgram();

/** Text of every page of docs/reference/ and man/, by path. */
export const pages: Readonly<Record<string, string>> = {
  ...writeReference(documented),
  'docs/reference/errors.md': writeErrors(),
  'docs/reference/json.md': writeJsonDocuments(documented),
  ...writeSchemas(),
  'docs/reference/record.md': writeRecord(),
  'docs/reference/SKILL.md': writeSkill(documented),
  ...writeManual(documented),
};
