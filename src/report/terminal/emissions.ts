import { type BarPart, renderBar, renderBars, renderStack } from '../../terminal/bar.ts';
import { type Column, renderFrame } from '../../terminal/columns.ts';
import { figure, money } from '../../terminal/figure.ts';
import { plural } from '../../terminal/format.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { type Detail, type Fact, indent, type Section } from '../../terminal/section.ts';
import type { Style } from '../../terminal/style.ts';
import { pad, truncate, width, wrap } from '../../terminal/text.ts';
import type { Sum, YearSummary } from '../summary/emissions.ts';
import { scopeNames } from '../summary/labels.ts';
import type { Summary } from '../summary.ts';

type ScopeField = (typeof scopeNames)[number][0];

const looks: Readonly<Record<ScopeField, Pick<BarPart, 'tone' | 'fill'>>> = {
  scope_1: { tone: 'red', fill: '█' },
  scope_2: { tone: 'yellow', fill: '▓' },
  scope_1_and_2: { tone: 'magenta', fill: '▒' },
  scope_3: { tone: 'blue', fill: '░' },
};

/* The mark of a year that fewer organizations disclosed than another year. */
const partialMark = '◦';

/** Describes the disclosed emissions by year and scope, with the organizations of each sum. */
export function emissions({
  emissions: { organizations, years, several_regions },
}: Summary): Section {
  return {
    name: 'emissions',
    note: `no unit is documented · ${plural(organizations, 'organization discloses', 'organizations disclose')} any`,
    prefix: 'emissions',
    facts: years.flatMap(yearFacts),
    renderTerminal: (columns, style) => {
      const notes = [
        'In parentheses: the number of organizations that a sum covers.',
        ...(years.some(({ partial }) => partial)
          ? [`${partialMark} More organizations disclosed another year: not comparable.`]
          : []),
        ...(several_regions > 0
          ? [
              `${plural(several_regions, 'organization has', 'organizations have')} a year with several regions; only the first region counts.`,
            ]
          : []),
      ];
      return [
        ...yearTable(years, columns, style),
        '',
        ...yearBars(years, columns, style),
        ...notes.flatMap((note) => wrap(note, columns - 2)).map((line) => indent(style.dim(line))),
      ];
    },
  };
}

function yearFacts(year: YearSummary): Fact[] {
  const label = `${year.year}${year.partial ? ' (partial)' : ''}`;
  const facts = [...scopeNames, ['total', 'Total'] as const].map(([field, name]): Fact => {
    const { sum, organizations, sum_of_parts } = year[field];
    return {
      label: `${label} ${name.toLowerCase()}`,
      details:
        sum === null
          ? []
          : [
              ['', figure(sum)],
              ['organizations', organizations],
              ['of these sums of parts', sum_of_parts > 0 ? sum_of_parts : undefined],
            ],
    };
  });
  return [{ label: `${label} organizations`, details: [['', year.organizations]] }, ...facts];
}

const sumText = ({ sum, organizations }: Sum) =>
  sum === null ? '–' : `${figure(sum).compact} (${figure(organizations).exact})`;

/* A table that is too wide becomes a list, which keeps the numbers of organizations. */
function yearTable(years: readonly YearSummary[], columns: number, style: Style): string[] {
  const shown = [...scopeNames, ['total', 'Total'] as const].filter(
    ([field]) => field !== 'scope_1_and_2' || years.some((year) => year[field].sum !== null),
  );
  const head: Column[] = [
    { title: 'Year' },
    ...shown.map(([, name]): Column => ({ title: name, align: 'right' })),
  ];
  const rows = years.map((year) => [
    yearText(year),
    ...shown.map(([field]) => sumText(year[field])),
  ]);
  const table = renderFrame(head, rows, style).map(indent);
  if (table.every((line) => width(line) <= columns)) return table;
  return years.flatMap((year) => {
    const disclosed = shown.filter(([field]) => year[field].sum !== null);
    return (disclosed.length > 0 ? disclosed : shown.slice(-1)).map(([field, name], index) => {
      const label = index === 0 ? yearText(year) : '';
      return indent(
        `${pad(label, 6)} ${style.dim(pad(name.toLowerCase(), 13))} ${sumText(year[field])}`,
      );
    });
  });
}

function yearBars(years: readonly YearSummary[], columns: number, style: Style): string[] {
  const size = (year: YearSummary) =>
    scopeNames.reduce((sum, [field]) => sum + Math.max(0, year[field].sum ?? 0), 0);
  const largest = Math.max(...years.map(size));
  const used = scopeNames.filter(([field]) => years.some((year) => year[field].sum !== null));
  const legend = used
    .map(([field, name]) => `${looks[field].fill} ${name.toLowerCase()}`)
    .join(' · ');
  const rows = years.map((year) => ({
    label: yearText(year),
    figures: [],
    bar: (barColumns: number) =>
      renderStack(
        used.map(([field]) => ({
          ...looks[field],
          share: Math.max(0, year[field].sum ?? 0) / largest,
        })),
        barColumns,
        style,
      ),
  }));
  return [
    ...renderBars(rows, columns, style),
    ...wrap(legend, columns - 2).map((line) => style.dim(`  ${line}`)),
  ];
}

function yearText({ year, partial }: YearSummary): string {
  return `${year}${partial ? partialMark : ''}`;
}

/** Describes the largest emitters. */
export function largest({ largest_emitters: emitters }: Summary): Section {
  const max = Math.max(1, ...emitters.map(({ total }) => total));
  return {
    name: 'largest emitters',
    note: 'total of the latest year that has one · † sum of the disclosed parts',
    prefix: 'largest emitter',
    facts: emitters.map((emitter, index) => ({
      label: String(index + 1),
      details: [
        ['', emitter.name ?? 'no name'],
        ['id', emitter.id],
        ['total', figure(emitter.total)],
        ['year', emitter.year],
        ['sum of parts', emitter.sum_of_parts ? 'yes' : undefined],
      ] satisfies Detail[],
    })),
    renderTerminal: (columns, style) =>
      renderBars(
        emitters.map(({ name, id, total, year, sum_of_parts }) => ({
          label: truncate(sanitize(name ?? `${id ?? 'no name'}`), 60),
          figures: [String(year), figure(total).compact + (sum_of_parts ? '†' : ' ')],
          bar: (barColumns) => renderBar(total / max, barColumns, style),
        })),
        columns,
        style,
      ),
  };
}

/** Describes revenue by currency. */
export function revenue({ revenue: sums }: Summary): Section {
  return {
    name: 'revenue',
    note: 'latest year of each organization, by currency',
    prefix: 'revenue',
    facts: sums.map(({ currency, organizations, revenue: amount }) => ({
      label: sanitize(currency ?? 'no currency'),
      details: [
        ['', amount === null ? 'no data' : money(amount, currency ?? undefined)],
        ['organizations', organizations],
      ],
    })),
  };
}
