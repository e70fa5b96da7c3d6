import type { Organization } from '../../../api/schema.ts';
import { factLines, type Section } from '../../../terminal/section.ts';

const sourcesShown = 6;

/** Tells the documents that a record was built from; a terminal shows the first six. */
export function sources(record: Organization): Section {
  const facts = (record.sources ?? []).map((source, at) => ({
    label: String(at + 1),
    details: [
      ['', source.url],
      ['mirror', source.mirror_url],
    ] as const,
  }));
  const more = facts.length - sourcesShown;
  return {
    name: 'sources',
    prefix: 'source',
    facts,
    renderTerminal: (columns, style) => [
      ...factLines(facts.slice(0, sourcesShown), columns, style, 4),
      ...(more > 0
        ? [style.dim(`      and ${more} more: a pipe shows all, and so does --json`)]
        : []),
    ],
  };
}
