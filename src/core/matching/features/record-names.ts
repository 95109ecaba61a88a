/** All the ways a record's name is compared: as it is, in natural order, without brackets, by its parts. */
import type { EntityKind } from '../../project-settings.ts'
import { type KnownName, knownName } from '../../names/known-name.ts'
import { readLibraryHeading } from '../../names/library-heading.ts'
import { nameSegments } from '../../names/name-segments.ts'

/** `main` names are as good as the record's own; a segment is only a part of a longer text. */
export type NameRole = 'main' | 'variant' | 'segment'

/** A name with everything that comparing it needs, computed once. */
export interface PreparedName {
  readonly text: string
  readonly role: NameRole
  readonly known: KnownName
}

const BRACKETED = /\s*[([（［][^()[\]（）［］]*[)\]）］]\s*/gu
const NUMBERED = /\d|\b[IVX]+\b/
/** Commas, brackets and signs of footnotes: without one a name stands as people write it. */
const MAY_BE_OTHERWISE = /[,،，([（［*†‡§¶]|^\s|\s$/u
const FOOTNOTE = /[\s*†‡§¶]+$/u
/** Longer names of organisations are addresses. */
const SHORTEST_ADDRESS_WORDS = 7

/** Main name first; the roles of derived names follow from what they were derived from. */
export function recordNames(names: readonly string[], kind: EntityKind): readonly PreparedName[] {
  const prepared: PreparedName[] = []
  const seen = new Set<string>()
  const add = (text: string, role: NameRole): void => {
    if (seen.has(text)) return
    const name = prepareName(text, role)
    if (name.known.forms.a === '') return
    seen.add(text)
    prepared.push(name)
  }
  names.forEach((name, position) => {
    const role = position === 0 ? 'main' : 'variant'
    const natural = naturalForms(name, kind)
    // Which word is the family name shows in natural order only.
    if (kind !== 'person' || natural.length === 0) add(name, role)
    for (const form of natural) add(form, role)
    if (kind === 'organisation' || kind === 'generic') {
      for (const segment of nameSegments(name)) add(segment, 'segment')
    }
  })
  return prepared
}

/** A name in the forms people and labels write it; without the name itself. */
export function naturalForms(name: string, kind: EntityKind): readonly string[] {
  if (!MAY_BE_OTHERWISE.test(name)) return []
  const heading = kind === 'person' ? readLibraryHeading(name) : null
  const plain = name.replace(BRACKETED, droppedBracket).replace(FOOTNOTE, '').trim()
  const inverted = kind === 'place' ? placeInNaturalOrder(plain) : null
  const forms =
    heading === null
      ? [plain, inverted]
      : [heading.name.replace(BRACKETED, droppedBracket), heading.fullName]
  return forms.filter(
    (form): form is string => form !== undefined && form !== null && form !== '' && form !== name,
  )
}

export function prepareName(text: string, role: NameRole): PreparedName {
  return { text, role, known: knownName(text) }
}

/** True for a text that gives an address with the name: several parts or many words. */
export function isAddress(names: readonly PreparedName[]): boolean {
  const main = names[0]
  if (main === undefined) return false
  const segments = names.filter(({ role }) => role === 'segment').length
  return segments > 2 || main.known.forms.tokens.length >= SHORTEST_ADDRESS_WORDS
}

/** A number in brackets tells two bodies apart: `(Lyon II)`. */
function droppedBracket(bracket: string): string {
  return NUMBERED.test(bracket) ? bracket : ' '
}

/** `Korea, Republic of`. */
function placeInNaturalOrder(name: string): string | null {
  const match = /^([^,]+), ([^,]+)$/u.exec(name)
  return match === null ? null : `${match[2] ?? ''} ${match[1] ?? ''}`
}
