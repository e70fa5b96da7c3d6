/* What a check found, for a terminal: each finding once, then the companies that have it. */
import { sanitize } from '../../display/terminal/sanitize.ts';
import type { Style } from '../../display/terminal/style.ts';
import { capital, pad, truncate, width, wrap, wrapWords } from '../../display/terminal/text.ts';
import { companies } from '../organizations/statements.ts';
import { ruleWords } from './check-records.ts';
import type { FindingOfYears } from './finding-years.ts';
import { yearsText } from './statements.ts';

const maxId = 20;
const maxName = 30;
/* The columns that the evidence needs next to a name; with fewer, it follows below. */
const minEvidence = 24;

/** Renders findings by their rule, in their order. No line is wider than `columns`. */
export function findingLines(
  findings: readonly FindingOfYears[],
  columns: number,
  style: Style,
): string[] {
  const groups = new Map<string, FindingOfYears[]>();
  for (const finding of findings) {
    const key = `${finding.rule} ${finding.severity}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  const widest = (texts: readonly string[]) => Math.max(...texts.map(width));
  const [id, year] = [widest(findings.map(idText)), widest(findings.map(yearsOf))];
  const room = columns - id - (year > 0 ? year + 2 : 0) - 4;
  const name = Math.min(maxName, room, widest(findings.map(nameText)));
  return [...groups.values()].flatMap((group) =>
    groupLines(group, { columns, style, widths: { id, name, year } }),
  );
}

function idText({ id }: FindingOfYears): string {
  return truncate(sanitize(String(id ?? '–')), maxId);
}

function nameText({ name }: FindingOfYears): string {
  return sanitize(name ?? '').trim() || 'no name';
}

function yearsOf({ years }: FindingOfYears): string {
  return years.length === 0 ? '' : yearsText(years);
}

interface Layout {
  readonly columns: number;
  readonly style: Style;
  /** Those of the cells in all groups. */
  readonly widths: Readonly<Record<'id' | 'name' | 'year', number>>;
}

function groupLines(
  group: readonly FindingOfYears[],
  { columns, style, widths }: Layout,
): string[] {
  const [first] = group;
  if (first === undefined) return [];
  const ids = new Set(group.map(({ id }) => id));
  const texts = group.map(({ evidence }) => sanitize(evidence));
  const isSame = group.length > 1 && texts.every((text) => text === texts[0]);
  const title = capital(ruleWords(first.rule));
  const who = `${first.severity}, ${companies(ids.size)}`;
  const [head = '', ...more] = wrapWords(
    `${title} (${who})${isSame ? `: ${texts[0]}` : ''}`,
    columns - 4,
  );
  const heading = head.startsWith(title) ? style.bold(title) + head.slice(title.length) : head;
  const rows = group.flatMap((finding, at) => {
    const name = pad(truncate(nameText(finding), widths.name), widths.name);
    const years = widths.year > 0 ? `  ${pad(yearsOf(finding), widths.year)}` : '';
    const start = `  ${pad(idText(finding), widths.id, 'left')}  ${name}${years}`;
    if (isSame) return [start.trimEnd()];
    const room = columns - width(start) - 2;
    const [line = '', ...others] = wrap(texts[at] ?? '', Math.max(minEvidence, room));
    if (room >= minEvidence)
      return [
        `${start}  ${line}`,
        ...others.map((each) => `${' '.repeat(width(start) + 2)}${each}`),
      ];
    return [start.trimEnd(), ...wrap(texts[at] ?? '', columns - 4).map((each) => `    ${each}`)];
  });
  return [heading, ...more.map((line) => `    ${line}`), ...rows];
}
