import { HintedError, UsageError } from '../../../runtime/carbon-error.ts';
import { readEndpoint } from '../api-input.ts';

/** Maximum number of pages of one list. */
const maxPages = 10_000;

const hint = 'Request the remaining pages one by one, or report the links to the service.';

/** Follows the pages of a list and refuses loops, endless lists and other services. */
export class PageTracker {
  readonly #baseUrl: string;
  readonly #visited = new Set<string>();

  /** @param baseUrl address of the service, without final slashes */
  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Records the request of a page. */
  visit(path: string): void {
    this.#visited.add(path);
  }

  /**
   * Returns the path of the next page below the base URL.
   * @param link target of the link, which may be relative
   * @param path path of the page with the link
   * @throws HintedError for a page that was requested before, a page of another service and
   * too many pages
   */
  resolve(link: string, path: string): string {
    const page = this.#visited.size;
    const fail = (problem: string) =>
      new HintedError('unreadable_answer', `carbon stopped after page ${page}: ${problem}`, {
        hint,
      });
    const current = `${this.#baseUrl}${path}`;
    if (!URL.canParse(link, current)) throw fail('the link to the next page is not a URL');
    const next = this.#read(new URL(link, current), fail);
    if (this.#visited.has(next)) throw fail(`the next page, ${next}, was requested before`);
    if (page === maxPages) throw fail('the list has too many pages');
    return next;
  }

  #read(url: URL, fail: (problem: string) => HintedError): string {
    if (!/^https?:$/.test(url.protocol)) throw fail('the link to the next page is not for http');
    url.hash = '';
    try {
      return readEndpoint(url.href, this.#baseUrl);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw fail(error.message.replace(/^Invalid path: it/, 'the next page'));
    }
  }
}
