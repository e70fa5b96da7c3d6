/* Shows to which sums each way to read a file with spend leads. Only a question needs it. */

import { cut } from '../../../display/terminal/format.ts';
import { replacePairs } from '../../../lists/table/map-pairs.ts';
import {
  type Choice,
  type FindChoices,
  HintedError,
  invalidInput,
  UsageError,
} from '../../../runtime/carbon-error.ts';
import { numberOf, plus, zero } from '../decimal.ts';
import type { SpendOptions, SpendReport } from './spend-file.ts';

type ReadSpend = (options: SpendOptions) => Promise<SpendReport>;

const maxProblemLength = 80;
const maxYears = 3;

/**
 * Adds the sums to the choices of an error that have no hint.
 * @param read reads the whole file with other options
 */
export function withSums(error: unknown, options: SpendOptions, read: ReadSpend): unknown {
  if (!(error instanceof HintedError) || error.choices === undefined) return error;
  const find: FindChoices = async () => {
    const choices = await error.choices?.();
    if (choices === undefined) return undefined;
    const shown: Choice[] = [];
    for (const choice of choices.options) {
      const hint = choice.hint ?? (await sumsAfter(changeOptions(options, choice), read));
      shown.push({ ...choice, hint });
    }
    return { ...choices, options: shown };
  };
  return invalidInput(error.message, error.hint, find);
}

/* Returns the sums by currency; those of each answer if another question follows. */
async function sumsAfter(options: SpendOptions, read: ReadSpend, isLast = false): Promise<string> {
  try {
    return `sum ${sumsOf(await read(options))}`;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const next = isLast ? undefined : await error.choices?.();
    if (next === undefined) return `then ${cut(error.message, maxProblemLength)}`;
    const sums: string[] = [];
    for (const choice of next.options)
      sums.push(await sumsAfter(changeOptions(options, choice), read, true));
    return sums.join(' or ');
  }
}

function sumsOf({ purchases, credits, years }: SpendReport): string {
  const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });
  const sums = [...new Set([...purchases.keys(), ...credits.keys()])].map((code) => {
    const sum = plus(purchases.get(code) ?? zero, credits.get(code) ?? zero);
    return `${number.format(numberOf(sum))} ${code || 'without a currency'}`;
  });
  const known = [...years.keys()].filter((year) => year !== undefined);
  const when = known.length > 0 && known.length <= maxYears ? ` in ${known.join(', ')}` : '';
  return `${sums.join(', ') || 0}${when}`;
}

/* Reads the words of a choice as the command line does. */
function changeOptions(options: SpendOptions, { add = [], without = [] }: Choice): SpendOptions {
  const kept = { ...options };
  for (const word of without) delete kept[optionOf(word)];
  const changed: Record<string, unknown> = { ...kept };
  for (let at = 0; at < add.length; at += 1) {
    const [word = '', value = ''] = add.slice(at, at + 2);
    if (word === '--invert') changed['invert'] = true;
    else {
      at += 1;
      changed[optionOf(word)] =
        word === '--map'
          ? [...replacePairs(options.map ?? [], [value]), value]
          : word === '--spend-year'
            ? Number(value)
            : value;
    }
  }
  return changed as SpendOptions;
}

/* commander names the option `--amounts-in` amountsIn. */
function optionOf(word: string): keyof SpendOptions {
  const name = word
    .replace(/^--/, '')
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return name as keyof SpendOptions;
}
