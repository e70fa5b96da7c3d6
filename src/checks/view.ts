import type { Column, ColumnType } from '../query/query.ts';
import type { Finding } from './findings.ts';

/** A finding, and whether its record is synthetic data of the sandbox. */
export interface ShownFinding extends Finding {
  readonly synthetic: boolean;
}

const column = (
  name: keyof ShownFinding,
  type: ColumnType = 'text',
  title?: string,
): Column<ShownFinding> => ({
  name,
  type,
  title,
  description: '',
  value: (finding) => (name === 'synthetic' ? finding.synthetic || null : finding[name]),
});

/** The columns of findings, in a terminal those with a title. */
export const findingColumns: readonly Column<ShownFinding>[] = [
  column('id', 'text', 'ID'),
  column('name', 'text', 'Name'),
  column('rule', 'text', 'Finding'),
  column('severity', 'text', 'Severity'),
  column('value'),
  column('limit'),
  column('year', 'number', 'Year'),
  column('evidence', 'text', 'What the record says'),
  column('action'),
  column('synthetic', 'boolean'),
];
