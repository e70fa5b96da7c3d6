import { Archive } from './archive.ts';
import { ownApplication, propertiesPart } from './package-parts.ts';

/**
 * Checks whether carbon wrote a workbook and no other program has saved it since: other programs
 * replace its Application property. A file that is no workbook is not one of carbon.
 */
export async function isOwnWorkbook(path: string): Promise<boolean> {
  const archive = await Archive.open(path, path).catch(() => undefined);
  if (archive === undefined) return false;
  try {
    if (!archive.has(propertiesPart)) return false;
    let text = '';
    for await (const bytes of archive.bytes(propertiesPart)) text += bytes.toString();
    return text.includes(ownApplication);
  } catch {
    return false;
  } finally {
    await archive.close();
  }
}
