import { buildProgram } from '../../src/cli/program.ts';

/** Checks whether the program accepts a command line and can read the values of its options. */
export async function understands(line: string): Promise<boolean> {
  const words = [...line.replace(/ [<>] \S+$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  );
  let ran = false;
  const work = async () => {
    ran = true;
  };
  const own = await buildProgram('0', work, () => undefined);
  await own.parseAsync(words.slice(1), { from: 'user' });
  return ran && words[0] === 'carbon';
}
