/*
 * Horizontal bars as SVG, with their numbers as text at the end. Positions are percentages, because
 * the policy of a page allows no style attribute.
 */
import { plural } from '../terminal/format.ts';
import { type Content, type Html, html } from './html.ts';

/** A part of a bar of shares. */
export interface StackPart {
  /** From 0 to 1. */
  readonly share: number;
  /** The custom property of the style sheet with the color. */
  readonly tone: string;
  readonly name: string;
  readonly shareText: string;
  /** How many things are in the part, such as `22 companies`. */
  readonly note: string;
  /** What the searchable table finds for the part, if it can. */
  readonly find?: string | undefined;
}

/** A mark on a bar of shares, such as a goal. */
export interface StackGoal {
  readonly share: number;
  readonly text: string;
}

const stackHeight = 34;
const goalHeight = 24;
/* A narrower part has no room for its share, which the list below the bar has. */
const minLabelShare = 0.08;
/* The style sheet hides the share of these on a narrow screen. */
const minNarrowShare = 0.22;

/* The share of a part takes this much of a narrow bar. */
const labelRoom = 0.18;

/* The share stands at the beginning of its part, or after a goal that would cross it. */
function labelPlace(from: number, end: number, goal = Number.NaN): number | undefined {
  const isCrossed = goal > from && goal < Math.min(end, from + labelRoom);
  if (!isCrossed) return end - from >= minLabelShare ? from : undefined;
  return end - goal >= labelRoom ? goal : undefined;
}

/** Draws shares of a whole as one bar, above the list of its parts. */
export function stackedBar(parts: readonly StackPart[], goal?: StackGoal): Html {
  const top = goal === undefined ? 0 : goalHeight;
  let sum = 0;
  const drawn = parts.map(({ share, tone, name, shareText, note, find }) => {
    const from = sum;
    const part = Math.max(0, Math.min(share, 1 - sum));
    sum += part;
    const place = labelPlace(from, from + part, goal?.share);
    const text =
      place !== undefined &&
      html`<text class="on-${tone}${part < minNarrowShare && ' small'}" x="${percent(place)}" dx="8" y="${top + 22}" aria-hidden="true">${shareText}</text>`;
    const target = find === undefined ? '' : html` data-find="${find}"`;
    return html`<g${target} role="img" aria-label="${name}: ${shareText}, ${note}"><title>${name}: ${shareText}, ${note}</title><rect color="var(--${tone})" x="${percent(from)}" width="${percent(part)}" y="${top}" height="${stackHeight}"/>${text}</g>`;
  });
  const label = [...parts.map((part) => `${part.name} ${part.shareText}`), goal?.text].filter(
    Boolean,
  );
  const shown = shownSum(parts);
  return html`<svg class="stack" role="group" aria-label="${label.join(', ')}" width="100%" height="${top + stackHeight}">${drawn}${goal && goalMark(goal)}</svg>
<ul class="key">${parts.map((part) => html`<li>${swatch(part.tone)}<b>${part.shareText}</b> ${finder(part.find, part.name)} <span class="soft">${part.note}</span></li>`)}${shown !== undefined && html`<li class="soft">rounded: together ${shown}</li>`}</ul>`;
}

/* What the shares of a whole add up to as they are shown, unless that is the whole. */
function shownSum(parts: readonly StackPart[]): string | undefined {
  const isWhole = Math.abs(parts.reduce((sum, { share }) => sum + share, 0) - 1) < 0.001;
  const shares = parts.map(({ shareText }) => Number.parseFloat(shareText));
  // A share below the smallest one shown adds nothing.
  const sum = shares.reduce((all, share) => all + (share || 0), 0).toFixed(1);
  return isWhole && sum !== '100.0' ? `${sum}%` : undefined;
}

/* The text stands on the side with more room. */
function goalMark({ share, text }: StackGoal): Html {
  const x = percent(Math.min(1, share));
  const side = share > 0.6 ? html` dx="-6" text-anchor="end"` : html` dx="6"`;
  return html`<line class="goal" x1="${x}" x2="${x}" y1="2" y2="${goalHeight + stackHeight}"/><text class="goal" x="${x}" y="14"${side}>${text}</text>`;
}

/** A row of a list with a bar. */
export interface RankedRow {
  readonly name: string;
  /** Length of the bar as a part of the longest one, from 0 to 1. */
  readonly length: number;
  /** The number that the bar shows, and more about it. */
  readonly text: string;
  /** The number with all its digits. */
  readonly exact: string;
  readonly tone?: string;
  /** What the searchable table finds for the row. */
  readonly find?: string | undefined;
  /** What stands after the bar. */
  readonly more?: readonly Content[];
  /** A line above the row, about this one and those after it. */
  readonly above?: string | undefined;
  /** Where the row is, if not both on a screen and on paper. */
  readonly only?: 'screen' | 'paper' | undefined;
}

/* Paper has room for this many rows without another one in their place. */
const maxPrinted = 10;
/** How many if a column after the bar takes a second line. */
const maxPrintedWithText = 8;

/** Renders a numbered list with bars, and the number of each at its end. */
export function rankedBars(rows: readonly RankedRow[]): Html {
  const more = Math.max(0, ...rows.map((row) => row.more?.length ?? 0));
  const max = more === 1 ? maxPrintedWithText : maxPrinted;
  const hidden = rows.some(({ only }) => only !== undefined) ? 0 : rows.length - max;
  const onlyOf = (row: RankedRow, at: number) => (hidden > 0 && at >= max ? 'screen' : row.only);
  const rest =
    hidden > 0 &&
    html`<p class="paper sub">${plural(hidden, 'more row of this list is', 'more rows of this list are')} in the table</p>`;
  return html`<ol class="ranked more-${more}">${rows.map((row, at) => rankedRow({ ...row, only: onlyOf(row, at) }))}</ol>${rest}`;
}

function rankedRow({
  name,
  length,
  text,
  exact,
  tone = 'main',
  find,
  more = [],
  above,
  only,
}: RankedRow): Html {
  // The style sheet leaves room for the text after the longest bar.
  const x = percent(Math.max(0, Math.min(1, length)));
  const target = find === undefined ? '' : html` data-find="${find}"`;
  const where = only && html` class="${only}"`;
  const line = above !== undefined && html`<p class="above">${above}</p>`;
  return html`<li${where}${target}>${line}<span class="name">${finder(find, name)}</span><svg width="100%" height="22" role="img" aria-label="${text}"><title>${exact}</title><rect color="var(--${tone})" width="${x}" y="3" height="16"/><text x="${x}" dx="7" y="16">${text}</text></svg>${more.map((each) => html`<span class="more-of">${each}</span>`)}</li>\n`;
}

/** Draws a change as a bar that begins in the middle; `part` is from -1 to 1. */
export function changeBar(part: number, tone: string, description: string): Html {
  const size = Math.min(1, Math.abs(part)) / 2;
  const from = part < 0 ? 0.5 - size : 0.5;
  return html`<svg class="change" width="100%" height="14" aria-hidden="true"><title>${description}</title><line class="axis" x1="50%" x2="50%" y1="0" y2="14"/><rect class="${tone}" color="var(--${tone})" x="${percent(from)}" width="${percent(size)}" height="14"/></svg>`;
}

/** Draws a few values as small columns, the last one darker. */
export function sparkColumns(values: readonly number[], description: string): Html {
  const max = Math.max(...values, 0);
  const drawn = values.map((value, index) => {
    const height = max > 0 ? Math.max(1, Math.round((16 * Math.max(0, value)) / max)) : 1;
    return html`<rect x="${index * 7}" width="5" y="${17 - height}" height="${height}"/>`;
  });
  return html`<svg class="spark" width="${values.length * 7}" height="18" role="img" aria-label="${description}"><title>${description}</title>${drawn}</svg>`;
}

/* Renders a square in the color of a tone, before a word. */
function swatch(tone: string): Html {
  return html`<svg class="swatch" width="10" height="10" aria-hidden="true"><rect color="var(--${tone})" width="10" height="10" rx="2"/></svg>`;
}

/* Without scripts, the link leads to the table. */
function finder(find: string | undefined, name: string): Content {
  return find === undefined ? name : html`<a href="#all" data-find="${find}">${name}</a>`;
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
