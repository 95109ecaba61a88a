import { identifierSchemes } from '../../core/identifiers/identifier-schemes.ts'
import { plainIdentifier, undressed } from '../../core/identifiers/plain-identifier.ts'

/**
 * An identifier as Wikidata writes it: without address, source in brackets and name in front, and for known
 * properties with the dividers and case that Wikidata has. Comparing is more lenient (`comparableIdentifier`).
 */
export function writtenIdentifier(
  pid: string,
  text: string,
): { readonly id: string } | { readonly fault: string } {
  const scheme = Object.hasOwn(identifierSchemes, pid) ? identifierSchemes[pid] : undefined
  const id = scheme === undefined ? undressed(text.trim()) : plainIdentifier(pid, text)
  if (id === '') return { fault: 'there is no identifier in it' }
  if (id !== null) return { id }
  return { fault: `it has not the form of ${pid} (${scheme?.name ?? pid})` }
}
