/*
 * Checks the English of documents, string literals and comments: no word of `words.js`, and no
 * comment or Markdown line above 100 columns. `npm run check:language` runs it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { words } from './words.js';

const root = join(import.meta.dirname, '../..');
const maxColumns = 100;
const pattern = new RegExp(
  `(?<![\\w-])(?:${words.map((word) => word.pattern).join('|')})(?![\\w-])`,
  'gi',
);

/**
 * Returns the comments and string literals of a source text, everything else replaced by spaces.
 *
 * @param {string} source
 */
function proseOf(source) {
  const token =
    /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*(?=[\s,;.)\]])/g;
  let prose = '';
  let from = 0;
  const blank = (/** @type {string} */ text) => text.replace(/[^\n]/g, ' ');
  for (const found of source.matchAll(token)) {
    const isRegex = /^\/[^*/]/.test(found[0]);
    prose += blank(source.slice(from, found.index)) + (isRegex ? blank(found[0]) : found[0]);
    from = found.index + found[0].length;
  }
  return prose + blank(source.slice(from));
}

/** @param {string} file */
function problemsOf(file) {
  const isMarkdown = file.endsWith('.md');
  const source = readFileSync(join(root, file), 'utf8');
  const prose = isMarkdown
    ? source.replace(/(?<!`)`[^`\n]+`(?!`)/g, (code) => ' '.repeat(code.length))
    : proseOf(source);
  const lines = source.split('\n');
  let isCode = false;
  return prose.split('\n').flatMap((line, index) => {
    if (isMarkdown && line.startsWith('```')) isCode = !isCode;
    if (isMarkdown && isCode) return [];
    const whole = lines[index] ?? '';
    const found = [...line.matchAll(pattern)].map(([word]) => `"${word}"`);
    const isProse = isMarkdown
      ? !/^\||\]\(|^\[|https?:|<img/.test(whole)
      : /^\s*(\/?\*|\/\/)/.test(whole);
    if (isProse && whole.length > maxColumns) found.push(`${whole.length} columns`);
    return found.map((what) => `${file}:${index + 1}: ${what}`);
  });
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (file) =>
      /\.(md|ts|js|cjs|mjs)$/.test(file) &&
      !/^test\/language\/|^docs\/dev\/style\.md$|^docs\/reference\//.test(file),
  );
const only = process.argv.slice(2);
const problems = files
  .filter((file) => only.length === 0 || only.some((path) => file.startsWith(path)))
  .flatMap(problemsOf);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stderr.write(`${files.length} files, ${problems.length} problems\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
