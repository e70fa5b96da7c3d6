/** Reports a change of the shared pace: `lost` with the reason, `flushed`, or `back`. */
export type PaceNotice =
  | { readonly kind: 'lost'; readonly reason: string; readonly perSecond: number | undefined }
  | { readonly kind: 'back' | 'flushed' };
