import type { Organization } from '../../../api/schema.ts';
import { regionName } from '../../../terminal/format.ts';
import type { Section } from '../../../terminal/section.ts';

type Matching = NonNullable<Organization['matching_organization']>;

/** Describes the organization of the reference data that the service matched the record with. */
export function matchedOrganization(record: Organization): Section {
  const matched: Matching = record.matching_organization ?? {};
  const { id, industry } = matched;
  return {
    name: 'matched organization',
    prefix: 'matched',
    facts: [
      {
        label: 'name',
        details: [
          ['', matched.name],
          ['id', id],
        ],
      },
      { label: 'other names', details: [['', values(matched.names)]], minor: true },
      { label: 'websites', details: [['', values(matched.websites)]], minor: true },
      {
        label: 'headquarters',
        details: [
          ['', regionName(matched.hq_region)],
          ['subregion', matched.hq_subregion],
        ],
        minor: true,
      },
      {
        label: 'industry',
        details: [
          ['', industry?.name],
          ['id', industry?.id],
        ],
        minor: true,
      },
      { label: 'tickers', details: [['', tickers(matched.tickers)]], minor: true },
      { label: 'link', details: [['', matched.link]], minor: true },
    ],
  };
}

function values(list: Matching['names']): string | undefined {
  return list?.flatMap(({ value }) => value || []).join(' · ');
}

function tickers(list: Matching['tickers']): string | undefined {
  return list
    ?.map(({ exchange, symbol }) => [exchange, symbol].filter(Boolean).join(': '))
    .join(' · ');
}
