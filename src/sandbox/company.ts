import { folded, randomOf } from './identity.ts';
import type { Registered } from './store.ts';
import { classify, locate, withoutLegalForm } from './tables.ts';

/*
 * The words that select what research finds, which then never fails, and whether the organization
 * publishes full reports.
 */
const findings = {
  sparse: false,
  complete: true,
  factors: true,
  industry: false,
  empty: false,
  currency: true,
  nested: true,
  regions: true,
  old: true,
} as const;

const outcomes = ['errored', 'pending', 'synced'] as const;
const statuses = ['400', '401', '404', '422', '429', '500', '503'] as const;

/** One of the words that select the behavior of every registration of a name. */
export type Scenario = keyof typeof findings | (typeof outcomes | typeof statuses)[number];

/** The words after "Sandbox" in a name, as in "Sandbox 404" or "Sandbox errored 7". */
export const scenarios = [...statuses, ...outcomes, ...Object.keys(findings)] as Scenario[];

/** Checks whether a scenario selects what research finds, which means that research succeeds. */
export function selectsFindings(scenario: Scenario | undefined): scenario is keyof typeof findings {
  return scenario !== undefined && scenario in findings;
}

/** Checks whether an organization with a scenario publishes full reports, with its revenue. */
export function isReporting(scenario: Scenario | undefined): boolean {
  return selectsFindings(scenario) && findings[scenario];
}

/** Returns the scenario that a name selects, in any case; undefined for an ordinary name. */
export function scenarioOf(name: string): Scenario | undefined {
  const [first, second] = folded(name.slice(0, 40)).split(' ');
  return first === 'sandbox' ? scenarios.find((scenario) => scenario === second) : undefined;
}

/** The hidden facts about a synthetic organization, which research then finds. */
export type Company = ReturnType<typeof companyOf>;

/**
 * Draws the facts about an organization from its identity. Years count back from its registration.
 */
export function companyOf({ identity, identifier, at }: Registered) {
  const random = randomOf(identity, 'profile');
  const region = locate(identifier, random);
  const { industry, confidence } = classify(identifier, random);
  const scenario = scenarioOf(identifier.name);
  const isSparse = random() < 1 / 6;
  const ambition = isReporting(scenario) ? 0.9 : random();
  const size = (random() + random() + random()) / 3;
  const lag = (random() < 0.7 ? 1 : 2) + (scenario === 'old' ? 6 : 0);
  return {
    identity,
    name: identifier.name,
    /** The name as part of a URL, in letters, digits and hyphens. */
    slug: slugOf(identifier.name) || identity.slice(0, 8),
    region,
    industry,
    industryConfidence: confidence,
    disclosure: disclosureOf(scenario, isSparse, ambition),
    /** Climate ambition from 0 to 1, which decides disclosure, programs and score. */
    ambition,
    revenueDollars: Math.round(10 ** (7 + size * 3.6) / 1e5) * 1e5,
    /** The newest reporting year: one or two years before the registration, or seven or eight. */
    lastYear: new Date(at).getUTCFullYear() - lag,
    registeredAt: at,
    scenario,
  };
}

/* How much an organization publishes; `sparse` means nothing, and neither score nor programs. */
function disclosureOf(scenario: Scenario | undefined, isSparse: boolean, ambition: number) {
  if (scenario === 'industry' || scenario === 'empty') return 'none';
  if (scenario === 'sparse' || (isSparse && !isReporting(scenario))) return 'sparse';
  if (ambition < 0.15) return 'none';
  return ambition < 0.55 ? 'partial' : 'full';
}

function slugOf(name: string): string {
  return folded(withoutLegalForm(name))
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/gu, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/gu, '');
}
