/* Asks about rows that a run would leave out, before it registers the others. */
import { plural } from '../../../../display/terminal/format.ts';
import type { Batch } from '../../../../lists/batch/batch.ts';
import type { FindingKind, ListFinding } from '../../../../lists/batch/preflight.ts';
import { invalidInput, type UsageError } from '../../../../runtime/carbon-error.ts';
import type { Session } from '../../../session.ts';
import { placesOf, some } from './check-report.ts';

/* What such rows are, for one row and for several. */
const kinds: Partial<Record<FindingKind, readonly [string, string]>> = {
  totals: ['total', 'totals'],
  second_headers: ['second header line', 'second header lines'],
  below_table: ['under the table', 'under the table'],
};

/** Checks whether the question about doubtful rows decides about the rows of a finding. */
export function isDoubtful({ kind }: ListFinding): boolean {
  return kinds[kind] !== undefined;
}

/**
 * Returns the question about rows that a run in a terminal would leave out without a choice of the
 * user: an error with both ways out. Elsewhere, the warnings of the check are enough.
 */
export async function findDoubtfulQuestion(
  { context, flags }: Session,
  { preflight, isStdin }: Batch,
): Promise<UsageError | undefined> {
  const held = preflight.findings.filter(isDoubtful);
  const rows = held.reduce((sum, { count }) => sum + count, 0);
  if (rows === 0 || preflight.counts.new === 0 || isStdin || !context.stderr.isAnimated)
    return undefined;
  const { canAsk } = await import('../../../questions.ts');
  if (!canAsk(context, flags)) return undefined;
  const texts = held.map((finding) => {
    const [one, several] = kinds[finding.kind] ?? [];
    const values = [...finding.values.keys()].map((text) => `"${text}"`);
    const what = finding.count === 1 ? one : several;
    return `${what} ${some(values, values.length)} (${placesOf(finding)})`;
  });
  return invalidInput(
    `${plural(rows, 'row does', 'rows do')} not look like ${rows === 1 ? 'an organization' : 'organizations'}: ${texts.join('; ')}`,
    'To leave out these rows, use --doubtful skip. To register them, use --doubtful send.',
    () => ({
      question: 'What should happen to these rows?',
      options: [
        { label: `Leave out ${plural(rows, 'row')}`, add: ['--doubtful', 'skip'] },
        {
          label: `Send ${plural(rows, 'row')} as ${rows === 1 ? 'an organization' : 'organizations'}`,
          add: ['--doubtful', 'send'],
        },
      ],
    }),
  );
}
