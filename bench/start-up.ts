import type { Finding } from './findings.ts';
import {
  type CommandLine,
  carbon,
  isInstalled,
  node,
  nodeVersion,
  program,
  startServer,
  timeInTurns,
} from './measure.ts';

const isNode20 = nodeVersion.startsWith('v20.');

/** Measures how long commands take from start to end, side by side with other tools. */
export async function* startUp(
  turns: number,
  print: (text: string) => void,
): AsyncGenerator<Finding> {
  const server = await startServer();
  const url = `${server.url}/organizations/1`;
  const own = (...argv: string[]): CommandLine => [node, carbon, ...argv];
  const commands = new Map<string, CommandLine>([
    ['node -e 0', [node, '-e', '0']],
    ['carbon --version', own('--version')],
    ['carbon --help', own('--help')],
    ['carbon get --help', own('get', '--help')],
    ['carbon whoami', own('whoami')],
    ['carbon get ID --json', own('get', '1', '--json')],
    ['smallest undici program, same request', [node, program('smallest-get.cjs'), server.url, '1']],
  ]);
  const peers: [string, CommandLine, CommandLine][] = [
    ['curl, same request', ['curl', '--version'], ['curl', '-s', url]],
    ['curl | jq, same request', ['jq', '--version'], ['sh', '-c', `curl -s ${url} | jq .`]],
    ...['gh', 'npm', 'aws'].map((name): [string, CommandLine, CommandLine] => [
      `${name} --version`,
      [name, '--version'],
      [name, '--version'],
    ]),
  ];
  for (const [name, test, command] of peers) {
    if (isInstalled(...test)) commands.set(name, command);
    else print(`${name}: not installed; not measured`);
  }
  const times = timeInTurns(commands, turns, server.env);
  server.stop();
  const ms = (name: string) => times.get(name) ?? Number.NaN;
  const goals: Readonly<Record<string, number>> = {
    'carbon --version': 1.15,
    'carbon --help': 1.25,
    'carbon get ID --json': isNode20 ? 3 : 2.6,
  };
  const bare = ms('node -e 0');
  for (const [what, value] of times) {
    const goal = goals[what];
    yield {
      section: 'start-up',
      what,
      value,
      unit: 'ms',
      ratio: value / bare,
      goal: goal === undefined ? undefined : ['at most', goal],
    };
  }
  const against = (what: string, value: number, other: number, max: number): Finding => ({
    section: 'start-up',
    what,
    value,
    unit: 'ms',
    ratio: value / other,
    goal: ['at most', max],
  });
  const get = ms('carbon get ID --json');
  yield against(
    'get, to the smallest undici program',
    get,
    ms('smallest undici program, same request'),
    1.15,
  );
  if (times.has('gh --version')) {
    yield against('--version, to that of gh', ms('carbon --version'), ms('gh --version'), 1);
  }
}
