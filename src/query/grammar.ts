/** A part of the grammar of queries: its form, its meaning and an example. */
export interface GrammarRule {
  readonly form: string;
  readonly meaning: string;
  readonly example: string;
}

/** The grammar of queries: the source of the reference and of the help of `carbon list`. */
export const grammar: readonly GrammarRule[] = [
  {
    form: '--where <column>=<value>',
    meaning:
      'equal; text without regard to case, a date as precisely as written (2024, 2024-03, 2024-03-31)',
    example: '--where hq_region=DE',
  },
  {
    form: '--where <column>!=<value>',
    meaning: 'not equal; a missing value is not equal to any value',
    example: '--where "sbti_near_term!=set"',
  },
  {
    form: '--where <column><<value>',
    meaning: 'less; also <=, > and >=, which no missing value meets',
    example: '--where "score<0.4"',
  },
  { form: '--where <column>=', meaning: 'the value is missing', example: '--where score=' },
  {
    form: '--where <column>!=',
    meaning: 'the value is present',
    example: '--where "score!="',
  },
  {
    form: '--where a --where b',
    meaning: 'both conditions',
    example: '--where hq_region=DE --where "score<0.4"',
  },
  {
    form: '--sort <column>,...',
    meaning: 'smallest first, with - largest first; missing values come last in both directions',
    example: '--sort -score,name',
  },
  {
    form: '--top <n>',
    meaning: 'only the first n rows of the order',
    example: '--sort -emissions --top 20',
  },
  {
    form: '--columns <column>,...',
    meaning: 'only these columns, in this order',
    example: '--columns id,name,score',
  },
];
