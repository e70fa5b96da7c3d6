import { buildProgram } from '../../src/cli/program.ts';

/** Returns whether the program accepts a command line with these values of options. */
export async function understands(line: string): Promise<boolean> {
  const words = [...line.replace(/ 2?[<>] \S+$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  );
  let ran = false;
  const work = async () => {
    ran = true;
  };
  const program = await buildProgram('0', { run: work, help: work, write: () => undefined });
  await program.parseAsync(words.slice(1), { from: 'user' });
  return ran && words[0] === 'carbon';
}
