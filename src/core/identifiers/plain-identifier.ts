/** Identifiers without the dress they come in: an address around them, the source before them, spaces and hyphens. */
import { type IdentifierScheme, identifierSchemes } from './identifier-schemes.ts'

const SCHEME = /^(?:https?:)?\/\//i
const DASHES = /[\u2010-\u2015\u2212]/g
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g
const LAST_OF_ADDRESS = /^https?:\/\/\S*?([^/?#=]+)\/?(?:[?#].*)?$/i
const SOURCE_IN_BRACKETS = /^\((?:[A-Z]{2}-)?[A-Za-z0-9-]+\)\s*/
const NAMED_PREFIX = /^(?:viaf|isni|gnd|orcid|ulan|ror|doi|geonames|lccn|bnf)[:\s]+/i
const DIVIDERS = /[\s-]+/g

/** Whether values of a property are identifiers of a kind we know. */
export function isIdentifierProperty(pid: string): boolean {
  return Object.hasOwn(identifierSchemes, pid)
}

/**
 * An identifier as Wikidata writes it: `113230702` for `https://viaf.org/viaf/113230702/`.
 * @returns null for a text that is no identifier of this property; the text itself for a property we do not know.
 */
export function plainIdentifier(pid: string, text: string): string | null {
  const trimmed = readableText(text)
  const patterns = patternsOf(pid)
  if (patterns === undefined) return trimmed === '' ? null : trimmed
  const { scheme, bare, inAddress } = patterns
  const patternsToTry =
    SCHEME.test(trimmed) || trimmed.includes('/') ? [...inAddress, bare] : [bare]
  for (const pattern of patternsToTry) {
    const id = pattern.exec(SCHEME.test(trimmed) ? decoded(trimmed) : trimmed)?.[1]
    if (id !== undefined) return written(id.trim(), scheme)
  }
  return null
}

/**
 * The forms in which an identifier may be stored elsewhere, each once: as Wikidata writes it; of a property we do not
 * know without its dress, as it stands, and without spaces and hyphens too. Where only the exact form is found, all of
 * them have to be tried.
 */
export function identifierForms(pid: string, text: string): readonly string[] {
  const plain = plainIdentifier(pid, text) ?? text.trim()
  const bare = undressed(plain)
  const forms = isIdentifierProperty(pid) ? [plain] : [bare, plain, bare.replace(DIVIDERS, '')]
  return [...new Set(forms)].filter((form) => form !== '')
}

/**
 * What all spellings of an identifier have in common, to be compared only.
 * @returns null for a text that is no identifier of this property: then nothing is known.
 */
export function comparableIdentifier(pid: string, text: string): string | null {
  const scheme = Object.hasOwn(identifierSchemes, pid) ? identifierSchemes[pid] : undefined
  const plain = plainIdentifier(pid, text)
  if (plain === null) return null
  if (scheme?.compare !== undefined) return scheme.compare(plain)
  const bare = scheme === undefined ? undressed(plain) : plain
  const comparable = bare.replace(DIVIDERS, '').toUpperCase()
  return comparable === '' ? null : comparable
}

/** Of a property we do not know: the last part of an address, without a source before it. */
export function undressed(text: string): string {
  return (LAST_OF_ADDRESS.exec(text)?.[1] ?? text)
    .replace(SOURCE_IN_BRACKETS, '')
    .replace(NAMED_PREFIX, '')
}

function readableText(text: string): string {
  return text.replace(INVISIBLE, '').replace(DASHES, '-').replace(/\s+/gu, ' ').trim()
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    // A lone % is a character like any other.
    return address
  }
}

function written(id: string, { letters, write }: IdentifierScheme): string {
  const cased = letters === 'upper' ? id.toUpperCase() : letters === 'lower' ? id.toLowerCase() : id
  return write === undefined ? cased : write(cased)
}

interface Patterns {
  readonly scheme: IdentifierScheme
  readonly bare: RegExp
  readonly inAddress: readonly RegExp[]
}

const compiled = new Map<string, Patterns>()

function patternsOf(pid: string): Patterns | undefined {
  const known = compiled.get(pid)
  if (known !== undefined) return known
  const scheme = Object.hasOwn(identifierSchemes, pid) ? identifierSchemes[pid] : undefined
  if (scheme === undefined) return undefined
  const { id, labels, addresses, behind = '' } = scheme
  const patterns: Patterns = {
    scheme,
    bare: new RegExp(`^(?:\\(?(?:${labels})\\)?[\\s:=#/]*)*(${id})(?:${behind})?$`, 'i'),
    inAddress: addresses.map(
      (address) =>
        new RegExp(
          `^(?:(?:https?:)?//)?(?:[\\w-]+\\.)*${address}(${id})(?:${behind})?(?![\\p{L}\\d])`,
          'iu',
        ),
    ),
  }
  compiled.set(pid, patterns)
  return patterns
}
