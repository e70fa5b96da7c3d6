import type { OrganizationId } from '../../api/ids.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import type { JournalColumns } from '../columns.ts';
import { Journals, OtherServiceError, type Registrant } from './journals.ts';
import { journalFile, journalFiles } from './paths.ts';

/** The input file whose journals to read. */
export interface JournalOptions {
  readonly path: string;
  /** Path of the journal, if the user names one. */
  readonly journal: string | undefined;
  /** The configured service; undefined accepts the service of the journals. */
  readonly current: Registrant | undefined;
}

/**
 * The ids that batches of a file recorded.
 *
 * Reading takes no lock and writes nothing, so a batch may be in progress: the last line may be
 * truncated, and its row counts as not registered.
 */
export class JournalIds {
  /** The service of the registrations, which is part of each row's key. */
  readonly service: string;
  /** Paths of the journals. */
  readonly paths: readonly string[];
  /** The recorded mappings, that of the unsharded journal first. */
  readonly mappings: readonly JournalColumns[];
  readonly #rows: Journals['rows'];

  private constructor(paths: readonly string[], state: Journals, unsharded: string) {
    this.paths = paths;
    this.service = state.current.service ?? '';
    this.mappings = state.mappings(unsharded);
    this.#rows = state.rows;
  }

  /**
   * Reads the journals of a file and of its shards; returns undefined if there is none.
   *
   * @throws UsageError for a journal of another service or profile, for a file that is not a
   * journal, and if the journal that the user names does not exist; LocalError for one that cannot
   * be read
   */
  static async read({ path, journal, current }: JournalOptions): Promise<JournalIds | undefined> {
    const unsharded = journalFile(path, journal);
    const files = journalFiles(unsharded, 'journals');
    const paths = files.map((file) => file.path);
    if (paths.length === 0 && journal !== undefined) {
      throw new UsageError(
        `--journal: ${journal}: no such file or directory`,
        'Name the journal of the `carbon batch` run that registered these rows.',
        'invalid_input',
      );
    }
    if (paths.length === 0) return undefined;
    const state = new Journals(current ?? { service: undefined, profile: undefined }, undefined);
    for (const each of paths) {
      await state.read(each).catch((error: unknown) => {
        throw error instanceof OtherServiceError ? otherService(error) : error;
      });
    }
    if (state.current.service === undefined) return undefined;
    return new JournalIds(paths, state, unsharded);
  }

  /** Returns the id of the row with this key; undefined if no batch registered it. */
  find(key: string): OrganizationId | undefined {
    return this.#rows.get(key)?.id;
  }

  /** Checks whether the service refused the row with this key. */
  isRefused(key: string): boolean {
    return this.#rows.get(key)?.refusal !== undefined;
  }
}

function otherService({ message, header }: OtherServiceError): UsageError {
  const { service, profile } = header;
  const select =
    service === 'sandbox'
      ? '--sandbox'
      : profile === 'env'
        ? 'CARBON_BASE_URL and CARBON_API_KEY'
        : `--profile ${profile}`;
  const hint = `Use ${select} to select the service that registered the rows, or --journal to name another journal.`;
  return new UsageError(message, hint, 'invalid_input');
}
