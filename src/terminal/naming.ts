/** Names at most three things: `A, B, C and 4 more`. */
export function naming(names: readonly string[], max = 3): string {
  const more = names.length - max;
  const named = names
    .slice(0, max)
    .map((name) => (name.length > 60 ? `${name.slice(0, 60)}…` : name));
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
