import type { Organization } from '../../../api/schema.ts';
import { regionName } from '../../../terminal/format.ts';
import type { Section } from '../../../terminal/section.ts';

type Matching = NonNullable<Organization['matching_organization']>;

/** Tells which organization of the service's reference data the registered one was matched to. */
export function matching(record: Organization): Section {
  const found: Matching = record.matching_organization ?? {};
  const { id, industry } = found;
  return {
    name: 'matched organization',
    prefix: 'matched',
    facts: [
      {
        label: 'name',
        details: [
          ['', found.name],
          ['id', id],
        ],
      },
      { label: 'other names', details: [['', values(found.names)]], minor: true },
      { label: 'websites', details: [['', values(found.websites)]], minor: true },
      {
        label: 'headquarters',
        details: [
          ['', regionName(found.hq_region)],
          ['subregion', found.hq_subregion],
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
      { label: 'tickers', details: [['', tickers(found.tickers)]], minor: true },
      { label: 'link', details: [['', found.link]], minor: true },
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
