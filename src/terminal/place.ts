let regions: Intl.DisplayNames | undefined;

/**
 * Renders a region as people write it, with its ISO 3166 code beside; what is no such code stays as
 * it is.
 */
export function place(region: string | null | undefined): string | undefined {
  if (!region || !/^[A-Za-z]{2}$/.test(region)) return region ?? undefined;
  regions ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const name = regions.of(region.toUpperCase());
  return name === undefined ? region : `${name} (${region})`;
}
