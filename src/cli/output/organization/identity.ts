import type { Organization } from '../../../api/schema.ts';
import { regionName } from '../../../terminal/format.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { type Fact, factLines, type Section } from '../../../terminal/section.ts';
import { describeStatus } from '../../../terminal/style.ts';
import { wrap, wrapList } from '../../../terminal/text.ts';
import { syntheticNote } from './legend.ts';

/**
 * Describes the identity of an organization and the state of its research.
 * @param synthetic whether the figures come from the sandbox
 */
export function identity(record: Organization, synthetic: boolean): Section {
  const { name, industry } = record;
  const status = describeStatus(record.status);
  const titleFacts: Fact[] = [
    { label: 'name', details: [['', name]] },
    { label: 'status', details: [['', status.word]] },
    { label: 'research', details: [['', status.research]] },
    { label: 'figures', details: [['', synthetic ? syntheticNote : undefined]], minor: true },
  ];
  const otherFacts: Fact[] = [
    { label: 'id', details: [['', record.id]] },
    {
      label: 'headquarters',
      details: [
        ['', regionName(record.hq_region)],
        ['subregion', record.hq_subregion],
      ],
    },
    {
      label: 'industry',
      details: [
        ['', industry?.name],
        ['id', industry?.id],
        ['confidence', record.industry_confidence],
      ],
    },
    { label: 'website', details: [['', record.website]] },
    { label: 'external id', details: [['', record.external_id]] },
  ];
  return {
    name: 'organization',
    facts: [...titleFacts, ...otherFacts],
    renderTerminal: (columns, style) => {
      const title = sanitize(name ?? '').trim();
      const rows = factLines(otherFacts, columns, style);
      const state = [`${status.glyph} ${sanitize(status.word)}`, `research ${status.research}`];
      return [
        ...wrap(title || 'no name', columns).map(title ? style.bold : style.dim),
        ...wrapList(state, columns).map(style[status.tone]),
        ...(synthetic ? wrap(syntheticNote, columns).map(style.yellow) : []),
        ...(rows.length > 0 ? ['', ...rows] : []),
      ];
    },
  };
}
