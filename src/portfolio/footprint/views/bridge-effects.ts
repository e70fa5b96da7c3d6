/* The table of what changed a footprint: each cause with its parts, then all of them. */

import { smallChange } from '../../../display/terminal/figure.ts';
import { countOf, emissionsColumn, noteText } from '../../../display/terminal/section.ts';
import { capital } from '../../../display/terminal/text.ts';
import { totalOf } from '../../organizations/sum.ts';
import type { BridgeRow, BridgeStep, Effect } from '../bridge.ts';
import type { Cause } from '../cause-words.ts';
import { causeGroups, changeShare, effectTenths } from '../causes.ts';
import type { Comparison } from '../compare.ts';
import { withoutDataChanges } from '../data-effects.ts';
import { signedTenths } from '../shares.ts';
import { signedAmount, signedShare } from '../signed.ts';
import { knowsFootprint, withoutData } from './bridge-statements.ts';
import {
  eachWay,
  effectWords,
  isOwnFigure,
  isRestated,
  reasonText,
  stepTitle,
} from './bridge-words.ts';
import { shareColumn, table } from './tables.ts';

/** The row of the sum of all effects. */
export const togetherLabel = 'All changes';

/** A row of the table of effects. */
export interface EffectRow {
  readonly label: string;
  /** Null if a footprint is unknown. */
  readonly emissions: number | null;
  /** As it is shown, so that parts add up in a workbook, too; null without a footprint before. */
  readonly share: number | null;
  readonly shareText: string;
  /** Null for the sum of causes. */
  readonly suppliers: number | null;
  /** Why it is so, in words; of figures of suppliers, how many of them went which way. */
  readonly reasons: readonly string[];
  /** A cause or all of them, a part of the cause above it, or a cause without parts. */
  readonly kind: 'sum' | 'part' | 'only';
  /** What it is about; undefined for the sum of causes. */
  readonly cause?: Cause;
}

/**
 * Lists the causes of a step, each before its parts, with a sum of those before the data, and of
 * all.
 */
export function effectRows(step: BridgeStep): readonly EffectRow[] {
  const causes = isRestated(step) ? [] : (Object.keys(causeGroups) as Cause[]);
  const rowsOf = (cause: Cause) => causeRows(step, cause);
  const known = withoutData(step);
  return [
    ...(isRestated(step) ? partRows(step, 'data', step.effects, 'only') : []),
    ...causes.filter((cause) => cause !== 'data').flatMap(rowsOf),
    ...(known === undefined
      ? []
      : [
          {
            label: capital(withoutDataChanges),
            emissions: known.emissions,
            share: step.before > 0 ? known.emissions / step.before : null,
            shareText: known.share,
            suppliers: null,
            reasons: [],
            kind: 'sum' as const,
          },
        ]),
    ...causes.filter((cause) => cause === 'data').flatMap(rowsOf),
    {
      label: togetherLabel,
      // A difference to an unknown footprint is unknown.
      emissions:
        knowsFootprint(step, 'before') && knowsFootprint(step, 'after') ? step.together : null,
      share: changeShare(step),
      shareText: signedShare(changeShare(step)),
      suppliers: null,
      reasons: [],
      kind: 'sum',
    },
  ];
}

/* A cause of several parts has their sum first, as the sentences have it. */
function causeRows(step: BridgeStep, cause: Cause): readonly EffectRow[] {
  const effects = step.effects.filter(({ effect }) => causeGroups[cause].includes(effect));
  if (effects.length < 2) return partRows(step, cause, effects, 'only');
  const parts = partRows(step, cause, effects, 'part');
  const tenths = effectTenths(step);
  const sum = effects.reduce((all, { effect }) => all + (tenths.get(effect) ?? 0), 0);
  const isShare = effects.every(({ share }) => share !== null);
  const names = new Set(effects.map(({ effect }) => effect));
  return [
    {
      label: causeLabels[cause],
      emissions: totalOf(effects.map(({ emissions }) => emissions)),
      share: isShare ? shownShare(sum, totalShare(effects)) : null,
      shareText: isShare ? tenthsText(sum, totalShare(effects)) : signedShare(null),
      suppliers: suppliersWith(step.rows, names),
      reasons: [],
      kind: 'sum',
      cause,
    },
    ...parts,
  ];
}

function totalShare(effects: BridgeStep['effects']): number {
  return totalOf(effects.map(({ share }) => share ?? 0));
}

/* A share that is rounded so that parts add up, but not to zero if it is not. */
function shownShare(tenths: number, share: number): number {
  const most = 0.000_4;
  return tenths === 0 ? Math.max(-most, Math.min(most, share)) : tenths / 1_000;
}

/* What is not zero must not read as zero. */
function tenthsText(tenths: number, share: number): string {
  if (tenths !== 0 || Math.abs(share) < 1e-12) return `${signedTenths(tenths)}%`;
  return smallChange(share);
}

function suppliersWith(rows: readonly BridgeRow[], names: ReadonlySet<Effect>): number {
  const some = rows.filter(({ effects }) => [...names].some((effect) => effects[effect]));
  return new Set(some.map(({ id, name }) => id ?? name)).size;
}

/* They say that the numbers are parts of the footprint, not of the money, or of an intensity. */
const causeLabels: Readonly<Record<Cause, string>> = {
  spend: 'From your spend',
  suppliers: 'From emissions per revenue',
  data: 'From data changes',
};

function partRows(
  step: BridgeStep,
  cause: Cause,
  effects: BridgeStep['effects'],
  kind: 'part' | 'only',
): readonly EffectRow[] {
  const tenths = effectTenths(step);
  const why = ({ effect, suppliers, reasons }: BridgeStep['effects'][number]) =>
    isOwnFigure(effect) && suppliers > 1 ? [eachWay(step, effect)] : reasons.map(reasonText);
  return effects.map((each) => {
    const { effect, emissions, share, suppliers } = each;
    const shown = tenths.get(effect) ?? 0;
    return {
      label: partLabel(effect, emissions, kind),
      emissions,
      share: share === null ? null : shownShare(shown, share),
      shareText: share === null ? signedShare(share) : tenthsText(shown, share),
      suppliers,
      reasons: why(each),
      kind,
      cause,
    };
  });
}

/*
 * Says which way emissions and revenue went: more revenue takes emissions off, so that a sign alone
 * would tell the reverse, and "rose" beside it would contradict it.
 */
function partLabel(effect: Effect, emissions: number, kind: 'part' | 'only'): string {
  if (effect === 'supplier_emissions') return figuresLabel('emissions', emissions > 0, kind);
  if (effect === 'supplier_revenue') return figuresLabel('revenue', emissions < 0, kind);
  if (effect !== 'spend') return effectWords[effect];
  return kind === 'only' ? causeLabels.spend : 'Suppliers of both years';
}

/* A part stands below the cause that names the suppliers. */
function figuresLabel(what: string, isHigher: boolean, kind: 'part' | 'only'): string {
  const words = `${isHigher ? 'higher' : 'lower'} ${what}`;
  return kind === 'part' ? capital(words) : `Suppliers' ${words}`;
}

/* The longest label: all of it says what an effect is. */
const labelWidth = 27;

/** The table of the effects of a step. */
export function effectsTable(comparison: Comparison, step: BridgeStep, unit: string | null) {
  return table(effectRows(step), {
    title: stepTitle(comparison, step),
    prefix: isRestated(step) ? 'restated' : 'change',
    unit,
    head: 'Effect',
    label: ({ label }) => label,
    levelOf: ({ kind }) => (kind === 'only' ? undefined : kind),
    onScreen: { label: ({ label }) => label, cutsTo: labelWidth },
    columns: [
      {
        ...emissionsColumn<EffectRow>('emissions', 'Emissions', (row) => row.emissions),
        kind: 'emissions_change',
        text: (row) => (row.emissions === null ? '–' : signedAmount(row.emissions)),
      },
      {
        ...shareColumn<EffectRow>(
          'share',
          `% of ${comparison.before}`,
          (row) => row.share,
          (row) => row.shareText,
        ),
        kind: 'share_change',
      },
      countOf('suppliers', 'Suppliers', ({ suppliers }) => suppliers),
      noteText('reason', 'Reason', ({ reasons }) => reasons.join(', ')),
    ],
  });
}
