import type { Organization, SbtiTarget } from '../api/schema.ts';
import type { Company } from './company.ts';
import { between, pick, randomOf } from './identity.ts';

type Programs = Pick<Organization, 'cdp' | 'sbti' | 'un' | 'climate_pledge'>;

/**
 * Draws the climate programs of an organization: CDP, SBTi, UN initiatives and The Climate Pledge
 * (sections 2.6 to 2.9).
 */
export function programsOf(company: Company): Programs {
  const random = randomOf(company.identity, 'programs');
  const retrievedAt = day(company.registeredAt);
  const isListed = random() < 0.15 + company.ambition * 0.6;
  const initiatives = initiativesOf(company, random);
  const signed = random() < company.ambition * 0.3;
  return {
    cdp: {
      last_retrieved_at: retrievedAt,
      is_listed: isListed,
      url: isListed ? `https://cdp.example.org/organizations/${company.slug}` : null,
    },
    sbti: { last_retrieved_at: retrievedAt, data: targetsOf(company, random) },
    un: {
      last_retrieved_at: retrievedAt,
      url: initiatives.length > 0 ? `https://un.example.org/participants/${company.slug}` : null,
      initiatives,
    },
    climate_pledge: signed
      ? {
          signed,
          signed_at: date(company, random, 2019.72, 6),
          link: `https://pledge.example.org/signatories/${company.slug}`,
        }
      : { signed },
  };
}

function initiativesOf({ ambition, industry }: Company, random: () => number) {
  const isFinance = industry.name === 'Banking' || industry.name === 'Insurance';
  const all = [
    { name: 'UN Global Compact', slug: 'un-global-compact', isOpen: true },
    { name: 'Race to Zero', slug: 'race-to-zero', isOpen: true },
    { name: 'Caring for Climate', slug: 'caring-for-climate', isOpen: true },
    { name: 'Net-Zero Finance Forum', slug: 'net-zero-finance-forum', isOpen: isFinance },
  ];
  return all
    .filter(({ isOpen }) => random() < ambition * 0.45 && isOpen)
    .map(({ name, slug }) => ({ name, slug }));
}

/**
 * Draws SBTi targets: none, a commitment, a removed target, near-term targets, or a complete
 * net-zero standard.
 */
function targetsOf(company: Company, random: () => number): SbtiTarget[] {
  const chance = random();
  const commitment = committed(company, random);
  if (company.disclosure === 'none' || chance > 0.15 + company.ambition * 0.75) return [];
  if (chance < 0.12) return [commitment];
  if (chance < 0.16)
    return [{ ...commitment, near_term: { has_target: false, target_status: 'removed' } }];
  const set = targetSet(company, random);
  return random() < 0.3 ? [set, commitment] : [set];
}

function committed(company: Company, random: () => number): SbtiTarget {
  return {
    created_at: date(company, random, 2018, 3),
    retrieved_at: day(company.registeredAt),
    near_term: { has_target: false, target_status: 'committed' },
    long_term: { has_target: false },
    net_zero: { has_target: false },
    business_ambition_1_5: { has_target: false },
    target_detail: null,
  };
}

function targetSet(company: Company, random: () => number): SbtiTarget {
  const createdAt = date(company, random, 2021, 5);
  const createdYear = Number(createdAt.slice(0, 4));
  const nearYear = createdYear + 5 + Math.floor(random() * 5);
  const percent = Math.round(between(random, 25, 55));
  const isLong = random() < 0.55;
  const isNetZero = isLong && random() < 0.8;
  const hasJoined = random() < 0.4;
  const netZeroYear = pick(random, [2040, 2045, 2050]);
  return {
    created_at: createdAt,
    retrieved_at: day(company.registeredAt),
    near_term: { has_target: true, target_status: 'set' },
    long_term: isLong
      ? { has_target: true, target: random() < 0.85 ? '1.5' : '2', year: netZeroYear }
      : { has_target: false },
    net_zero: isNetZero ? { has_target: true, target_year: netZeroYear } : { has_target: false },
    business_ambition_1_5: hasJoined
      ? { has_target: true, joined_at: date(company, random, 2019.5, 2.3) }
      : { has_target: false },
    target_detail:
      `${company.name} commits to reduce absolute scope 1 and 2 emissions ${percent}% by ${nearYear} ` +
      `from a ${createdYear - 2} base year.`,
  };
}

const yearMs = 365.25 * 24 * 3600 * 1000;

/**
 * Draws a date within `years` after `from`, a year with fraction; at most the registration date.
 */
function date(
  { registeredAt }: Company,
  random: () => number,
  from: number,
  years: number,
): string {
  return day(Math.min((from - 1970 + random() * years) * yearMs, registeredAt));
}

/** Formats a time as its date in UTC, YYYY-MM-DD. */
function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
