/* Tables of emitters: a name with details above a bar, and its emissions with shares. */
import { bar } from '../../../page/charts.ts';
import { type Html, html } from '../../../page/html.ts';
import { figure } from '../../../terminal/figure.ts';

/** The class of the style sheet for each basis. */
export const basisTones = { disclosed: 'yes', factor: 'main', industry: 'partly' } as const;

/** A row of the table. */
export interface EmitterRow {
  readonly name: string;
  /** Text between the name and the bar. */
  readonly detail: string;
  readonly emissions: number;
  /** Text below the emissions. */
  readonly shares: string;
  /** Length of the bar, from 0 to 1. */
  readonly bar: number;
  readonly tone: string;
}

/** Renders rows with a bar each; the exact emissions show under the pointer. */
export function emitterTable(noun: string, rows: readonly EmitterRow[]): Html {
  const drawn = rows.map(({ name, detail, emissions, shares, bar: value, tone }) => {
    const { exact, rounded } = figure(emissions);
    const marks = [{ value, tone, description: `${name}: ${exact}` }];
    return html`<tr><th scope="row">${name} <span class="soft">${detail}</span>${bar(marks)}</th><td><span title="${exact}">${rounded}</span> <span class="soft">${shares}</span></td></tr>\n`;
  });
  return html`<table class="bars largest"><thead><tr><th scope="col"><span class="unseen">${noun}</span></th><th scope="col"><span class="unseen">Emissions</span></th></tr></thead><tbody>${drawn}</tbody></table>`;
}
