/* The headers of a sheet, which are words for people; CSV and JSON have names for programs. */
import { headingOf } from '../../display/query/kinds.ts';
import type { Column } from '../../display/query/query.ts';
import { capital } from '../../display/terminal/text.ts';

type Named = Pick<Column<never>, 'name' | 'title' | 'heading' | 'kind'>;

/* Words that are no English ones. */
const spelled: Readonly<Record<string, string>> = {
  cdp: 'CDP',
  hq: 'HQ',
  id: 'ID',
  sbti: 'SBTi',
  un: 'UN',
  url: 'URL',
};

/**
 * Returns the headers of columns, each of them once: the heading of a column, its title, or the
 * words of its name.
 * @param unit of the emissions
 */
export function headersOf(
  columns: readonly Named[],
  unit: string | null = null,
): readonly string[] {
  const headers = columns.map(({ name, title, heading }) => wordsOf(heading ?? title ?? name));
  const isOnce = (header: string) => headers.indexOf(header) === headers.lastIndexOf(header);
  return columns.map(({ name, kind }, index) => {
    const header = headers[index] ?? name;
    return headingOf(isOnce(header) ? header : wordsOf(name), kind, unit);
  });
}

function wordsOf(name: string): string {
  const words = name.split('_').map((word) => spelled[word] ?? word);
  return capital(words.join(' '));
}
