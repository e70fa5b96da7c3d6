import { type Finding, formatRatio, formatValue, isReached } from './findings.ts';

/** When and where a bench ran. */
export interface Circumstances {
  /** The commit that was measured, and whether the sources differed from it. */
  readonly commit: string;
  /** In the format `2026-11-22`. */
  readonly date: string;
  readonly machine: string;
  /** The load average of the last minute when the bench began; above 1, compare nothing. */
  readonly load: number;
  readonly node: string;
  /** The command line of the bench. */
  readonly command: string;
}

/* What the ratios of a section compare with. */
const yardsticks: Readonly<Record<string, string>> = {
  'start-up': 'The ratio is the duration divided by that of bare `node -e 0`.',
  batch: 'The ratio compares with a bare undici Pool that parses each record.',
};

/** Renders docs/dev/figures.md: all figures in a table for each section, and the missed goals. */
export function renderFigures(
  { commit, date, machine, load, node, command }: Circumstances,
  findings: readonly Finding[],
): string {
  const sections = [...new Set(findings.map(({ section }) => section))];
  const tables = sections.map((section) => {
    const ofSection = findings.filter((finding) => finding.section === section);
    const hasRatio = ofSection.some(({ ratio }) => ratio !== undefined);
    const header = ['what', 'median', ...(hasRatio ? ['ratio'] : []), 'goal', 'result'];
    const rows = ofSection.map((finding) => cellsOf(finding, hasRatio));
    return [
      `## ${section[0]?.toUpperCase()}${section.slice(1)}`,
      ...(yardsticks[section] === undefined ? [] : ['', yardsticks[section]]),
      '',
      ...[header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`),
    ].join('\n');
  });
  const intro = [
    '# Figures',
    '',
    '[Performance](performance.md) explains these figures. `npm run bench` generates this page.',
    '',
    `- commit: ${commit}`,
    `- date: ${date}`,
    `- machine: ${machine}`,
    `- load of other programs: ${load.toFixed(1)}`,
    `- Node: ${node}`,
    `- command: \`${command}\``,
    '',
    ...goalLines(findings),
  ].join('\n');
  return `${[intro, ...tables].join('\n\n')}\n`;
}

function goalLines(findings: readonly Finding[]): string[] {
  const withGoal = findings.filter(({ goal }) => goal !== undefined);
  const missed = withGoal.filter((finding) => isReached(finding) === false);
  const summary = `${withGoal.length - missed.length} of ${withGoal.length} goals are met.`;
  if (missed.length === 0) return [summary];
  return [
    `${summary} Missed:`,
    '',
    ...missed.map((finding) => `- ${finding.section}: ${escapeCell(finding.what)}`),
  ];
}

function cellsOf(finding: Finding, hasRatio: boolean): string[] {
  const { what, goal } = finding;
  const reached = isReached(finding);
  return [
    escapeCell(what),
    formatValue(finding),
    ...(hasRatio ? [formatRatio(finding) ?? ''] : []),
    goal === undefined ? '' : `${goal[0] === 'at most' ? '≤' : '≥'} ${goal[1]}`,
    reached === undefined ? '' : reached ? 'met' : '**missed**',
  ];
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
