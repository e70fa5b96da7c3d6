/**
 * Words that readers stumble over, with the usual words. A pattern matches complete words in any
 * case.
 *
 * @type {readonly { readonly pattern: string, readonly instead: string }[]}
 */
export const words = [
  { pattern: 'mend(s|ed|ing)?', instead: 'fix' },
  { pattern: 'torn', instead: 'truncated, partially written' },
  { pattern: 'anew', instead: 'again, start over' },
  { pattern: 'shall', instead: 'must, or the plain verb' },
  { pattern: "nobody's|somebody's", instead: 'a named agent' },
  { pattern: 'who(m)? reads only', instead: 'anyone who' },
  { pattern: 'drought', instead: 'rate limited' },
  { pattern: 'verdict', instead: 'summary' },
  { pattern: 'oddit(y|ies)|odd', instead: 'unexpected, unusual' },
  {
    pattern: '(a|an|each|every|one|first|second|third|last|another|further|many) (try|tries)',
    instead: 'attempt',
  },
  {
    pattern: 'colours?|coloured|favour\\w*|behaviours?|licences?|honours?',
    instead: 'American spelling',
  },
];
