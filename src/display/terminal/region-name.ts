import regionNames from './region-names.json' with { type: 'json' };

const names: Readonly<Record<string, string>> = regionNames;

/**
 * Formats an ISO 3166 code as `Germany (DE)`; text that is no such code stays as it is. The names
 * are those of CLDR: `Intl.DisplayNames` takes as long to construct as a third of a start of Node.
 */
export function regionName(region: string | null | undefined): string | undefined {
  if (!region || !/^[A-Za-z]{2}$/.test(region)) return region ?? undefined;
  const name = names[region.toUpperCase()];
  return name === undefined ? region : `${name} (${region})`;
}
