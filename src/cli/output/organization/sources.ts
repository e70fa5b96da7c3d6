import type { Organization } from '../../../api/schema.ts';
import { factLines, type Section } from '../../../terminal/section.ts';

const maxSources = 6;

/** Lists the source documents of a record; a terminal shows the first six. */
export function sources(record: Organization): Section {
  const facts = (record.sources ?? []).map((source, index) => ({
    label: String(index + 1),
    details: [
      ['', source.url],
      ['mirror', source.mirror_url],
    ] as const,
  }));
  const more = facts.length - maxSources;
  return {
    name: 'sources',
    prefix: 'source',
    facts,
    renderTerminal: (columns, style) => [
      ...factLines(facts.slice(0, maxSources), columns, style, 4),
      ...(more > 0 ? [style.dim(`      and ${more} more; use --json or a pipe to list all`)] : []),
    ],
  };
}
