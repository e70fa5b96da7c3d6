import { figure, scoreText } from '../../terminal/figure.ts';
import { percentText } from '../../terminal/format.ts';
import type { Summary } from '../summary.ts';
import { many, organizationsText } from './card.ts';
import { type Html, html } from './html.ts';

/** The figures that come first. */
export function tiles({ organizations, research, score, emissions, commitments }: Summary): Html {
  const latest = emissions.years.find(({ partial }) => !partial);
  const near = commitments.sbti_near_term;
  const set = near.counts['set'] ?? 0;
  const shown: readonly (readonly string[])[] = [
    ['Organizations', many(organizations), researchText(research)],
    [
      'Median score',
      score.median === null ? '–' : scoreText(score.median),
      `of 100 · ${organizationsText(score.organizations)} scored`,
    ],
    [
      latest === undefined ? 'Emissions' : `Disclosed emissions ${latest.year}`,
      latest?.total.sum == null ? '–' : figure(latest.total.sum).compact,
      latest === undefined
        ? 'nothing disclosed'
        : `no unit is documented · totals of ${organizationsText(latest.total.organizations)}`,
      ...(latest?.total.sum == null ? [] : [figure(latest.total.sum).exact]),
    ],
    [
      'SBTi near-term target set',
      percentText(set, organizations),
      `${many(set)} of ${organizationsText(organizations)} · ${many(near.missing)} without data`,
    ],
  ];
  return html`<dl class="tiles">${shown.map(
    ([name, value, note, exact]) =>
      html`<div><dt>${name}</dt><dd class="big"${exact === undefined ? '' : html` title="${exact}"`}>${value}</dd><dd class="soft">${note}</dd></div>`,
  )}</dl>`;
}

function researchText({ finished, in_progress, errored }: Summary['research']): string {
  return `${many(finished)} finished · ${many(in_progress)} in progress · ${many(errored)} errored`;
}
