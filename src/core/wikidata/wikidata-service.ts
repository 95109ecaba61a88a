/** The name under which a project asks Wikidata itself, through its Action API. */
export const WIKIDATA_SERVICE = 'wikidata'

/** A search is a request of its own, but with ten candidates each the items of five are fetched in one. */
export const LOOKUPS_TOGETHER = 5
