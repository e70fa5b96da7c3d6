/* Rules that ask whether the figures of a record can be right. */
import type { Organization } from '../../client/api/schema.ts';
import { type Inventory, readInventories } from '../organizations/emissions.ts';
import {
  type ComparedYears,
  compareAll,
  type FigureRule,
  factorRatios,
  type RuleContext,
} from './compared-figures.ts';
import { figureErrors } from './figure-errors.ts';
import { figureWarnings } from './figure-warnings.ts';
import type { Finding, Observation } from './findings.ts';

/** The rules for figures, in the order of the findings of one severity. */
export const figureRules: readonly FigureRule[] = [...figureErrors, ...figureWarnings];

const wordsByName = new Map(figureRules.map(({ name, words }) => [name, words]));

/** Returns the words for the code of a rule about figures. */
export function figureRuleWords(name: string): string {
  return wordsByName.get(name) ?? name;
}

/** Returns the findings for the figures of a record, whose inventories are `years`. */
export function checkRecordFigures(
  record: Organization,
  context: RuleContext,
  years: readonly Inventory[] = readInventories(record),
): Finding[] {
  return applyRules(figureRules, record, context, years);
}

/** Returns the errors of a record, as `checkRecordFigures` does without the rules of a warning. */
export function findErrors(
  record: Organization,
  context: RuleContext,
  years: readonly Inventory[],
): Finding[] {
  return applyRules(figureErrors, record, context, years);
}

function applyRules(
  applied: readonly FigureRule[],
  record: Organization,
  context: RuleContext,
  years: readonly Inventory[],
): Finding[] {
  const { id = null, name = null } = record;
  const found: Finding[] = [];
  const { latest, pairs } = applied === figureErrors ? nothing : compareAll(years);
  const figures = { record, years, latest, pairs, ratios: factorRatios(years) };
  // One function for all rules: making one for each takes a tenth of the time of a check.
  let current: FigureRule;
  const report = (observation: Observation) => {
    const { name: rule, severity, action = 'ask the service' } = current;
    found.push({ id, name, rule, severity, action, ...observation });
  };
  for (current of applied) current.find(figures, report, context);
  return found;
}

/* No rule of an error compares years. */
const nothing: ComparedYears = { latest: [], pairs: [] };
