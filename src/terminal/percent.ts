/**
 * Renders a part of a whole in whole per cent; what is not all is never called 100%, and what is
 * not nothing never 0%.
 */
export function percentText(part: number, whole: number): string {
  if (part <= 0 || whole <= 0) return '0%';
  const percent = Math.round((100 * part) / whole);
  if (percent === 0) return '<1%';
  return percent === 100 && part < whole ? '>99%' : `${percent}%`;
}
