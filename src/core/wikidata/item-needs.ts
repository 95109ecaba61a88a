import type { ProjectSettings } from '../project-settings.ts'
import type { WantedFacts } from './item-facts.ts'

export const INSTANCE_OF = 'P31'
export const SUBCLASS_OF = 'P279'
export const IMAGE = 'P18'

/** Nothing is compared by them, so no item is fetched for them; people look at them. */
export const shownPids = [IMAGE] as const

/** Country, located in, headquarters: names of records speak of them. */
const PLACES = ['P17', 'P131', 'P159']
/** Library headings tell years of life, and what somebody was. */
const LIFE = ['P569', 'P570']
const OCCUPATION = 'P106'

/** What a project has to know of items to decide about its records. */
export interface ItemNeeds {
  /** Of the candidates themselves. */
  readonly candidates: WantedFacts
  /** Properties of candidates whose values are items that are compared, or shown, by name. */
  readonly namedPids: readonly string[]
  /** Of these values. */
  readonly names: WantedFacts
  /** Of the classes of candidates and those above them; null when no type is asked for. */
  readonly classes: WantedFacts | null
}

export function itemNeeds({ languages, kind, types, mapping }: ProjectSettings): ItemNeeds {
  const compared = mapping.properties.filter(
    ({ use, pid }) => use !== 'keep' && /^P[1-9]\d*$/.test(pid),
  )
  const byName = compared.filter((property) => ['item', 'text'].includes(property.kind))
  const isPerson = kind === 'person'
  const named = [INSTANCE_OF, ...PLACES, ...(isPerson ? [OCCUPATION] : [])]
  const pids = [...named, ...(isPerson ? LIFE : []), ...compared.map(({ pid }) => pid)]
  const hasTypes = types.length > 0 || mapping.typeColumn !== undefined
  return {
    candidates: { languages, pids: distinct(pids) },
    namedPids: distinct([...named, ...byName.map(({ pid }) => pid)]),
    names: { languages, pids: [] },
    classes: hasTypes ? { languages, pids: [SUBCLASS_OF] } : null,
  }
}

function distinct(pids: readonly string[]): readonly string[] {
  return [...new Set(pids)]
}
