/** A `result` list as services really send it (research/reconciliation.md §1.8). Pure. */
import type {
  Candidate,
  CandidateFeature,
  CandidateList,
  EntityType,
  HeldValue,
} from '../../core/matching/candidate.ts'
import { field, isJsonObject, type JsonObject } from '../tolerant-json.ts'

/** More than any of ours asks for; what comes after is cut, and the list counts as truncated. */
const mostCandidates = 200
const mostPerCandidate = 100
const longestId = 500
const longestText = 2_000

/**
 * Candidates with one id are merged: best score, all names. A `match` counts only where exactly one
 * candidate has it. The list is `truncated` when it reaches the limit, and also when a candidate without a
 * usable id had to be left out, since that one may have been the right one.
 * @param limit What was asked for.
 * @returns Undefined when the list is not empty but has not one usable candidate.
 */
export function readCandidates(
  result: readonly unknown[],
  limit: number,
): CandidateList | undefined {
  const byId = new Map<string, Candidate>()
  let dropped = 0
  for (const entry of result.slice(0, mostCandidates)) {
    const candidate = readCandidate(entry)
    if (candidate) byId.set(candidate.id, merge(byId.get(candidate.id), candidate))
    else dropped++
  }
  if (byId.size === 0 && result.length > 0) return undefined
  const matches = [...byId.values()].filter((candidate) => candidate.serviceMatch).length
  const candidates = [...byId.values()].map((candidate) =>
    matches > 1 ? { ...candidate, serviceMatch: false } : candidate,
  )
  return {
    // toSorted is stable: equal scores keep the service's own order.
    candidates: candidates.toSorted(byFallingScore),
    truncated: result.length >= limit || dropped > 0,
  }
}

function readCandidate(entry: unknown): Candidate | undefined {
  if (!isJsonObject(entry)) return undefined
  const id = readId(field(entry, 'id'))
  if (id === undefined) return undefined
  const name = readText(field(entry, 'name'))
  return {
    id,
    name,
    names: [
      ...new Set([...(name === null ? [] : [name]), ...readAliases(field(entry, 'aliases'))]),
    ],
    description: readText(field(entry, 'description')),
    types: readTypes(field(entry, 'type')),
    serviceScore: readScore(field(entry, 'score')),
    serviceMatch: field(entry, 'match') === true,
    features: readFeatures(field(entry, 'features')),
    ...readProperties(field(entry, 'properties')),
  }
}

function merge(known: Candidate | undefined, more: Candidate): Candidate {
  if (!known) return more
  const scores = [known.serviceScore, more.serviceScore].filter((score) => score !== null)
  return {
    id: known.id,
    name: known.name ?? more.name,
    names: [...new Set([...known.names, ...more.names])],
    description: known.description ?? more.description,
    types: uniqueById([...known.types, ...more.types]),
    serviceScore: scores.length === 0 ? null : Math.max(...scores),
    serviceMatch: known.serviceMatch || more.serviceMatch,
    features: uniqueById([...known.features, ...more.features]),
    ...((known.properties ?? more.properties) && {
      properties: { ...more.properties, ...known.properties },
    }),
  }
}

/** Some services number their entities. */
function readId(value: unknown): string | undefined {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof id !== 'string' || id.trim() === '' || id.length > longestId) return undefined
  return id
}

function readText(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null
  // A cut must not leave half of a surrogate pair.
  return value.slice(0, longestText).replace(/\p{Surrogate}$/u, '')
}

/** A number, or text that is one; the scale is the service's own. */
function readScore(value: unknown): number | null {
  const score =
    typeof value === 'string' && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value)
      ? Number(value)
      : value
  return typeof score === 'number' && Number.isFinite(score) ? score : null
}

function readTypes(value: unknown): readonly EntityType[] {
  const list = Array.isArray(value) ? value : [value]
  const types = list.slice(0, mostPerCandidate).flatMap((entry: unknown): EntityType[] => {
    const id = readId(isJsonObject(entry) ? field(entry, 'id') : entry)
    if (id === undefined) return []
    const name = isJsonObject(entry) ? readText(field(entry, 'name')) : null
    return [name === null ? { id } : { id, name }]
  })
  return uniqueById(types)
}

function readFeatures(value: unknown): readonly CandidateFeature[] {
  if (!Array.isArray(value)) return []
  const objects: readonly JsonObject[] = value.slice(0, mostPerCandidate).filter(isJsonObject)
  return objects.flatMap((entry) => {
    const id = readId(field(entry, 'id'))
    const v = field(entry, 'value')
    if (id === undefined) return []
    return typeof v === 'boolean' || (typeof v === 'number' && Number.isFinite(v))
      ? [{ id, value: v }]
      : []
  })
}

/** Not in the specification; our own service and some others add them. */
function readAliases(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  const texts: readonly unknown[] = value.slice(0, mostPerCandidate)
  return texts.map(readText).filter((text) => text !== null)
}

/** Not in the specification: what the entity states, by property id. */
function readProperties(value: unknown): Pick<Candidate, 'properties'> {
  if (!isJsonObject(value)) return {}
  const entries = Object.entries(value)
    .slice(0, mostPerCandidate)
    .flatMap(([pid, held]): [string, readonly HeldValue[]][] => {
      const list: readonly unknown[] = Array.isArray(held) ? held : [held]
      const values = list.slice(0, mostPerCandidate).flatMap(readHeldValue)
      return values.length === 0 ? [] : [[pid, values]]
    })
  return entries.length === 0 ? {} : { properties: Object.fromEntries(entries) }
}

function readHeldValue(value: unknown): readonly HeldValue[] {
  if (!isJsonObject(value)) {
    const text = readText(typeof value === 'number' ? String(value) : value)
    return text === null ? [] : [text]
  }
  const id = readId(field(value, 'id'))
  const name = readText(field(value, 'name'))
  if (id === undefined) return name === null ? [] : [name]
  return [name === null ? { id } : { id, name }]
}

function uniqueById<T extends { readonly id: string }>(list: readonly T[]): readonly T[] {
  const seen = new Set<string>()
  return list.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/** Without a score last. */
function byFallingScore(a: Candidate, b: Candidate): number {
  if (a.serviceScore === null || b.serviceScore === null) {
    return Number(a.serviceScore === null) - Number(b.serviceScore === null)
  }
  return b.serviceScore - a.serviceScore
}
