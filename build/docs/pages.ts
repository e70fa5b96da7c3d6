/* All generated documents. */
import { writeReference } from './markdown.ts';
import { readProgram } from './program.ts';
import { writeManual } from './roff.ts';

/** Every page of docs/reference/ and man/: text by path. */
export const pages = await generatePages();

async function generatePages(): Promise<Record<string, string>> {
  const documented = await readProgram();
  return { ...writeReference(documented), ...writeManual(documented) };
}
