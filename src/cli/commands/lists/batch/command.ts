import type { Batch } from '../../../../lists/batch/batch.ts';
import { LocalError, toCarbonError } from '../../../../runtime/carbon-error.ts';
import { flush } from '../../../../runtime/context.ts';
import { command, hint } from '../../../../runtime/hint.ts';
import { printRegistering } from '../../../dry-run.ts';
import { exitCodeOf, finishedExits } from '../../../errors.ts';
import { type CommandDeclaration, serviceOptions } from '../../../options.ts';
import type { OutFile } from '../../../output/out-file.ts';
import { openOut } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';
import {
  type BatchFlags,
  batchOptions,
  openList,
  type Registered,
  register,
  serviceOf,
  withInput,
} from './open-list.ts';
import { writeOutcomes } from './results.ts';
import { exitOf, exitOfStop, reportBatch } from './summary.ts';

const howItWorks = `
A registration uses quota and can't be undone: check with --dry-run first.

To resume a batch that stopped (Ctrl-C, kill -9, power loss), run the same
command again: the journal <file>.carbon.jsonl records every result. You can
sort, edit or extend the file between runs.

-o results.xlsx writes your rows with carbon_id, carbon_status and the reason
of each failure. Correct <file>, and run the same command again.

Exit codes: 0 success, 1 local failure, 2 nothing was sent, 4 API key missing or
rejected, 6 run the same command later, 8 rows remain (--status), 9 some rows
failed.

More: docs/batch.md (carbon help docs)`;

export const batchCommand: CommandDeclaration<typeof batchOptions> = {
  name: 'batch',
  group: 'Lists',
  summary: 'Register every row of a list; run it again to resume',
  arguments: [
    {
      term: '<file>',
      description: 'CSV file or .xlsx workbook with a header line, or - for standard input',
    },
  ],
  options: batchOptions,
  examples: [
    'carbon batch suppliers.csv --dry-run',
    'carbon batch suppliers.csv --invalid skip -o results.xlsx',
    'carbon batch suppliers.csv -q | carbon watch - --json > records.ndjson',
    'carbon batch suppliers.csv --no-progress',
  ],
  notes: howItWorks,
  formats: ['human', 'json', 'ids'],
  service: serviceOptions,
  missing: [
    'a file',
    hint`Try ${command`batch suppliers.csv`}, or ${command`batch - --keep <dir>`} to read standard input.`,
  ],
  run: (session, [file = ''], flags) => batch(session, file, flags),
};

async function batch(session: Session, file: string, flags: BatchFlags): Promise<number> {
  const out = await openOut(session, flags.out, {
    extensions: ['.xlsx', '.csv'],
    inputs: [file],
  });
  return withInput(session, file, flags, async (input) => {
    if (flags.status) {
      const { reportStatus } = await import('./status.ts');
      return reportStatus(session, input, flags);
    }
    const list = await openList(session, input, flags, { out });
    try {
      if (flags.dryRun) return endDryRun(session, list.preflight.counts);
      const service = serviceOf(session, flags);
      const registered = await register(session, list, flags, { service, printsRows: true });
      return await endBatch(session, registered, flags, out);
    } finally {
      list.close();
    }
  });
}

function endDryRun(session: Session, { new: rows, invalid }: Batch['preflight']['counts']): number {
  if (rows > 0) printRegistering(session);
  return invalid > 0 ? 9 : 0;
}

async function endBatch(
  session: Session,
  registered: Registered,
  flags: BatchFlags,
  out: OutFile | undefined,
): Promise<number> {
  const { context, messages } = session;
  const { list, outcome, screen } = registered;
  const stopped = exitOfStop(context);
  if (stopped === 0)
    // The summary follows even if the list is gone.
    await screen
      .printOthers(list, !(outcome.stop instanceof LocalError))
      .catch((error: unknown) => {
        if (!(error instanceof LocalError)) throw error;
      });
  let failure =
    out === undefined || stopped > 0 || outcome.stop instanceof LocalError
      ? undefined
      : await writeOutcomes(session, list, out).catch(toCarbonError);
  await flush(context);
  const ended = stopped || exitOf(outcome);
  if (failure === undefined && finishedExits.includes(ended))
    failure = await list.noteListing().catch(toCarbonError);
  const exit = failure && stopped === 0 ? exitCodeOf(failure) : ended;
  if (failure) messages.error(failure);
  reportBatch(session, registered, flags, exit);
  if (stopped > 0) throw context.signal.reason;
  return exit;
}
