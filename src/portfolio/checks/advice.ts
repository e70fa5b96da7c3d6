/* What to do about the findings of a check, in a few sentences. */
import { plural } from '../../display/terminal/format.ts';
import { capital } from '../../display/terminal/text.ts';
import type { ListToCorrect } from '../organizations/correction.ts';
import { ruleWords, stepsFor } from './check-records.ts';
import type { Finding } from './findings.ts';

const maxSteps = 4;

/** Lists what resolves findings, each with their rules. */
export function adviceOn(findings: readonly Finding[], list: ListToCorrect | undefined): string {
  const advice = [...stepsFor(findings, list)].map(
    ([step, rules]) => `${[...rules].map(ruleWords).join(', ')}: ${step}`,
  );
  const more = advice.length - maxSteps;
  const shown = more > 1 ? advice.slice(0, maxSteps) : advice;
  const rest = more > 1 ? ` ${capital(plural(more, 'more rule'))}: -o findings.xlsx.` : '';
  return `${shown.map(capital).join('. ')}.${rest}`;
}
