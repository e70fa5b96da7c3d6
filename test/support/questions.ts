import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keys, newFolder, run, transcript, type World } from './run.ts';

/** A terminal that can show questions. */
export const terminal: World = { terminal: 200, isAnimated: true };

/** Returns a text without escape sequences. */
export const withoutEscapes = (text: string) => text.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '');

/** Returns what a terminal shows of a first question, and its options. */
function readQuestion(stderr: string) {
  const [asked = ''] = stderr.split(/\n[^\n]*Enter:/, 1);
  // A busy machine shows how long it reads, and then writes over that.
  const last = asked.replace(/[^\n]*\u001b\[\d*G/g, '');
  const lines = withoutEscapes(last).split('\n');
  const options = lines.filter((line) => /^[●○] /.test(line));
  return {
    shown: lines.slice(0, lines.length - options.length),
    labels: options.map((line) => line.slice(2)),
    initial: options.findIndex((line) => line.startsWith('●')),
  };
}

/**
 * Chooses each option of a question in turn, and leaves every later question. Returns the question,
 * and what each option runs.
 */
export async function waysOut(
  argv: readonly string[],
  folder = '',
  world: World = {},
): Promise<string> {
  const answer = (typed: string) => {
    const others = [keys.escape, keys.escape, keys.escape];
    return run(argv, { ...terminal, ...world, typed: [typed, ...others] });
  };
  const { shown, labels, initial } = readQuestion((await answer(keys.escape)).stderr);
  const ways: string[] = [];
  for (const [index, label] of labels.entries()) {
    const steps = index - initial;
    const moves = (steps < 0 ? keys.up : keys.down).repeat(Math.abs(steps));
    const { exit, stderr } = await answer(`${moves}${keys.enter}`);
    const [line = `exit ${exit}`] =
      /^(?:Running|To continue, run): .*$/m.exec(withoutEscapes(stderr)) ?? [];
    ways.push(`${label} → ${line}`);
  }
  return [...shown, ...ways].join('\n').replaceAll(`${folder}/`, '');
}

/** A command line with its files. */
export interface Case {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly argv: readonly string[];
}

/** Writes the files of a case, and returns its command line and what a pipe prints. */
export async function inPipe({ files = {}, argv }: Case) {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const line = argv.map((word) => (word in files ? join(folder, word) : word));
  const pipe = (await transcript(line)).replaceAll(`${folder}/`, '');
  return { folder, line, pipe };
}
