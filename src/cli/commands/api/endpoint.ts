/*
 * Checks the path of a request. The API key goes only to the origin of the base URL, and only to
 * paths below it, whatever the command line or the service names.
 */
import { UsageError } from '../../../runtime/carbon-error.ts';

/**
 * Returns the path and query below the base URL, with a leading slash.
 * @param text path relative to the base URL, with or without a slash, or a URL below the base URL
 * @param baseUrl address of the service, without final slashes
 * @throws UsageError that quotes no more of another URL than its origin
 */
export function readEndpoint(text: string, baseUrl: string): string {
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  const isAbsolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  checkText(text, isAbsolute);
  const address = isAbsolute ? text : `${baseUrl}/${text.replace(/^\//, '')}`;
  if (!URL.canParse(address)) throw invalid('it is not a URL');
  const url = new URL(address);
  if (url.username !== '' || url.password !== '')
    throw invalid('a URL with a user name or a password is not permitted');
  const isBelow = url.pathname === basePath || url.pathname.startsWith(`${basePath}/`);
  if (url.origin !== base.origin || !isBelow) {
    const where = url.origin === base.origin ? 'not below' : `at ${url.origin}, not below`;
    throw invalid(
      `it is ${where} the base URL ${baseUrl}`,
      'Use a path such as organizations/12. carbon sends the API key only to paths below the base URL.',
    );
  }
  return `${url.pathname.slice(basePath.length) || '/'}${url.search}`;
}

function checkText(text: string, isAbsolute: boolean): void {
  if (text === '') throw invalid('it is empty');
  if (/^[a-z]:[\\/]/i.test(text)) {
    throw invalid(
      `"${text}" is a path of Windows`,
      'A shell such as Git Bash changes paths with a leading slash. Leave the slash out.',
    );
  }
  if (!isAbsolute && text.startsWith('//')) throw invalid('it begins with two slashes');
  if (/[\p{Cc}\p{Cs}\s\\]/u.test(text)) {
    throw invalid(
      'it contains a space, a control character or a backslash',
      'Write %20 for a space, or give query parameters with -f: carbon api GET search -f "q=Acme AG".',
    );
  }
  if (text.includes('#')) throw invalid('it has a fragment', 'Write %23 for a #.');
  const [path = ''] = text.split('?');
  // Some servers decode slashes, or ignore the parameters of a segment, before they resolve `..`.
  if (path.split(/\/|%2f|%5c/i).some((segment) => /^(\.|%2e){1,2}(;|%3b|$)/i.test(segment)))
    throw invalid('it has a segment . or ..', 'Write the path without these segments.');
}

function invalid(problem: string, hint?: string): UsageError {
  return new UsageError(`Invalid path: ${problem}`, hint, 'invalid_input');
}
