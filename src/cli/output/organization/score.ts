import type { Organization } from '../../../api/schema.ts';
import {
  percentile as percentileFigure,
  scoreInColumn,
  scoreText,
} from '../../../terminal/figure.ts';
import type { Fact, Section } from '../../../terminal/section.ts';
import type { Tone } from '../../../terminal/style.ts';
import { scoreTone } from '../../../terminal/style.ts';

/** Describes the score and the mean score of the industry, from 0 to 100, and the ranks. */
export function score(record: Organization): Section {
  const { industry_score_percentile: percentile, industry_rank, region_rank } = record;
  return {
    name: 'score',
    note: '0 is worst, 100 is best',
    facts: [
      scored('score', record.score, scoreTone(record.score)),
      scored('industry mean', record.industry?.mean_score, 'dim'),
      {
        label: 'percentile',
        details: [['', isNumber(percentile) ? percentileFigure(percentile) : undefined]],
      },
      { label: 'industry rank', details: [['', industryRank(words(industry_rank))]] },
      { label: 'region rank', details: [['', words(region_rank)]] },
    ],
  };
}

function scored(label: string, value: number | null | undefined, tone: Tone): Fact {
  if (!isNumber(value)) return { label, details: [] };
  const inRange = value >= 0 && value <= 1;
  const inColumn = inRange ? scoreInColumn(value) : scoreText(value);
  const text = { plain: scoreText(value), rounded: inColumn };
  return { label, details: [['', text]], bar: inRange ? { share: value, tone } : undefined };
}

/* The rank is that of the industry, not that of the organization in it. */
function industryRank(rank: string | undefined) {
  if (!rank) return undefined;
  return { plain: rank, rounded: `${rank} (rank of the industry among all industries)` };
}

function words(rank: string | null | undefined): string | undefined {
  return rank?.replaceAll('_', ' ');
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number';
}
