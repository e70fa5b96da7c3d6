/* The page of the JSON documents: what several commands print, and what each command declares. */

import { code, escapeText, fence, prose, table, writePage } from './markdown.ts';
import type { Documented } from './program.ts';

const records = [
  '## Record',
  prose(
    '`get`, `list`, `register` and `watch` print the record as the service sent it. Any field may be absent or null, and a service may send further fields. [Fields of a record](record.md) and [record.schema.json](record.schema.json) list the known ones.',
  ),
  fence('sh', ["carbon get 12 --json | jq '.score'"]),
  table(
    ['field', 'known values'],
    [
      [
        '`status`',
        '`created`, `locating`, `located`, `enriching`, `enriched`, `resolving`, `unresolved`, `researching`, `resolved`, `calculating`, `waiting`, `synced`, `errored`; any other value means that research is in progress',
      ],
      [
        '`industry_rank`, `region_rank`',
        '`very_high`, `high`, `medium`, `low`, `very_low`, `unknown`',
      ],
    ],
  ),
  prose('With `--group-by`, `list` prints a line for each group, whose members are the columns.'),
  '## Registration',
  prose(
    '[registration.schema.json](registration.schema.json) describes the body of a registration, as `carbon register --dry-run` prints it.',
  ),
];

const rows = [
  '## Rows of a batch',
  prose(
    '`batch` prints one of these lines for each row; `"ok": true` means that the journal has the ID of the row.',
  ),
  fence('sh', [
    `carbon batch suppliers.csv --json | jq -r 'select(.ok == false) | "\\(.line) \\(.error.message)"'`,
  ]),
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
    '`sync` prints every registered row with its `status` and latest `record`, or `null` without one. Other rows are printed as by `batch`. Its last line is the summary.',
  ),
  '### Summary of a run',
  prose('The last line, `{"summary": ...}` (of `batch` on standard error), counts each row once:'),
  table(
    ['member', 'rows'],
    [
      ['`registered`', 'registered by this run'],
      ['`skipped`', 'registered by an earlier run'],
      ['`duplicate`', 'equal to a row that was registered'],
      [
        '`rejected`, `postponed`, `invalid`',
        'failed: rejected by the service, postponed for now, or invalid for `carbon`',
      ],
      ['`remaining`; `not_registered` in `sync`', 'not registered yet'],
      ['`rows`', 'all (only `sync`)'],
    ],
  ),
  prose(
    'Both commands have `listed` (registered organizations of the list), `exit` and `elapsed_ms`. `sync` also counts organizations, each once, even with records in several currencies:',
  ),
  table(
    ['member', 'organizations'],
    [
      ['`synced`', 'with finished research'],
      ['`changed`', 'whose record changed'],
      ['`in_progress`, `research_failed`', 'whose research is in progress, or failed'],
      ['`removed`', 'whose record the service removed'],
      ['`without_record`', 'without a record at the service'],
      ['`not_retrieved`', 'whose record this run could not retrieve'],
      ['`retrieved`', 'number of records that this run retrieved'],
    ],
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
];

const errors = [
  '## Errors and messages',
  prose('If one of several IDs fails, its line on standard output is:'),
  fence('json', ['{"ok":false,"id":12,"error":{"code":"not_found","exit":5,"message":"...",...}}']),
  prose(
    'The members of an error are `code`, `exit`, `message`, `status`, `title`, `detail`, `id`, `retryable` and `hint`. [Error codes](errors.md) lists the codes, and [error.schema.json](error.schema.json) describes the members.',
  ),
  prose('Standard error is JSON as well, unless only it is a terminal:'),
  table(
    ['line', 'content'],
    [
      ['`{"level":"warning","text":"..."}`', 'a message, whose text may change'],
      ['`{"error":{...}}`', 'the error that ended the command'],
      [
        '`{"summary":{...}}`',
        'the last line: the numbers of a run of `batch`, `check`, and a `get` or `watch` that failed; `sync` and `footprint` print it on standard output',
      ],
    ],
  ),
];

const footprints = [
  '## Footprint',
  prose(
    '`carbon footprint --json` prints its rows, then `{"summary": ...}`. Shares are from 0 to 1.',
  ),
  fence('sh', ["carbon footprint purchases.csv --json | jq '.summary // empty | .years'"]),
  table(
    ['option', 'rows'],
    [
      ['none', '[line items](csv-columns.md#line-items-of-a-footprint)'],
      ['`--goal`', '[suppliers](csv-columns.md#suppliers-and-a-goal)'],
      [
        '`--compare`, `--since`, without `--goal`',
        '[changes](csv-columns.md#changes-of-a-footprint)',
      ],
    ],
  ),
  prose('Sentences and totals:'),
  table(
    ['member', 'content'],
    [
      ['`statements`', 'sentences: `rule`, `text`, and their numbers'],
      ['`answers`', 'the sentences of the screen, each with its question, such as `How sure: …`'],
      [
        '`emissions`, `emissions_by_basis`, `line_items`, `covered_line_items`, `spend`, `supplier_data_share`',
        'the total, and what it is from: by basis, numbers of line items, spend by currency (`total`, and `covered` by emissions), and the share of own figures: scopes 1 and 2 (`from`), and all (`to`); `emissions` is null with spend of several years',
      ],
      ['`years`', 'the same for each `year` of spend'],
      ['`previous`', 'with `--year`: the same for the year before it, if the file has one'],
      [
        '`trend`',
        'the change of the last two years as `--compare` shows it: `change_without_data` is a share of the emissions of `from`, without the `effects` that only change what is known; `null` if it cannot be told',
      ],
      ['`unit`, `boundary`', '`--unit`, or null; `--boundary`'],
      ['`suppliers`, `covered_suppliers`', 'numbers of suppliers, and of those with emissions'],
      [
        '`synthetic`, `not_synthetic`',
        'numbers of suppliers with sandbox data, and with other data',
      ],
      ['`categories`', 'the same totals by purchasing category'],
      [
        '`largest`',
        'the largest suppliers: `emissions`, `share`, `spend`, `basis`, and the `industry` of an average',
      ],
      ['`two_thirds`', 'how many of the largest suppliers make up two thirds, and their `share`'],
      ['`matched_by`', 'line items by the way in which their record was found'],
      [
        '`records_from`, `records_to`, `as_of`, `written_at`',
        'as in a [report](#summary-of-a-report)',
      ],
      ['`warnings`', 'what the program warned of'],
      [
        '`method`',
        '`version`, `service`, `files`, `selection`, `amounts` and `max_factor_age`; `file_years`: every year of spend in the file',
      ],
    ],
  ),
  prose('How sure the total is:'),
  table(
    ['member', 'content'],
    [
      [
        '`upstream`',
        'the `reading` of upstream factors, and how it was `decided_by`; numbers of records with each reading, and `of_suppliers` of the purchases',
      ],
      [
        '`factor_years`',
        'the years of the figures behind the factors by `basis`: the first and the last (`from`, `to`), and for each of the `years` how many `suppliers` it is of, and one of them (`supplier`, `id`)',
      ],
      ['`kg_per_spend`', 'kilograms per unit of spend by currency, if `--unit` is given'],
      ['`implausible_kg_per_spend`', 'those above 10'],
      ['`alternatives`', 'the total with another `choice` of method, and what it replaces'],
      [
        '`several_regions`',
        'number of line items whose record has several regions in the year of the factor',
      ],
      [
        '`scope_2_methods`, `scope_2_shares`',
        'numbers of suppliers with each method of scope 2, and their shares of the emissions from own figures',
      ],
      ['`checks`', 'errors and warnings of `carbon check` behind the emissions, by rule'],
      ['`left_out`', 'suppliers whose record has an error of `carbon check`'],
      ['`off_benchmark`', 'suppliers whose factor is far from the average of their industry'],
      [
        '`sbti_coverage`',
        'the share of suppliers whose target is set, and all `targets` by status; `lookups` has the days of the look-ups at SBTi (`from`, `to`) of `suppliers` with emissions, how many are `old` (more than six months), and their `old_share`',
      ],
    ],
  ),
  prose('What is missing, and whom to ask:'),
  table(
    ['member', 'content'],
    [
      ['`uncovered`', 'line items without emissions, by reason'],
      ['`uncovered_suppliers`', 'their `suppliers`, by reason, with the `next_step`'],
      ['`excluded`', 'line items that count in no total, by reason'],
      [
        '`industry_reasons`',
        'why factors are industry averages: `reason`, what is `missing` if that is `incomplete` (`scopes_1_and_2`, `purchased_goods_and_services`), `suppliers`, `emissions` and their `share`, and the largest `supplier`',
      ],
      [
        '`on_averages`',
        'the number of these `suppliers`; the `largest`: `emissions`, `share`, `missing_categories`, `website`, `lines` (of all years) and `industry`; `ask` groups them by `next_step`, with `reasons` (`unmatched`: no matched organization, so correct your list) and `missing`, by emissions',
      ],
      [
        '`missing_categories` of a supplier',
        'the upstream categories of scope 3 that its record lacks in the year of the spend (`1 4 6`), or some of those in a group',
      ],
    ],
  ),
  '## Goal of a footprint',
  prose(
    'With `--goal`, the summary has these members as well. Their shares are of all emissions, with an estimate for spend without any, or of the spend.',
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
  '## Comparison of a footprint',
  prose('With `--compare` or `--since`, without `--goal`, the summary has `bridge` and `ask`.'),
  fence('sh', [
    "carbon footprint purchases.csv --year 2025 --compare 2024 --json |\n  jq '.summary // empty | .bridge.steps[].effects'",
  ]),
  table(
    ['member of `bridge`', 'content'],
    [
      ['`before`, `after`', 'the years; `after` is null with `--since` alone'],
      ['`since`', 'the day, or null'],
      ['`steps`', '`restated` (earlier records → records of today), and `years`'],
    ],
  ),
  prose('A step has these members:'),
  table(
    ['member', 'content'],
    [
      ['`before`, `after`, `together`', 'the totals, and their difference'],
      ['`spend_before`, `spend_after`', 'the spend by currency'],
      [
        '`bought_before`, `bought_after`',
        'what the effects `spend`, `new` and `left` are of, which leaves out spend without emissions',
      ],
      [
        '`effects`',
        'what adds up to `together`: `effect`, `emissions`, `share` of `before`, `suppliers`, `reasons`',
      ],
      ['`same_figures`', 'the share of `after` that uses the same figures on both sides'],
    ],
  ),
  prose(
    '`ask` says whom to ask about the last step: first who added to the footprint, by what they added, then suppliers on averages by their emissions, then those without by their spend. Each entry has a reason, `why`:',
  ),
  table(
    ['`why`', 'whom to ask'],
    [
      [
        '`bought`',
        'the fewest suppliers that are two thirds of what your spend added, if it added any, and their `share` of all rises by spend, which is at most 1',
      ],
      [
        '`rose`',
        'the same of what higher emissions per revenue added; `of` counts all suppliers with such a rise',
      ],
      [
        '`industry`',
        'suppliers on averages, with those to ask for the same; their `share` is that of `after`',
      ],
      ['`unmatched`', 'suppliers without a matched organization'],
      ['`uncovered`', 'suppliers without emissions'],
    ],
  ),
  prose(
    'Each entry has a `next_step`; of averages the `reasons` and what is `missing`; the `missing_categories`; and `suppliers`, the largest first, with their `emissions` (what they added, or those of now), the `footprint_change` and their `missing_categories`.',
  ),
];

const reports = [
  '## Summary of a report',
  prose('`carbon report --json` prints one document. Scores are from 0 to 1.'),
  fence('sh', ["carbon report suppliers.csv --json | jq -r '.answers[]'"]),
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
        'scope 1 + 2 of the organizations that disclose both for `year` (the latest of most): `organizations`, `sum`, and the [members below](#scope-1--2-of-a-report)',
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
      ['`ask`', '[whom to ask](#whom-to-ask)'],
      [
        '`checks`',
        'findings of `carbon check` about the numbers: `error`, `warning`, `notice`, the `worst`, and the number of `organizations`',
      ],
      [
        '`gaps`',
        'organizations with `no_performances`, `no_emissions` (including those that `missing` counts as `unmatched`, `in_progress` or `failed`), `unreadable_emissions` (sent, but not as numbers), `no_score`, `no_industry`, `no_country`',
      ],
    ],
  ),
  '### Scope 1 + 2 of a report',
  prose('`emissions.both_scopes` has these members as well:'),
  table(
    ['member', 'meaning'],
    [
      [
        '`like_for_like`',
        '`sum` of `years` for the `organizations` that disclose the same figures in all of them, of which `rose` and `fell` in the last year',
      ],
      [
        '`largest_rises`',
        'the fewest `organizations` that made half of the net rise, and their `share`',
      ],
      [
        '`two_thirds`',
        'the number of largest `organizations` that make up at least two thirds, and their `share`',
      ],
      ['`scope_2_methods`', 'how many are `market_based` and `location_based`'],
      ['`scope_2_shares`', 'their shares of the `sum`'],
      [
        '`warnings`',
        'of `carbon check` about `year` by `rule`: `organizations`, `share`, the `first` three with the `evidence`, and whether the sum has the checked value (`is_used`)',
      ],
      [
        '`sbti_lookups`',
        'days `from` and `to` of the `organizations` that have one, how many are `old` (more than six months), and their `old_share`',
      ],
      ['`targets`', '`status`, `organizations`, `sum`, `share`'],
    ],
  ),
  '### Whom to ask',
  prose('Each entry of `ask` has these members:'),
  table(
    ['member', 'meaning'],
    [
      [
        '`why`',
        'a member of `missing`, `rose` (made most of the rise), `grew` (the same, but its revenue rose more than its emissions), or a target that is `removed` or `committed`',
      ],
      ['`organizations`, `emissions`', 'their number, and their latest emissions of scope 1 + 2'],
      ['`next_step`', 'what to do'],
      ['`newest`', 'the newest year with scope 1 or 2'],
      [
        '`rise`',
        'of those that rose: their `share` of the net rise `since` a year, and how many have a target that is `validated` or `removed`',
      ],
      [
        '`first`',
        '`id` and `name` of the three with the largest emissions; without a match their `lines`; of those that rose the `change` of emissions and the `revenue_change`',
      ],
    ],
  ),
];

/* Which command prints what, for a reader who looks for one of them. */
const index = [
  '# JSON documents',
  prose(
    'With `--json`, each line of standard output is one document. [Scripts and output](../scripts.md#json) has the rules that all of them follow.',
  ),
];

const shared = [...records, ...rows, ...footprints, ...reports];

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
  const links = [
    [
      '`carbon get --json`, `carbon list --json`, `carbon register --json`, `carbon watch --json`',
      '[record](#record)',
    ],
    [
      '`carbon batch --json`, `carbon sync --json`',
      '[rows](#rows-of-a-batch), and their [summary](#summary-of-a-run)',
    ],
    ['`carbon report --json`', '[summary](#summary-of-a-report)'],
    [
      '`carbon footprint --json`',
      '[summary](#footprint), with a [goal](#goal-of-a-footprint) or a [comparison](#comparison-of-a-footprint)',
    ],
    ...commands.flatMap(({ name, document }) =>
      document === undefined
        ? []
        : [[code(`${name} --json`), `[members](#${name.replaceAll(' ', '-')})`]],
    ),
    ['all', '[errors and messages](#errors-and-messages)'],
  ];
  return writePage([
    ...index,
    table(['command', 'documents'], links),
    ...shared,
    ...declared,
    ...errors,
  ]);
}
