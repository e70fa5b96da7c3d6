/* SBTi targets: their order, and their normalized status. */
import type { Organization, SbtiTarget } from '../api/schema.ts';

export function targetsByDate({ sbti }: Organization): readonly SbtiTarget[] {
  const targets = sbti?.data ?? [];
  if (targets.length < 2) return targets;
  const created = (target: SbtiTarget) => target.created_at ?? '';
  return targets.toSorted(
    (a, b) => Number(created(a) < created(b)) - Number(created(a) > created(b)),
  );
}

const wordings: readonly (readonly [pattern: RegExp, status: string])[] = [
  [/^(?:targets? )?set$|^validated$/, 'set'],
  [/^committed$/, 'committed'],
  [/^(?:commitment |targets? )?removed$/, 'removed'],
  [/^(?:none|no targets?)$/, 'none'],
];

/** The known statuses of a near-term target; `with_target` is one without a status. */
export const targetStatuses = ['set', 'committed', 'removed', 'none', 'with_target'] as const;

/**
 * Reads the near-term target of the latest SBTi record: one of `targetStatuses`, or the text as
 * received; undefined without data. An empty list means that SBTi has no target.
 */
export function nearTermTarget(record: Organization): string | undefined {
  const [latest] = targetsByDate(record);
  if (latest === undefined) return record.sbti?.data ? 'none' : undefined;
  const { has_target: flag, target_status: text } = latest.near_term ?? {};
  const status = text?.trim();
  if (!status) return typeof flag === 'boolean' ? (flag ? 'with_target' : 'none') : undefined;
  const word = status.replaceAll(/[\s_-]+/g, ' ').toLowerCase();
  return wordings.find(([pattern]) => pattern.test(word))?.[1] ?? status;
}

/** Returns the newest description of an organization's targets. */
export function targetText(record: Organization): string | undefined {
  const details = targetsByDate(record).map(({ target_detail: detail }) => detail);
  return details.find((detail) => detail?.trim()) ?? undefined;
}
