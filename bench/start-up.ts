import type { Finding } from './findings.ts';
import {
  type CommandLine,
  carbon,
  median,
  medianRatio,
  node,
  startServer,
  timeInTurns,
} from './measure.ts';

/** Measures how long the lightest commands take from start to end, next to a bare Node. */
export async function* startUp(turns: number): AsyncGenerator<Finding> {
  const server = await startServer();
  const own = (...argv: string[]): CommandLine => [node, carbon, ...argv];
  const commands = new Map<string, CommandLine>([
    ['node -e 0', [node, '-e', '0']],
    ['carbon --version', own('--version')],
    ['carbon --help', own('--help')],
    ['carbon get ID --json', own('get', '1', '--json')],
    ['curl, same request', ['curl', '-s', `${server.url}/organizations/1`]],
  ]);
  const times = timeInTurns(commands, turns, server.env);
  server.stop();
  const goals: Readonly<Record<string, number>> = {
    'carbon --version': 1.15,
    'carbon --help': 1.25,
    'carbon get ID --json': 3,
  };
  const bare = times.get('node -e 0') ?? [];
  for (const [what, all] of times) {
    const most = goals[what];
    const goal = most === undefined ? undefined : (['at most', most] as const);
    const [value, ratio] = [median(all), medianRatio(all, bare)];
    yield { section: 'start-up', what, value, unit: 'ms', ratio, goal };
  }
}
