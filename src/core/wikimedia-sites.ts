/** Who belongs to Wikimedia: for how fast they are asked, and for how their answers are read. */

/** Wikidata's query service and its kin, by their whole names. */
export const queryServices: readonly string[] = [
  'query.wikidata.org',
  'query-main.wikidata.org',
  'query-scholarly.wikidata.org',
  'commons-query.wikimedia.org',
]

/** These and all below them. */
export const wikimediaSites: readonly string[] = [
  'mediawiki.org',
  'wikibooks.org',
  'wikidata.org',
  'wikifunctions.org',
  'wikimedia.org',
  'wikinews.org',
  'wikipedia.org',
  'wikiquote.org',
  'wikisource.org',
  'wikiversity.org',
  'wikivoyage.org',
  'wiktionary.org',
  // Tools of the community, reconciliation services among them: some pass on what the Action API told them.
  'toolforge.org',
  'wmcloud.org',
]
