/* Tables of the reference that no part of the program has as data. */

/** Responses of the service, the error code that `--json` prints, and the exit code. */
export const responses: readonly (readonly [response: string, code: string, exit: string])[] = [
  [
    '2xx with a JSON object that has a value for at least one organization field other than `status`',
    'a record',
    '0',
  ],
  ['400, 422 with `status`, `title` and `detail`', '`rejected`', '3'],
  ['401; 403 with `status`, `title` and `detail`', '`unauthorized`', '4'],
  ['402', '`payment_required`', '4'],
  [
    '404 of a retrieval with `status`, `title`, `detail` and the requested `id`; 404 of a registration with `status` and `detail`, without `title`',
    '`not_found`',
    '5',
  ],
  ['429', '`rate_limited`', '6'],
  ['5xx', '`service_failed`', '6'],
  [
    'anything else, such as a web page, a redirect, a 404 of a web server, 405, 413',
    '`unreadable_response`',
    '6',
  ],
];

/** Error codes that no response causes. */
export const otherErrors: readonly (readonly [codes: string, exit: string])[] = [
  ['`usage`, `invalid_input`, `no_base_url`', '2'],
  ['`no_key`', '4'],
  ['`network`, `timeout`, `proxy`', '6'],
  ['`local`, `interrupted`, `bug`', '1'],
];

/** What a response means in special cases. */
export const responseNotes: readonly string[] = [
  'A response counts only in these forms, in which `status` is the HTTP status as a number. Any other response, whatever its status, comes from a failing service, from a proxy or firewall in front of it, or from a wrong base URL: it is never a success and never the fault of your data.',
  'A usable ID is a whole number from 0 to 2^53 - 1, or text of 1 to 20 digits. A batch counts a row as registered only if the status is 200 and the record has one. `get`, `watch` and `register` show a record without an ID, and a record with another ID than the requested one with a warning; `-q` then fails.',
  '401 and 402 immediately end a run of several organizations, as does a 403 before the service has responded to any other request. A later 403 affects only one organization. If the key has registered rows of the file before, `carbon batch` ends only when three new rows get a 403 and the service accepts none; it postpones one or two such rows.',
  'HTTP allows an unrequested `100 Continue` and a repeated `Content-Length`. undici, the HTTP client of `carbon`, cannot read either, so you get a network failure.',
];

/** Fields of `carbon report --json`. */
export const reportSummary: readonly (readonly [field: string, meaning: string])[] = [
  [
    '`input`',
    '`records`, those `superseded` by a later record of their ID, those `without_id`, `failed` items, and lines `without_record`',
  ],
  ['`organizations`, `synthetic`', 'number of organizations, and of those with sandbox data'],
  ['`research`', '`finished`, `in_progress`, `errored`'],
  ['`statuses`, `industry_rank`, `region_rank`', '`counts` by value, and how many are `missing`'],
  [
    '`score`',
    '`organizations`, `min`, `lower_quartile`, `median`, `upper_quartile`, `max`, `mean`, `histogram` in ten steps, `out_of_range`',
  ],
  [
    '`commitments`',
    '`counts` and `missing` of `cdp`, `sbti_near_term`, `sbti_long_term`, `sbti_net_zero`, `un_initiatives`, `climate_pledge`, `environmental_report`',
  ],
  [
    '`emissions`',
    '`unit`, `organizations` that disclose any, `several_regions`, `years` and `changes`',
  ],
  [
    '`emissions.years`',
    '`year`, `organizations`, `partial`; for `scope_1`, `scope_2`, `scope_1_and_2` and the part of it that is disclosed `only_together`: the `sum`, its `organizations`, and how many of these are `market_based`, `location_based` or `sum_of_parts`; for `scope_3`: `organizations`, `lower_quartile`, `median`, `upper_quartile`',
  ],
  [
    '`emissions.changes`',
    '`from`, `to`, `naive`, `like_for_like` (shares of the earlier year), `organizations` compared, and `left_out`: `only_earlier`, `only_later`, `not_comparable`, `one_scope`',
  ],
  [
    '`largest_emitters`',
    'ten organizations, by the `total` of the latest `year` that has one; `sum_of_parts` if none was disclosed; `target` with its `text` and `progress`',
  ],
  ['`targets`', 'organizations whose target is `quoted`, and those `with_progress`'],
  [
    '`checks`',
    'findings of `carbon check` about the numbers: `error`, `warning`, `notice`, and the `worst`',
  ],
  ['`revenue`', 'by `currency`, for the latest year of each organization that has one'],
  [
    '`gaps`',
    'organizations with `no_performances`, `no_emissions`, `no_score`, `no_industry`, `no_country`',
  ],
];

/** Names that begin with `Sandbox`, and what they do. */
export const sandboxNames: readonly (readonly [names: string, effect: string])[] = [
  ['`Sandbox 400`, `401`, `404`, `422`, `429`, `500`, `503`', 'the registration gets this status'],
  ['`Sandbox errored`', 'research fails'],
  ['`Sandbox pending`', 'research never ends'],
  ['`Sandbox synced`', 'research ends immediately'],
  ['`Sandbox sparse`', 'research finds almost nothing'],
  ['`Sandbox complete`', 'emissions of all scopes, revenue and factors'],
  ['`Sandbox pledge`', 'a near-term target, and The Climate Pledge signed'],
  ['`Sandbox location`', 'scope 2 only location-based'],
  ['`Sandbox gaps`', 'parts below the totals'],
  ['`Sandbox committed`', 'a commitment, but no target yet'],
  ['`Sandbox short`', 'scopes 1 and 2, and few categories of scope 3'],
  ['`Sandbox parts`', 'parts without totals'],
  ['`Sandbox removed`', 'a target that was removed'],
  ['`Sandbox estimate`', 'a factor and revenue, but no emissions'],
  ['`Sandbox factors`', 'emission factors, but neither emissions nor revenue'],
  ['`Sandbox industry`', 'only the industry average'],
  ['`Sandbox empty`', 'not even an industry average'],
  ['`Sandbox currency`', 'amounts in EUR, or in USD if the request asks for EUR'],
  ['`Sandbox nested`', 'an upstream factor that contains scopes 1 and 2'],
  ['`Sandbox regions`', 'two regions in every year: `GLOBAL` and the country'],
  ['`Sandbox old`', 'emissions that are at least seven years old'],
];

/** Lines of `carbon batch --json`. */
export const batchLines: readonly (readonly [row: string, line: string])[] = [
  [
    'registered',
    '`{"line", "ok": true, "id", "status", "record"}`; also `same_id_as` (an earlier row with the same ID and another name) and `other_organization` (if name and country of the response differ from yours)',
  ],
  ['registered by an earlier run', '`{"line", "ok": true, "id", "skipped": true}`'],
  ['equal to the row on another line', '`{"line", "ok": true, "id", "duplicate_of"}`'],
  ['rejected, invalid or postponed', '`{"line", "ok": false, "error": {"code", "message", ...}}`'],
  [
    'new, with `--dry-run`',
    '`{"line", "ok": true, "body"}`; `"dropped"` lists the fields that the body leaves out',
  ],
];
