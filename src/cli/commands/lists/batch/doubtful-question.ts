/* Asks about rows that a run would leave out, before it registers the others. */
import { plural } from '../../../../display/terminal/format.ts';
import type { Batch } from '../../../../lists/batch/batch.ts';
import { invalidInput } from '../../../../runtime/carbon-error.ts';
import type { Session } from '../../../session.ts';

const kinds: readonly string[] = ['totals', 'second_headers', 'below_table'];
const maxShown = 6;

/**
 * Stops a run in a terminal that would leave out rows without a choice of the user. Elsewhere, the
 * warnings of the check are enough.
 * @throws UsageError with both ways out
 */
export async function askAboutDoubtful(
  { context, flags }: Session,
  { preflight, isStdin }: Batch,
): Promise<void> {
  const held = preflight.findings.filter(({ kind }) => kinds.includes(kind));
  const rows = held.reduce((sum, { count }) => sum + count, 0);
  if (rows === 0 || preflight.counts.new === 0 || isStdin || !context.stderr.isAnimated) return;
  const { canAsk } = await import('../../../questions.ts');
  if (!canAsk(context, flags)) return;
  const texts = held.flatMap(({ values }) => [...values.keys()]);
  const shown = texts.slice(0, maxShown).map((text) => `"${text}"`);
  const more = texts.length > maxShown ? ', ...' : '';
  throw invalidInput(
    `${plural(rows, 'row does', 'rows do')} not look like ${rows === 1 ? 'an organization' : 'organizations'}: ${shown.join(', ')}${more}`,
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
