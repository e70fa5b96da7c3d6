import type { Finding } from './findings.ts';
import { type Manner, quotas, scenarioOf, type Trial, trials } from './pacing-scenarios.ts';
import { simulate } from './pacing-simulation.ts';

export { simulate };

const manners: readonly Manner[] = ['Retry-After', 'bare 429', 'headers'];

/** Results of a trial with several seeds: medians and worst cases, in percent. */
export interface Findings {
  readonly share: Spread;
  readonly refused: Spread;
  /** Rows done, with the worst seed. */
  readonly done: number;
}

interface Spread {
  readonly median: number;
  readonly worst: number;
}

/** Runs a trial with the seeds 1 to `seeds`. */
export function tryOut(trial: Trial, manner: Manner, seeds = 9): Findings {
  const results = Array.from({ length: seeds }, (_, index) =>
    simulate(scenarioOf(trial, manner, index + 1)),
  );
  const share = results.map((result) => 100 * result.share).sort((a, b) => b - a);
  const refused = results.map((result) => 100 * result.refused).sort((a, b) => a - b);
  const done = Math.min(...results.map((result) => result.done));
  return { share: spread(share), refused: spread(refused), done };
}

function spread(bestFirst: readonly number[]): Spread {
  return {
    median: bestFirst[bestFirst.length >> 1] ?? Number.NaN,
    worst: bestFirst.at(-1) ?? Number.NaN,
  };
}

/**
 * Yields a line for every scenario at three latencies: the share of the permitted rate and the
 * share of refused requests, each as median (worst) in percent.
 */
export function* pacingTable(): Generator<string> {
  const cell = (text: string) => ` | ${text.padEnd(26)}`;
  for (const latencyMs of [50, 5, 200]) {
    yield `\n${`${latencyMs} ms`.padEnd(36)}${manners.map(cell).join('')} | goal\n`;
    for (const trial of trials) {
      if (trial.latencyMs !== undefined && latencyMs !== 50) continue;
      const cells = manners.map((manner) => {
        const { share, refused, done } = tryOut({ latencyMs, ...trial }, manner);
        return cell(`${percent(share)} ${percent(refused)}${done < trial.rows ? ' LOST' : ''}`);
      });
      yield `${trial.name.padEnd(36)}${cells.join('')} | ${trial.goal?.join(' ') ?? ''}\n`;
    }
  }
  for (const trial of quotas) {
    for (const manner of ['Retry-After', 'bare 429'] as const) {
      if (typeof trial.retryAfter === 'number' && manner === 'bare 429') continue;
      const result = simulate(scenarioOf(trial, manner, 1));
      const { sent, done, finishMs } = result;
      yield `${trial.name}, ${manner}: stopped after ${Math.round(finishMs / 1000)} s, ${sent - done} refused\n`;
    }
  }
}

function percent({ median, worst }: Spread): string {
  return `${median.toFixed(1).padStart(5)} (${worst.toFixed(1)})`;
}

/**
 * Measures on the virtual clock what share of the permitted rate the pacer reaches, in every
 * scenario that has a goal.
 */
export function* pacing(seeds: number): Generator<Finding> {
  for (const trial of trials) {
    for (const manner of manners) {
      const goal = manner === 'headers' ? trial.goalWhenTold : trial.goal;
      if (goal === undefined) continue;
      const { share, refused } = tryOut(trial, manner, seeds);
      const section = 'pacing, virtual clock';
      const what = `${trial.name}, ${manner}`;
      yield {
        section,
        what: `${what}: of the permitted`,
        value: share.median,
        unit: '%',
        goal: ['at least', goal[0]],
      };
      yield {
        section,
        what: `${what}: refused`,
        value: refused.median,
        unit: '%',
        goal: ['at most', goal[1]],
      };
    }
  }
}
