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

/** How a year is marked that fewer organizations have disclosed than another. */
export const partialMark = '◦';

/**
 * Tells the disclosed emissions by year and scope, and on how many organizations each sum stands.
 */
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
        'In brackets: the number of organizations that a sum stands on.',
        ...(years.some(({ partial }) => partial)
          ? [`${partialMark} Fewer organizations than in another year: not to be compared.`]
          : []),
        ...(several_regions > 0
          ? [
              `${figure(several_regions).exact} organizations give a year for several regions; the first is taken.`,
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

const onHowMany = ({ sum, organizations }: Sum) =>
  sum === null ? '–' : `${figure(sum).compact} (${figure(organizations).exact})`;

/* A list where the table is too wide: without the numbers of organizations it would say less. */
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
    ...shown.map(([field]) => onHowMany(year[field])),
  ]);
  const table = renderFrame(head, rows, style).map(indent);
  if (table.every((line) => width(line) <= columns)) return table;
  return years.flatMap((year) => {
    const told = shown.filter(([field]) => year[field].sum !== null);
    return (told.length > 0 ? told : shown.slice(-1)).map(([field, name], at) => {
      const label = at === 0 ? yearText(year) : '';
      return indent(
        `${pad(label, 6)} ${style.dim(pad(name.toLowerCase(), 13))} ${onHowMany(year[field])}`,
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
    bar: (room: number) =>
      renderStack(
        used.map(([field]) => ({
          ...looks[field],
          share: Math.max(0, year[field].sum ?? 0) / largest,
        })),
        room,
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

/** Tells the largest emitters. */
export function largest({ largest_emitters: emitters }: Summary): Section {
  const most = Math.max(1, ...emitters.map(({ total }) => total));
  return {
    name: 'largest emitters',
    note: 'total of the latest year that has one · † sum of the disclosed parts',
    prefix: 'largest emitter',
    facts: emitters.map((emitter, at) => ({
      label: String(at + 1),
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
          bar: (room) => renderBar(total / most, room, style),
        })),
        columns,
        style,
      ),
  };
}

/** Tells revenue, currency by currency. */
export function revenue({ revenue: sums }: Summary): Section {
  return {
    name: 'revenue',
    note: 'latest year of each organization, by currency, never added up',
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
