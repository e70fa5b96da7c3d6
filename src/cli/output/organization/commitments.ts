import type { Organization } from '../../../api/schema.ts';
import { targetsByDate } from '../../../organizations/targets.ts';
import { dateText } from '../../../terminal/format.ts';
import type { Fact, Section } from '../../../terminal/section.ts';

type Flag = boolean | null | undefined;

/** Describes the environmental report of an organization and its commitments. */
export function commitments(record: Organization): Section {
  const { cdp, un, climate_pledge: pledge } = record;
  const report = record.related_environmental_report_status?.replaceAll('_', ' ');
  return {
    name: 'reporting and commitments',
    facts: [
      { label: 'environment', details: [['report', report]] },
      {
        label: 'CDP',
        tick: cdp?.is_listed,
        details: [
          ['', describeFlag(cdp?.is_listed, 'listed', 'not listed')],
          ['as of', dateText(cdp?.last_retrieved_at)],
          ['page', cdp?.url],
        ],
      },
      ...scienceBasedTargets(record),
      {
        label: 'UN initiatives',
        details: [
          ['', initiatives(un?.initiatives)],
          ['as of', dateText(un?.last_retrieved_at)],
          ['page', un?.url],
        ],
      },
      {
        label: 'Climate Pledge',
        tick: pledge?.signed,
        details: [
          ['', describeFlag(pledge?.signed, 'signed', 'not signed')],
          ['since', dateText(pledge?.signed_at)],
          ['page', pledge?.link],
        ],
      },
    ],
  };
}

/* Describes the latest target record and counts the older ones. */
function scienceBasedTargets(record: Organization): Fact[] {
  const asOf = ['as of', dateText(record.sbti?.last_retrieved_at)] as const;
  const [target, ...older] = targetsByDate(record);
  if (target === undefined) {
    return [
      { label: 'SBTi', details: [['', record.sbti?.data ? 'no target records' : undefined], asOf] },
    ];
  }
  const { near_term, long_term, net_zero, business_ambition_1_5: ambition } = target;
  return [
    {
      label: 'SBTi near term',
      tick: near_term?.has_target,
      details: [
        ['', hasTarget(near_term?.has_target)],
        ['status', near_term?.target_status],
      ],
    },
    {
      label: 'SBTi long term',
      tick: long_term?.has_target,
      details: [
        ['', hasTarget(long_term?.has_target)],
        ['target', long_term?.target],
        ['year', long_term?.year],
      ],
    },
    {
      label: 'SBTi net zero',
      tick: net_zero?.has_target,
      details: [
        ['', hasTarget(net_zero?.has_target)],
        ['year', net_zero?.target_year],
      ],
    },
    {
      label: 'SBTi 1.5 °C',
      tick: ambition?.has_target,
      details: [
        [
          '',
          describeFlag(
            ambition?.has_target,
            'Business Ambition for 1.5 °C',
            'not in Business Ambition for 1.5 °C',
          ),
        ],
        ['joined', dateText(ambition?.joined_at)],
      ],
    },
    { label: 'SBTi detail', details: [['', target.target_detail]], minor: true },
    {
      label: 'SBTi record',
      details: [
        ['created', dateText(target.created_at)],
        ['retrieved', dateText(target.retrieved_at)],
        asOf,
        ['older records', older.length > 0 ? String(older.length) : undefined],
      ],
      minor: true,
    },
  ];
}

function initiatives(list: NonNullable<Organization['un']>['initiatives']): string | undefined {
  if (list?.length === 0) return 'none';
  return list
    ?.map(({ name, slug }) => (name && slug ? `${name} (${slug})` : (name ?? slug ?? '')))
    .join(', ');
}

function hasTarget(flag: Flag): string | undefined {
  return describeFlag(flag, 'has a target', 'has no target');
}

function describeFlag(flag: Flag, yes: string, no: string): string | undefined {
  return typeof flag === 'boolean' ? (flag ? yes : no) : undefined;
}
