import type { Session } from './session.ts';

/* What is done sooner needs no explanation. */
const longMs = 500;

/**
 * Does some work that writes nothing to a terminal on standard output; when it takes long, a person at a terminal sees a spinner
 * with the text and the time.
 */
export async function working<Result>(
  session: Session,
  text: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!session.isLive) return work();
  const ended = new AbortController();
  // A spinner that cannot be shown is no reason to fail.
  const shown = show(session, text, ended.signal).catch(() => undefined);
  try {
    return await work();
  } finally {
    ended.abort();
    await shown;
  }
}

async function show({ context, messages }: Session, text: string, ended: AbortSignal): Promise<void> {
  const { clock, stderr } = context;
  const sleep = (ms: number) => clock.sleep(ms, ended).catch(() => undefined);
  const began = clock.elapsed();
  await sleep(longMs);
  if (ended.aborted) return;
  const [{ createSpinner }, { renderDuration }] = await Promise.all([
    import('../render/progress.ts'),
    import('../render/duration.ts'),
  ]);
  const spinner = await createSpinner(stderr, !ended.aborted, messages.style);
  messages.divert((line) => spinner.note(line));
  while (!ended.aborted) {
    spinner.text(`${text} · ${renderDuration(clock.elapsed() - began)}`);
    await sleep(1_000);
  }
  spinner.stop();
  messages.divert(undefined);
}
