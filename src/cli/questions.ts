/*
 * Asks instead of stopping: an error with several ways out becomes a question if a person sits at
 * the terminal, and the answer is a command line. Loads nothing that asks until it asks.
 */
import type { Command } from 'commander';
import { plural } from '../display/terminal/format.ts';
import { quoteWords, sanitize } from '../display/terminal/sanitize.ts';
import { CarbonError, type Choices, type HintedError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { changeLine } from './command-line.ts';
import { Declined } from './errors.ts';
import type { Messages } from './messages.ts';
import type { GlobalFlags } from './options.ts';

/** Checks whether a person can answer: all three streams are terminals, and no option says no. */
export function canAsk(
  { stdin, stdout, stderr }: Context,
  { json, progress }: Pick<GlobalFlags, 'json' | 'progress'>,
): boolean {
  // A stream of a CI or of TERM=dumb is not animated.
  const isTerminal = stdout.isTerminal && stderr.isAnimated && stdin.isTTY === true;
  return isTerminal && json !== true && progress !== false;
}

/** A run that failed. */
interface FailedRun {
  readonly context: Context;
  readonly messages: Messages;
  readonly flags: Pick<GlobalFlags, 'json' | 'progress'>;
  /** Undefined if the command line could not be parsed. */
  readonly command: Command | undefined;
  readonly argv: readonly string[];
}

/**
 * Prints an error as a question, and returns the words after `carbon` of the command line that the
 * user chose. If nobody can answer, or the user stops, prints the error as elsewhere.
 * @throws Stopped on an interrupt
 */
export async function askInstead(
  error: HintedError,
  { context, messages, flags, command, argv }: FailedRun,
): Promise<readonly string[] | undefined> {
  // Standard input cannot be read again.
  const mayAsk = canAsk(context, flags) && !argv.includes('-');
  const choices = mayAsk ? await findChoices(error) : undefined;
  if (choices === undefined) {
    messages.error(error);
    return undefined;
  }
  const { problem = error.message, question, options, initial, stop = 'Stop' } = choices;
  messages.problem(problem);
  const labels = options.map(({ label, hint }) =>
    messages.redact(hint ? `${label}: ${hint}` : label),
  );
  const { select } = await import('./prompter.ts');
  const view = { context, hasColor: messages.hasColor };
  const chosen = await select(view, messages.redact(question), [...labels, stop], initial);
  const option = chosen === undefined ? undefined : options[chosen];
  if (option === undefined) {
    messages.error(error, undefined, problem === error.message);
    return undefined;
  }
  const { advice, instead } = option;
  const line = instead ?? (command && changeLine(command, argv, option));
  const isRun = advice === undefined && line !== undefined;
  const [start, words] = isRun
    ? ['Running', quoteLine(context, line)]
    : ['To continue, run', advice];
  const { wrapCommand } = await import('../display/terminal/text.ts');
  const { platform, stderr } = context;
  // Redact before breaking: a secret that is split over two lines would not be found.
  const shown = sanitize(messages.redact(words ?? ''));
  for (const text of wrapCommand(`${start}: `, shown, stderr.columns, platform))
    messages.line(text);
  return isRun ? line : undefined;
}

function quoteLine({ platform }: Context, words: readonly string[]): string {
  return quoteWords(['carbon', ...words], platform);
}

/* What can no longer be read offers nothing to choose. */
async function findChoices(error: HintedError): Promise<Choices | undefined> {
  try {
    const choices = await error.choices?.();
    return choices?.options.length === 0 ? undefined : choices;
  } catch (thrown) {
    if (thrown instanceof CarbonError) return undefined;
    throw thrown;
  }
}

/**
 * Asks before organizations are registered, which cannot be undone, if a person can answer.
 * @param number of organizations
 * @param host of the service
 * @throws Declined unless the answer is yes; Stopped on an interrupt
 */
export async function confirmNew(
  { context, messages, flags }: Pick<FailedRun, 'context' | 'messages' | 'flags'>,
  number: number,
  host: string,
): Promise<void> {
  if (!canAsk(context, flags)) return;
  const { confirm } = await import('./prompter.ts');
  const organizations = plural(number, 'new organization');
  const question = `Register ${organizations} at ${host}? It uses quota and cannot be undone.`;
  const view = { context, hasColor: messages.hasColor };
  if (!(await confirm(view, messages.redact(question)))) throw new Declined();
}
