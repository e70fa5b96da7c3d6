import { buildProgram } from '../../src/cli/program.ts';

/** Splits a command line into words; quotation marks hold words together. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');

/** Returns whether the program accepts a command line with these values of options. */
export async function understands(line: string): Promise<boolean> {
  const words = wordsOf(line.replace(/ 2?[<>] \S+$/, ''));
  let ran = false;
  const work = async () => {
    ran = true;
  };
  const program = await buildProgram('0', { run: work, help: work, write: () => undefined });
  await program.parseAsync(words.slice(1), { from: 'user' });
  return ran && words[0] === 'carbon';
}
