import type { SummaryContent } from '../../src/lists/table/summary-sheet.ts';

/** Returns a page without its style sheet and its script. */
export const bodyOf = (page: string): string =>
  page.replace(/<style>.*?<\/style>/s, '').replace(/<script>.*?<\/script>/s, '');

/** Returns the names of the tags in the body of a page. */
export const tagsOf = (page: string): ReadonlySet<string | undefined> =>
  new Set([...bodyOf(page).matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag));

/** Returns the titles of the parts of a page. */
export const headingsOf = (page: string): (string | undefined)[] =>
  [...page.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, text]) => text);

/** A page without the marks that keep an option and its value on one line. */
export const withoutOptions = (page: string): string =>
  page.replaceAll(/<span class="option">(.*?)<\/span>|<\/?code[^>]*>/g, '$1');

/** Returns the answers on a page by their questions. */
export const answersOn = (page: string): ReadonlyMap<string, readonly string[]> => {
  const lists = withoutOptions(page).matchAll(/<dl class="answers(?: first)?">(.*?)<\/dl>/gs);
  const list = [...lists].map(([, answers]) => answers).join('');
  const answers = [...list.matchAll(/<dt[^>]*>([^<]*)<\/dt><dd[^>]*>(.*?)<\/dd>/gs)];
  return new Map(
    answers.map(([, question = '', answer = '']) => [
      question,
      [...answer.matchAll(/<(?:p|li)>([^<]*)/g)].map(([, text = '']) => text),
    ]),
  );
};

/** The lines of the answers on the first sheet of a workbook, after their questions. */
export const linesOf = ({ answers = [] }: SummaryContent): readonly string[] =>
  answers.map(({ label, text }) => (label === '' ? text : `${label}: ${text}`));
