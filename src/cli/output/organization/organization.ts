import type { Organization } from '../../../api/schema.ts';
import {
  factLines,
  isKnown,
  missing,
  plainLines,
  type Section,
  sectionLines,
} from '../../../terminal/section.ts';
import { layoutColumns, type RecordView } from '../../../terminal/view.ts';
import { commitments } from './commitments.ts';
import { emissions } from './emissions.ts';
import { identity } from './identity.ts';
import { matchedOrganization } from './matched-organization.ts';
import { performance } from './performance.ts';
import { score } from './score.ts';
import { sources } from './sources.ts';

/* Longer lines are hard to read on any terminal. */
const maxColumns = 100;

/** The fields of section 2 of the specification that only `--json` shows, with the reason. */
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
 * lines `label: value` for grep. One line names all missing data. The text ends with a line break.
 * @param record as `readRecord` returns it; its text may be unsafe
 */
export function renderOrganization(record: Organization, view: RecordView): string {
  const head = identity(record, view.synthetic);
  const sections = [score, emissions, performance, commitments, matchedOrganization, sources].map(
    (describe) => describe(record),
  );
  const lines = view.terminal
    ? terminalLines(head, sections, view)
    : pipeLines([head, ...sections], view.style);
  return `${lines.join('\n')}\n`;
}

function pipeLines(sections: readonly Section[], { dim }: RecordView['style']): string[] {
  const gaps = sections.flatMap(missing);
  const lines = [
    ...sections.flatMap(plainLines),
    ...(gaps.length > 0 ? [`no data: ${gaps.join(', ')}`] : []),
  ];
  return lines.map((line) => line.replace(/^[^:]*:/, (label) => dim(label)));
}

function terminalLines(head: Section, sections: readonly Section[], view: RecordView): string[] {
  const columns = layoutColumns(view, maxColumns);
  const withHiddenGaps = [head, ...sections].filter(
    (section) => !(section.showsGaps && isKnown(section)),
  );
  const gaps = withHiddenGaps.flatMap(missing).map((gap) => ['', gap] as const);
  const blocks = [
    head.renderTerminal?.(columns, view.style) ?? [],
    ...sections.map((section) => sectionLines(section, columns, view.style)),
    factLines([{ label: 'no data', details: gaps, tone: 'dim' }], columns, view.style),
  ];
  return blocks
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}
