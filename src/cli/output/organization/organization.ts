import type { Organization } from '../../../api/schema.ts';
import { layoutColumns, type RecordView } from '../../../terminal/render-options.ts';
import {
  factLines,
  isKnown,
  missing,
  plainLines,
  type Section,
  sectionLines,
} from '../../../terminal/section.ts';
import { commitments } from './commitments.ts';
import { emissions } from './emissions.ts';
import { profile } from './identity.ts';
import { matching } from './matched-organization.ts';
import { performance } from './performance.ts';
import { score } from './score.ts';
import { sources } from './sources.ts';

/* Longer lines are hard to read, however wide the terminal is. */
const widest = 100;

/** Fields of the specification's section 2 that only `--json` shows, and why. */
export const notShown: readonly { readonly field: string; readonly reason: string }[] = [
  {
    field: 'industry.performances',
    reason: 'the specification does not show the shape of its items',
  },
  {
    field: 'performances.production_emission_factors',
    reason: 'the specification does not show its shape',
  },
  { field: 'performances.documents', reason: 'the specification does not show its shape' },
];

/**
 * Renders a record for people: sections with bars and tables on a terminal, else the same facts as
 * lines `label: value` that grep finds. What is missing is named in one line. Ends with a line
 * break.
 * @param record as `readRecord` returned it: its text need not be safe
 */
export function renderOrganization(record: Organization, view: RecordView): string {
  const head = profile(record, view.synthetic);
  const rest = [score, emissions, performance, commitments, matching, sources].map((tell) =>
    tell(record),
  );
  const lines = view.terminal
    ? terminalLines(head, rest, view)
    : pipeLines([head, ...rest], view.style);
  return `${lines.join('\n')}\n`;
}

/* Without colour, unless it is forced. */
function pipeLines(sections: readonly Section[], { dim }: RecordView['style']): string[] {
  const gaps = sections.flatMap(missing);
  const lines = [
    ...sections.flatMap(plainLines),
    ...(gaps.length > 0 ? [`no data: ${gaps.join(', ')}`] : []),
  ];
  return lines.map((line) => line.replace(/^[^:]*:/, (label) => dim(label)));
}

function terminalLines(head: Section, rest: readonly Section[], view: RecordView): string[] {
  const columns = layoutColumns(view, widest);
  const unseen = [head, ...rest].filter((section) => !(section.showsGaps && isKnown(section)));
  const gaps = unseen.flatMap(missing).map((gap) => ['', gap] as const);
  const blocks = [
    head.renderTerminal?.(columns, view.style) ?? [],
    ...rest.map((section) => sectionLines(section, columns, view.style)),
    factLines([{ label: 'no data', details: gaps, tone: 'dim' }], columns, view.style),
  ];
  return blocks
    .filter((block) => block.length > 0)
    .flatMap((block, at) => (at === 0 ? block : ['', ...block]));
}
