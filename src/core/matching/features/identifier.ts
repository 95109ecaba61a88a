const ADDRESS = /^https?:\/\/\S*?([^/?#=]+)\/?(?:[?#].*)?$/i
const SOURCE_PREFIX = /^\((?:[A-Z]{2}-)?[A-Za-z0-9-]+\)\s*/
const NAMED_PREFIX = /^(?:viaf|isni|gnd|orcid|ulan|ror|doi|geonames|lccn|bnf)[:\s]+/i
const DIVIDERS = /[\s\u2010-\u2015-]+/g

/**
 * An identifier without its usual dress: an address around it (`https://viaf.org/viaf/113230702/`), the source in
 * brackets (`(DE-588)118510541`), spaces and hyphens (`0000 0001 2331 5230`), case. '' for a blank.
 */
export function plainIdentifier(text: string): string {
  return undressedIdentifier(text).replace(DIVIDERS, '').toUpperCase()
}

/** The same with its own hyphens, spaces and case, which belong to some identifiers. */
export function undressedIdentifier(text: string): string {
  const trimmed = text.trim()
  const inAddress = ADDRESS.exec(trimmed)?.[1] ?? trimmed
  return inAddress.replace(SOURCE_PREFIX, '').replace(NAMED_PREFIX, '')
}
