const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
] as const;

/**
 * Renders milliseconds in whole seconds and the two largest units, such as `8 s`, `2 min 5 s`, `1 h
 * 3 min`.
 */
export function renderDuration(ms: number): string {
  const seconds = ms > 0 ? Math.floor(ms / 1_000) : 0;
  const largest = units.findIndex((unit) => seconds >= unit.seconds);
  if (largest === -1) return '0 s';
  let rest = seconds;
  const parts = units.slice(largest, largest + 2).map((unit) => {
    const count = Math.floor(rest / unit.seconds);
    rest -= count * unit.seconds;
    return count > 0 ? `${count} ${unit.name}` : '';
  });
  return parts.filter(Boolean).join(' ');
}
