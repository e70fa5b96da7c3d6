/* SBTi targets: their order, their status in one wording, and the progress that a record shows. */
import type { Organization, SbtiTarget } from '../api/schema.ts';
import { type Inventory, readInventories } from './emissions.ts';
import { byYear, isYear, preferredRegion } from './history.ts';
import { compareYears, type Scope } from './trend.ts';

export function targetsByDate(record: Organization): SbtiTarget[] {
  const created = (target: SbtiTarget) => target.created_at ?? '';
  return (record.sbti?.data ?? []).toSorted(
    (a, b) => Number(created(a) < created(b)) - Number(created(a) > created(b)),
  );
}

const wordings: readonly (readonly [pattern: RegExp, status: string])[] = [
  [/^(?:targets? )?set$|^validated$/, 'set'],
  [/^committed$/, 'committed'],
  [/^(?:commitment |targets? )?removed$/, 'removed'],
  [/^(?:none|no targets?)$/, 'none'],
];

/** The known statuses of a near-term target; `with_target` is one without a status. */
export const targetStatuses = ['set', 'committed', 'removed', 'none', 'with_target'] as const;

/**
 * Reads the near-term target of the latest SBTi record: one of `targetStatuses`, or the text as
 * received; undefined without data. An empty list means that SBTi has no target.
 */
export function nearTermTarget(record: Organization): string | undefined {
  const [latest] = targetsByDate(record);
  if (latest === undefined) return record.sbti?.data ? 'none' : undefined;
  const { has_target: flag, target_status: text } = latest.near_term ?? {};
  const status = text?.trim();
  if (!status) return typeof flag === 'boolean' ? (flag ? 'with_target' : 'none') : undefined;
  const word = status.replaceAll(/[\s_-]+/g, ' ').toLowerCase();
  return wordings.find(([pattern]) => pattern.test(word))?.[1] ?? status;
}

/** One absolute target, as a sentence of SBTi states it. */
export interface AbsoluteTarget {
  readonly scopes: readonly Scope[];
  /** The reduction to reach, as a share of the base year's emissions. */
  readonly reduction: number;
  readonly baseYear: number;
  readonly targetYear: number;
}

/* A name holds no percentage, and only one commitment follows it. */
const commitment = /\bcommits? to /i;
/*
 * The rest of one clause: "reduce absolute scope 1 and 2 GHG emissions 42% by 2030 from a 2020 base
 * year." Nothing follows.
 */
const clause =
  /^(?:reduce|reducing) (?:its )?absolute (?:combined )?scopes? ([123](?:(?:and|scopes?|[,+& ])+[123])*) (?:(?:greenhouse gas|ghg|co2e?) )?emissions (?:by )?(\d{1,3}(?:\.\d+)?) ?% by (?:fy ?|fiscal year )?(\d{4}),? (?:from|compared to|against) an? (?:fy ?|fiscal year )?(\d{4}) base(?:[ -]?(?:year|line))\.?$/i;

const maxClause = 300;

/** Parses a target; undefined for intensity targets, several clauses and other wordings. */
export function parseTarget(text: string): AbsoluteTarget | undefined {
  const found = commitment.exec(text);
  if (found === null || text.slice(0, found.index).includes('%')) return undefined;
  const rest = text.slice(found.index + found[0].length).trim();
  if (rest.length > maxClause) return undefined;
  const [, scopeText, percent, target, base] = clause.exec(rest.replaceAll(/\s+/g, ' ')) ?? [];
  const scopes = [...new Set((scopeText?.match(/[123]/g) ?? []).map(Number))] as Scope[];
  const reduction = Number(percent) / 100;
  const [baseYear, targetYear] = [Number(base), Number(target)];
  const isShare = reduction > 0 && reduction <= 1;
  const isPlausible = isShare && isYear(baseYear) && isYear(targetYear) && baseYear < targetYear;
  return isPlausible ? { scopes: scopes.sort(), reduction, baseYear, targetYear } : undefined;
}

/** How far an organization has come, by its own figures. */
export interface Progress {
  readonly target: AbsoluteTarget;
  /** The latest year with the same figures as the base year. */
  readonly year: number;
  /** 1 − emissions of the year / emissions of the base year; negative after a rise. */
  readonly reduction: number;
  /** The part of the promised reduction that is achieved: 1 is all of it. */
  readonly achieved: number;
}

export interface StatedTarget {
  readonly text: string;
  /** Undefined if the text is no single absolute target, or the record lacks its figures. */
  readonly progress: Progress | undefined;
}

/**
 * Reads the newest target sentence of an organization, and the progress towards it.
 * @param inventories those of the record
 */
export function statedTarget(
  record: Organization,
  inventories = readInventories(record),
): StatedTarget | undefined {
  const details = targetsByDate(record).map(({ target_detail: detail }) => detail);
  const text = details.find((detail) => detail?.trim());
  if (!text) return undefined;
  const target = parseTarget(text);
  return { text, progress: target && progressOf(record, byYear(inventories), target) };
}

/* Compares years of one region, the preferred one first. */
function progressOf(
  record: Organization,
  inventories: readonly Inventory[],
  target: AbsoluteTarget,
): Progress | undefined {
  const bases = inventories.filter(({ year }) => year === target.baseYear);
  const preferred = preferredRegion(bases, record);
  for (const base of preferred ? [preferred, ...bases] : []) {
    for (const later of inventories) {
      const { year, region } = later;
      if (!isYear(year) || year <= target.baseYear || region !== base.region) continue;
      const { before, after, isComplete } = compareYears(base, later, target.scopes);
      if (!isComplete || !before || after === undefined) continue;
      const reduction = 1 - after / before;
      return { target, year, reduction, achieved: reduction / target.reduction };
    }
  }
  return undefined;
}
