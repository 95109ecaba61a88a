/**
 * Finds the names most like a given one among the names of some 100,000 items. Pure and deterministic.
 *
 *   names ──▶ features (words, trigrams) ──▶ inverted index
 *   query ──▶ features ──▶ the names that share most ──▶ compared in full ──▶ best name of each item
 *
 * Names that agree letter for letter are found through a map, so that no cut-off can lose them. Names in other scripts
 * are stored a second time in Latin letters; what agrees only there is capped, because transliteration is a guess.
 */
import anyAscii from 'any-ascii'
import { nameForms, type NameForms } from '../core/names/normalize-name.ts'
import { countryNamed } from '../core/names/country-names.ts'
import { meaningTokens } from '../core/names/word-lexicon.ts'
import { buildInvertedIndex } from './inverted-index.ts'
import { initialsOf } from './initials.ts'
import type { KbItem } from './kb-item.ts'
import { FEATURE_BUCKETS, nameFeatures, wordFeature } from './name-features.ts'
import { EXACT_SCORES, nameSimilarity } from './name-similarity.ts'

/** An item and how well its best name fits. */
export interface NameHit {
  /** Position of the item in the list the index was built from. */
  readonly item: number
  /** 0 to 100. */
  readonly score: number
  /** A name of the item agrees in form A, B or C. */
  readonly exact: boolean
}

export interface NameIndex {
  /**
   * Items with names like the text, in no particular order. `accepts` filters items before any cut-off. Only the
   * first 500 characters of the text count.
   */
  search(text: string, accepts: (item: number) => boolean): readonly NameHit[]
}

const COMPARED_NAMES = 60
const LONGEST_TEXT = 500
const TRANSLITERATED_CAP = 85
/** Above a three-letter name with a letter changed. */
const ASKED_BY_ACRONYM = 66
/** Less: many names have the initials of some stored acronym by chance. */
const STORED_AS_ACRONYM = 50
/** `Universität Jena` for `University of Jena`, `Autriche` for `Austria`. */
const SAME_MEANING = 90
const BEYOND_ASCII = /\P{ASCII}/u

interface StoredName {
  readonly text: string
  readonly item: number
  readonly transliterated: boolean
}

/** Builds the index over labels and aliases. */
export function buildNameIndex(items: readonly KbItem[]): NameIndex {
  const names: StoredName[] = []
  const features: (readonly number[])[] = []
  const byKey = new Map<string, number[]>()
  const byInitials = new Map<string, number[]>()
  items.forEach((item, position) => {
    for (const text of [item.label, ...item.aliases]) {
      for (const { forms, ...spelling } of spellingsOf(text)) {
        for (const key of keysOf(forms)) addTo(byKey, key, names.length)
        for (const initials of initialsOf(forms.tokens)) addTo(byInitials, initials, names.length)
        features.push(nameFeatures(forms.tokens))
        names.push({ ...spelling, item: position })
      }
    }
  })
  const index = buildInvertedIndex(features, FEATURE_BUCKETS)
  const weight = (token: string): number => index.weight(wordFeature(token))

  const search: NameIndex['search'] = (text, accepts) => {
    const isAccepted = (name: number): boolean => accepts(names[name]?.item ?? -1)
    const hits = new Map<number, NameHit>()
    for (const asked of spellingsOf(text.slice(0, LONGEST_TEXT))) {
      const keys = keysOf(asked.forms)
      const equal = new Set(keys.flatMap((key) => byKey.get(key) ?? []))
      const spelledOut = new Set(byInitials.get(asked.forms.c))
      const acronyms = new Set(
        initialsOf(asked.forms.tokens).flatMap((initials) => byKey.get(initials) ?? []),
      )
      const alike = index.mostLike(nameFeatures(asked.forms.tokens), COMPARED_NAMES, isAccepted)
      for (const position of new Set([...equal, ...spelledOut, ...acronyms, ...alike])) {
        const stored = names[position]
        if (stored === undefined || !accepts(stored.item)) continue
        const likeness = Math.max(
          nameSimilarity(asked.forms, nameForms(stored.text), weight),
          equal.has(position) ? SAME_MEANING : 0,
          spelledOut.has(position) ? ASKED_BY_ACRONYM : 0,
          acronyms.has(position) ? STORED_AS_ACRONYM : 0,
        )
        const guessed = asked.transliterated || stored.transliterated
        const score = guessed ? Math.min(likeness, TRANSLITERATED_CAP) : likeness
        if (score > (hits.get(stored.item)?.score ?? -1)) {
          hits.set(stored.item, { item: stored.item, score, exact: score >= EXACT_SCORES.c })
        }
      }
    }
    return [...hits.values()]
  }
  return { search }
}

function addTo(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

interface Spelling {
  readonly text: string
  readonly forms: NameForms
  readonly transliterated: boolean
}

/** The text itself and, in another script, its Latin spelling; nothing for a blank text. */
function spellingsOf(text: string): readonly Spelling[] {
  const forms = nameForms(text)
  if (forms.tokens.length === 0) return []
  const itself = { text, forms, transliterated: false }
  if (!BEYOND_ASCII.test(forms.c)) return [itself]
  const latin = anyAscii(forms.c)
  const latinForms = nameForms(latin)
  if (latinForms.tokens.length === 0) return [itself]
  return [itself, { text: latin, forms: latinForms, transliterated: true }]
}

/** Names with a common key agree but for spaces, the legal form, or the words for one meaning; or name one country. */
function keysOf(forms: NameForms): readonly string[] {
  const words = meaningTokens(forms)
  const country = countryNamed(words)
  const keys = [
    forms.c.replaceAll(' ', ''),
    forms.d.replaceAll(' ', ''),
    words.toSorted().join(' '),
  ]
  return [...new Set([...keys, ...(country === undefined ? [] : [`country ${country}`])])]
}
