/* The page of the JSON documents: what several commands print, and what each command declares. */

import { code, escapeText, prose, table, writePage } from './markdown.ts';
import type { Documented } from './program.ts';

const shared = [
  '# JSON documents',
  prose('[Scripts and output](../scripts.md#json) shows which command prints which document.'),
  '## Record',
  prose(
    '`carbon get --json`, `carbon list --json`, `carbon register --json` and `carbon watch --json` print the record as the service sent it. With `--group-by`, `list` prints a line for each group, whose members are the columns. Any field may be absent or null, and a service may send further fields. [Fields of a record](record.md) and [record.schema.json](record.schema.json) list the known ones.',
  ),
  prose(
    'Known values of `status`: `created`, `locating`, `located`, `enriching`, `enriched`, `resolving`, `unresolved`, `researching`, `resolved`, `calculating`, `waiting`, `synced`, `errored`. Any other value means that research is in progress.',
  ),
  prose(
    'Known values of `industry_rank` and `region_rank`: `very_high`, `high`, `medium`, `low`, `very_low`, `unknown`.',
  ),
  '## Registration',
  prose(
    '[registration.schema.json](registration.schema.json) describes the body of a registration, as `carbon register --dry-run` prints it.',
  ),
  '## Rows of a batch',
  prose(
    '`carbon batch --json` prints one of these lines for each row; `"ok": true` means that the journal has the ID of the row. `carbon sync --json` prints every registered row with its `status` and latest `record`, or `null` without one, and ends with a line `{"summary": ...}`.',
  ),
  table(
    ['row', 'line'],
    [
      [
        'registered',
        '`{"line", "ok": true, "id", "status", "record"}`; also `same_id_as` (an earlier row with the same ID and another name) and `other_organization` (if name and country of the response differ from yours)',
      ],
      ['registered by an earlier run', '`{"line", "ok": true, "id", "skipped": true}`'],
      ['equal to the row on another line', '`{"line", "ok": true, "id", "duplicate_of"}`'],
      [
        'rejected, invalid or postponed',
        '`{"line", "ok": false, "error": {"code", "message", ...}}`',
      ],
      [
        'not sent, because the run ended before, or at `--max-new`',
        'the same with the code `not_sent`',
      ],
      [
        'new, with `--dry-run`',
        '`{"line", "ok": true, "body"}`; `"dropped"` lists the fields that the body leaves out',
      ],
    ],
  ),
  prose(
    'The summary of `batch` counts each row once: `registered`, `skipped` (registered earlier), `duplicate` (equal to a row that was registered), `rejected`, `postponed`, `invalid` and `remaining`. That of `sync` counts the `rows` in the same way, with `not_registered` for `remaining`. It also counts each organization once, even with records in several currencies: `synced`, `changed`, `in_progress`, `research_failed`, `removed`, `without_record` (the service has none) and `not_retrieved`; and the records `retrieved`. Both have `listed` (registered organizations of the list), `exit` and `elapsed_ms`.',
  ),
  '## Records of a list',
  prose('`carbon sync` keeps two files next to a list, or in the directory of `--keep`:'),
  table(
    ['file', 'lines'],
    [
      [
        '`LIST.records.ndjson`',
        '`{"id", "service", "currency", "valid_from", "retrieved_at", "listed", "record"}`: the latest record of each organization and currency, as received',
      ],
      [
        '`LIST.history.ndjson`',
        '`{"id", "currency", "valid_from", "valid_to", "record"}`: each earlier version',
      ],
    ],
  ),
  prose(
    '`listed` holds the days on which an organization entered and left the list, in turn. `"record":null` means that none has arrived yet. A record that the service has removed is kept.',
  ),
  '## Errors and messages',
  prose(
    'If one of several IDs fails, its line is `{"ok":false,"id":12,"error":{...}}`. The members of an error are `code`, `exit`, `message`, `status`, `title`, `detail`, `id`, `retryable` and `hint`. [Error codes](errors.md) lists the codes, and [error.schema.json](error.schema.json) describes the members.',
  ),
  prose(
    'Standard error is JSON as well, unless only it is a terminal: messages are `{"level":"warning","text":"..."}`, whose texts may change, and an error is `{"error":{...}}`. The last line, `{"summary":{...}}`, has the numbers of a run: on standard output for `sync` and `footprint`, on standard error for `batch`, `check`, and a `get` or `watch` that failed.',
  ),
  '## Goal and comparison of a footprint',
  prose(
    'The last line of `carbon footprint --json` is `{"summary": ...}`. Its shares are from 0 to 1; with spend of several years, the totals are in `years`. `answers` are the sentences of the screen, each with its question, such as `How sure: …`. With `--year`, `previous` has the totals of the year before it, if the file has one. `trend` has the change of the last two years as `--compare` shows it: `change_without_data` is a share of the emissions of `from`, without the `effects` that only change what is known; `null` if it cannot be told. `industry_reasons` counts why factors are industry averages: `reason`, what is `missing` if that is `incomplete` (`scopes_1_and_2`, `purchased_goods_and_services`), `suppliers`, `emissions` and their `share`, and the largest `supplier`. `on_averages` has the number of these `suppliers`, and the `largest`: `emissions`, `share`, `missing_categories`, `website`, `lines` (of all years) and `industry`; `ask` groups them by `next_step`, with `reasons` (`unmatched`: no matched organization, so correct your list) and `missing`, by emissions. `missing_categories` are the upstream categories of scope 3 that a record lacks in the year of the spend (`1 4 6`), or some of those in a group. `method.file_years` lists every year of spend in the file, and `method.upstream.of_suppliers` counts the readings of upstream factors among the suppliers of the purchases. `factor_years` has the years of the figures behind the factors by `basis`: the first and the last (`from`, `to`), and for each of the `years` how many `suppliers` it is of, and one of them (`supplier`, `id`). `implausible_kg_per_spend` has kilograms per unit of spend by currency, if the unit of `--unit` makes them more than 10; `kg_per_spend` has them in any case. `sbti_coverage.lookups` has the days of the look-ups at SBTi (`from`, `to`) of `suppliers` with emissions, how many are `old` (more than six months), and their `old_share`. `uncovered` counts line items without emissions by reason, and `uncovered_suppliers` lists their `suppliers` and the `next_step`. `largest` has the `industry` of an average.',
  ),
  prose(
    'With `--goal`, `carbon footprint --json` prints a line for each [supplier](csv-columns.md#suppliers-and-a-goal). The summary then has these members as well. Their shares are of all emissions, with an estimate for spend without any, or of the spend.',
  ),
  table(
    ['member', 'content'],
    [
      ['`statements`, `notes`', 'sentences: what the result means, and what weakens it'],
      ['`goal`', '`percent`, `of` (`emissions` or `spend`) and `year` (or `null`)'],
      ['`reached`, `to_go`', 'whether `share` is at least the goal, and how much is missing'],
      ['`share`', 'the share of suppliers whose target is set; `null` if it cannot be estimated'],
      [
        '`share_on_averages`',
        'the part of `share` that is from industry averages; `null` for spend',
      ],
      [
        '`share_on_old_lookups`',
        'the part of `share` last looked up at SBTi more than six months ago',
      ],
      ['`known_share`, `by_spend`', 'the same of the known emissions only, and of the spend'],
      ['`if_committed`', 'the share if every commitment was validated'],
      ['`if_unknown_set`', 'the share if every supplier of unknown status had a target'],
      ['`best`', 'the share if every supplier that can be asked had a target'],
      ['`removed`', 'the share of suppliers whose target or commitment SBTi removed at any time'],
      [
        '`targets`',
        'for each status: `suppliers`, of these `covered_suppliers` with emissions, `by_emissions`, `by_spend`',
      ],
      ['`estimated_share`', 'the estimate for spend without emissions, which is in no status'],
      [
        '`sbti_lookups`',
        'days `from` and `to` of the look-ups, if most are older than the records',
      ],
      [
        '`ask`',
        'the fewest matched suppliers that reach the goal if each gets a validated target, each with the `share_after` it',
      ],
      [
        '`to_match`',
        'suppliers that would be among the fewest, but have no matched organization: correct that first',
      ],
      [
        '`without_unmatched`',
        'with `to_match`: whom to `ask` without these, and the `share` that leads to; otherwise `null`',
      ],
      [
        '`if_committed_ask`',
        'whom to `ask` if every commitment is validated, and the `share` that leads to; `null` unless they are fewer',
      ],
      [
        '`short_texts`',
        'of targets whose texts name years, the latest before that of the goal: their `suppliers` and `share`, the share `without` them, the `share_after` those of `ask`, and whom to `ask` as well to reach the goal without these targets, each with the `share_after` it; `null` without any',
      ],
      [
        '`find_out`',
        'if the goal is out of reach: the largest suppliers without emissions, and why',
      ],
      [
        '`direction`',
        'the `day` of `--since`, otherwise the first one on which suppliers with at least half of the shares had a record; `share_then`, the `change` since, and its parts; `null` without an earlier day',
      ],
      [
        '`since`',
        'with `--since`: `day`, days of its records, `share_then`, and what changed by `changes`',
      ],
    ],
  ),
  prose(
    '`direction` and `since` divide the change of the share into `newly_set`, `lost` (set then, not now), `other_organization` (matched to another one now) and `not_known` (no record on one of the days).',
  ),
  prose(
    'With `--compare` or `--since` alone, the lines are the [rows of a comparison](csv-columns.md#changes-of-a-footprint), and the summary has `bridge`: the years `before` and `after`, the day `since`, and `steps`. A step is `restated` (earlier records → records of today) or `years`. It has the totals `before` and `after`, the spend by currency (`spend_before`, `spend_after`; `bought_before`, `bought_after`: what the effects `spend`, `new` and `left` are of, which leaves out spend without emissions), the difference of the totals (`together`), the `effects` that add up to it (`effect`, `emissions`, `share` of `before`, `suppliers`, `reasons`), and `same_figures`: the share of `after` that uses the same figures on both sides. `ask` says whom to ask about the last step: first who added to the footprint, by what they added, then suppliers on averages by their emissions, then those without by their spend. `why` is `bought` (the fewest suppliers that are two thirds of what your spend added, if it added any, and their `share` of all rises by spend, which is at most 1; of averages it is their share of `after`), `rose` (the same of what higher emissions per revenue added; `of` counts all suppliers with such a rise), `industry` (on averages, with those to ask for the same), `unmatched` (without a matched organization) or `uncovered`. Each has a `next_step`, of averages the `reasons` and what is `missing`, the `missing_categories`, and `suppliers`, the largest first, with their `emissions` (what they added, or those of now), the `footprint_change` and their `missing_categories`.',
  ),
  '## Summary of a report',
  prose('`carbon report --json` prints these fields. Scores are from 0 to 1.'),
  table(
    ['field', 'meaning'],
    [
      [
        '`statements`',
        'at most five sentences, the title first: `rule`, `text`, how many companies they cover (`base`), of how many (`of`), and their numbers',
      ],
      [
        '`answers`',
        'the sentences of the screen, each with its question, such as `How sure: …` and `First steps: 1. …`',
      ],
      [
        '`records_from`, `records_to`',
        'days of the first and the last retrieval of a record, null if unknown',
      ],
      ['`as_of`, `written_at`', 'day of `--at`, otherwise null; time of writing'],
      [
        '`input`',
        '`records`, those `superseded` by a later record of their ID, those `without_id`, `failed` items, and lines `without_record`',
      ],
      [
        '`organizations`, `synthetic`, `not_synthetic`',
        'number of organizations, of those with sandbox data, and of those with other data',
      ],
      ['`research`', '`finished`, `in_progress`, `errored`'],
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
        '`unit`, `organizations` that disclose any, `several_regions`, `same_match` (counted once, with another record of their matched organization), `both_scopes`, `years` and `changes`',
      ],
      [
        '`emissions.both_scopes`',
        'scope 1 + 2 of the organizations that disclose both for `year` (the latest of most): `organizations`, `sum`; `like_for_like`: `sum` of `years` for the `organizations` that disclose the same figures in all of them, of which `rose` and `fell` in the last year; `largest_rises`: the fewest `organizations` that made half of the net rise, and their `share`; `two_thirds`: the number of largest `organizations` that make up at least two thirds, and their `share`; `scope_2_methods`: how many are `market_based` and `location_based`; `scope_2_shares`: their shares of the `sum`; `warnings` of `carbon check` about `year` by `rule`: `organizations`, `share`, the `first` three with the `evidence`, and whether the sum has the checked value (`is_used`); `sbti_lookups`: days `from` and `to` of the `organizations` that have one, how many are `old` (more than six months), and their `old_share`; `targets`: `status`, `organizations`, `sum`, `share`',
      ],
      [
        '`emissions.years`',
        '`year`, `organizations`, how many are `missing`, `partial` if that is a tenth or more, or had a tenth of scopes 1 and 2 in their nearest year; for `scope_1`, `scope_2`, `scope_1_and_2` and the part of it that is disclosed `only_together`: the `sum` and its `organizations`; for `scope_3`: `organizations`, `lower_quartile`, `median`, `upper_quartile`',
      ],
      [
        '`emissions.changes`',
        '`from`, `to`, `naive`, `like_for_like` (shares of the earlier year), and the number of `organizations` compared',
      ],
      [
        '`largest_emitters`',
        'ten organizations of `both_scopes`, with `share`, `cumulative_share`, `sbti_near_term` and the text of the newest `target`',
      ],
      [
        '`left_out`',
        'number of `organizations` with a year or a match that cannot be right, which no sum contains; the first error of each in `records`',
      ],
      [
        '`missing`',
        'organizations without emissions: `no_emissions` disclosed, `unmatched`, research `in_progress`, `failed`; `old`: without scope 1 or 2 `since` the first year compared; `incomplete`: without both',
      ],
      [
        '`ask`',
        '`why` to ask (a member of `missing`, `rose`: made most of the rise; `grew`: the same, but its revenue rose more than its emissions; or a target that is `removed` or `committed`), number of `organizations`, their latest `emissions` of scope 1 + 2, `next_step`, the `newest` year with scope 1 or 2, their `rise` (`share` of the net one `since` a year, targets `validated` and `removed`), `id` and `name` of the `first` three, without a match their `lines`, of those that rose the `change` of emissions and the `revenue_change`; the largest emissions first',
      ],
      [
        '`checks`',
        'findings of `carbon check` about the numbers: `error`, `warning`, `notice`, the `worst`, and the number of `organizations`',
      ],
      [
        '`gaps`',
        'organizations with `no_performances`, `no_emissions`, `unreadable_emissions` (sent, but not as numbers), `no_score`, `no_industry`, `no_country`',
      ],
    ],
  ),
];

/** Writes docs/reference/json.md. */
export function writeJsonDocuments({ commands }: Documented): string {
  const declared = commands.flatMap(({ name, document }) =>
    document === undefined
      ? []
      : [
          `## ${name}`,
          prose(`\`${name} --json\` prints these members.`),
          table(
            ['member', 'meaning'],
            Object.entries(document).map(([members, meaning]) => [
              members.split(', ').map(code).join(', '),
              escapeText(meaning),
            ]),
          ),
        ],
  );
  return writePage([...shared, ...declared]);
}
