/* Reports the state of a file and all its journals: the work of `carbon batch --state`. */
import {
  type FileState,
  readState,
  type StateOptions,
} from '../../../../batch/state/read-state.ts';
import {
  hasRegistrations,
  type RecordedService,
  recordedService,
} from '../../../../batch/state/recorded-service.ts';
import { UsageError } from '../../../../runtime/carbon-error.ts';
import { count, plural } from '../../../../terminal/format.ts';
import { exitCodeOf } from '../../../errors.ts';
import { withLiveStatus } from '../../../live-status.ts';
import type { Session } from '../../../session.ts';
import type { BatchFlags, BatchInput } from '../options.ts';
import { nextRuns } from './next-runs.ts';
import { renderState, stateJson } from './render-state.ts';

/* Maximum number of errors to print; the state names every unreadable journal. */
const maxProblems = 5;

/**
 * Prints the state and returns the exit code: 8 if rows are left, else 9 if rows failed, else 0. If
 * a journal cannot be read, it is the code of that error.
 *
 * @throws UsageError for options that only a run has, and as `readState` does
 */
export async function reportState(
  session: Session,
  input: BatchInput,
  flags: BatchFlags,
  options: StateOptions,
): Promise<number> {
  refuseRunOptions(session, flags);
  const limitMemory = await session.context.limitYoungGeneration();
  const service = await withLiveStatus(session, 'Reading journals', async () =>
    chooseService(session, options, await recordedService(input.path, flags.journal)),
  );
  let rows = 0;
  const onRows = (read: number) => {
    rows = read;
    limitMemory();
  };
  const status = () => `Reading rows${rows > 0 ? `: ${count.format(rows)}` : ''}`;
  const state = await withLiveStatus(session, status, () =>
    readState({ ...options, ...service, onRows }),
  );
  const next = nextRuns(session, input, flags, { state, ...service });
  const [problem] = state.problems;
  const failed = state.failed + state.invalid;
  const outcome = state.left > 0 ? 8 : failed > 0 ? 9 : 0;
  const exit = problem === undefined ? outcome : exitCodeOf(problem.error);
  if (session.format === 'json') session.printJson(stateJson(input.name, state, next, exit));
  else session.print(renderState(input.name, state, next, session.view));
  reportProblems(session, state);
  return exit;
}

function reportProblems({ messages }: Session, { problems }: FileState): void {
  for (const { error } of problems.slice(0, maxProblems)) messages.error(error);
  const more = problems.length - maxProblems;
  if (more > 0) messages.warn(`${plural(more, 'more journal')} cannot be read`);
}

function refuseRunOptions({ format, recorder }: Session, flags: BatchFlags): void {
  if (format === 'csv' || format === 'ids')
    throw new UsageError('--state prints no results; use --json to print the state as JSON');
  if (recorder !== undefined)
    throw new UsageError(
      '--state sends nothing, so it has no numbers for --metrics-file or --summary',
      'Remove the option; --json prints the state as JSON.',
    );
  const { dryRun, restart, retryFailed, maxErrors, rate } = flags;
  const concurrency = flags.hasConcurrency ? flags.concurrency : undefined;
  const runOptions = { dryRun, restart, retryFailed, maxErrors, concurrency, rate };
  const [name] = Object.entries(runOptions).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return;
  const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(
    `--state sends nothing, so it cannot be combined with --${option}`,
    'Remove one of the two options.',
  );
}

/*
 * Returns the service of the journals. Refuses a command that selects another one, unless a run of
 * that command would start over. The profile only determines which key a run uses, so it matters
 * only if an option names it.
 */
async function chooseService(
  { flags }: Session,
  { path, name, journal, service, profile }: StateOptions,
  recorded: RecordedService | undefined,
): Promise<RecordedService> {
  const selected = { service, profile };
  if (recorded === undefined) return selected;
  const isNamed = flags.profile !== undefined || flags.sandbox === true;
  const isOther = service !== '' && service !== recorded.service;
  if (!isOther && (!isNamed || profile === recorded.profile)) return recorded;
  if (service !== '' && !(await hasRegistrations(path, journal, recorded))) return selected;
  const describe = (each: RecordedService) => `${each.service} (profile ${each.profile})`;
  throw new UsageError(
    `The journals of ${name} belong to ${describe(recorded)}, but this command selects ${describe(selected)}`,
    'Select the service of the journals, or none, with --sandbox, --profile, --base-url or CARBON_BASE_URL. Use --journal to name other journals.',
  );
}
