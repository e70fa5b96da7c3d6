import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path of the repository. */
export const root = join(import.meta.dirname, '../..');

/** Reads a file of the repository. */
export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Paths of the handwritten user documents: README.md and docs/*.md. */
export const documents: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Returns the code blocks of a language, in all documents or in one. */
export function codeBlocks(language: string, paths: readonly string[] = documents): string[] {
  const block = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms');
  return paths.flatMap((path) => [...readText(path).matchAll(block)].map(([, text = '']) => text));
}

/** Returns the files that a document shows, by name: blocks such as "```csv suppliers.csv". */
export function shownFiles(path: string): ReadonlyMap<string, string> {
  const block = /^```csv (\S+)\n(.*?)^```/gms;
  return new Map(
    [...readText(path).matchAll(block)].map(([, name = '', text = '']) => [name, text] as const),
  );
}
