/*
 * Checks the language of documents, string literals and comments. It reports the words that
 * `words.js` lists, and lines of comments or Markdown above 100 columns. `npm run check:language`
 * runs it; arguments limit it to paths that begin with them.
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
 * Returns the comments and string literals of a source text, with spaces for everything else.
 *
 * @param {string} source
 */
function proseOf(source) {
  const token =
    /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*(?=[\s,;.)\]])/g;
  let prose = '';
  let from = 0;
  const blank = (/** @type {string} */ text) => text.replace(/[^\n]/g, ' ');
  for (const { 0: text, index } of source.matchAll(token)) {
    const isRegex = /^\/[^*/]/.test(text);
    prose += blank(source.slice(from, index)) + (isRegex ? blank(text) : text);
    from = index + text.length;
  }
  return prose + blank(source.slice(from));
}

/**
 * Returns the problems of a file, each as one line.
 *
 * @param {string} file
 */
function findProblems(file) {
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
    const fullLine = lines[index] ?? '';
    const problems = [...line.matchAll(pattern)].map(([word]) => `"${word}"`);
    const isProse = isMarkdown
      ? !/^\||\]\(|^\[|https?:|<img/.test(fullLine)
      : /^\s*(\/?\*|\/\/)/.test(fullLine);
    if (isProse && fullLine.length > maxColumns)
      problems.push(`${fullLine.length} columns, at most ${maxColumns}`);
    return problems.map((problem) => `${file}:${index + 1}: ${problem}`);
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
const paths = process.argv.slice(2);
const problems = files
  .filter((file) => paths.length === 0 || paths.some((path) => file.startsWith(path)))
  .flatMap(findProblems);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stderr.write(`${files.length} files, ${problems.length} problems\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
