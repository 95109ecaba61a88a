/** What a person can say of a record. */
export const pageVerdicts = ['match', 'none_fits', 'not_in_wikidata', 'not_applicable'] as const
