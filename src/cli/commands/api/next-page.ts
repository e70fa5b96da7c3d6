/* Finds the next page of a list in the Link headers of a response (RFC 8288). */
import type { HttpResponse } from '../../../api/request.ts';

/**
 * Returns the target of the first link with the relation `next`; undefined if there is none.
 *
 * The target may be relative to the address of the request. A link with an anchor concerns another
 * resource (RFC 8288, section 3.2), so it does not count.
 */
export function findNextPage({ headers }: Pick<HttpResponse, 'headers'>): string | undefined {
  const { link } = headers;
  const text = Array.isArray(link) ? link.join(', ') : (link ?? '');
  return readLinks(text).find(({ relations }) => relations.includes('next'))?.target;
}

interface Link {
  readonly target: string;
  readonly relations: readonly string[];
}

/*
 * Reads the links of section 3 of RFC 8288. Stops at the first character that is not in its form.
 */
function readLinks(text: string): Link[] {
  const links: Link[] = [];
  let offset = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = offset;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    offset = pattern.lastIndex;
    return match;
  };
  for (;;) {
    take(/[\s,]*/y);
    const [, target] = take(/<([^>]*)>/y) ?? [];
    if (target === undefined) return links;
    let relations: readonly string[] | undefined;
    let hasAnchor = false;
    for (;;) {
      const parameter = take(
        /\s*;\s*(?:([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?)?/y,
      );
      if (parameter === undefined) break;
      const [, name = '', quoted, token] = parameter;
      const value = quoted?.replace(/\\(.)/g, '$1') ?? token ?? '';
      if (name.toLowerCase() === 'anchor') hasAnchor = true;
      // Only the first rel counts (section 3.3).
      if (name.toLowerCase() === 'rel') relations ??= value.toLowerCase().trim().split(/\s+/);
    }
    links.push({ target, relations: hasAnchor ? [] : (relations ?? []) });
    if (!take(/\s*(?=,|$)/y)) return links;
  }
}
