/**
 * The scoring rule of openrefine-wikibase (research reconciliation §4.1), over the candidates that our knowledge base
 * finds: (label + 0.4 × each property) ÷ (1 + 0.4 × properties); the label by sorted words in ASCII over all names; a
 * match is a first one above 95 − 5 × properties that is more than 10 ahead.
 */
import anyAscii from 'any-ascii'
import type { Candidate, HeldValue } from '../../../src/core/matching/candidate.ts'
import { distanceKm, readCoordinates } from '../../../src/core/matching/features/coordinates.ts'
import type { MappedProperty, MappedRecord } from '../../../src/core/matching/mapped-record.ts'
import { tokenSortRatio } from '../../../src/core/names/similarity.ts'
import type { PeerAnswer } from './peer-answer.ts'

const PROPERTY_WEIGHT = 0.4
const CERTAIN = 95
const LESS_PER_PROPERTY = 5
const LEAD = 10
const FULL = 100

export function openRefineWikibase(
  record: MappedRecord,
  candidates: readonly Candidate[],
): PeerAnswer {
  const name = record.names[0] ?? ''
  const properties = record.properties.filter(({ pid }) => /^P\d+$/.test(pid))
  const scored = candidates
    .map((candidate) => ({ id: candidate.id, score: scoreOf(name, properties, candidate) }))
    .sort((a, b) => b.score - a.score || a.id.length - b.id.length || (a.id < b.id ? -1 : 1))
  const [first, second] = scored
  const isCertain =
    first !== undefined &&
    first.score > CERTAIN - LESS_PER_PROPERTY * properties.length &&
    first.score - (second?.score ?? 0) > LEAD
  return { candidates: scored.map(({ id }) => id), matched: isCertain ? first.id : null }
}

function scoreOf(
  name: string,
  properties: readonly MappedProperty[],
  candidate: Candidate,
): number {
  const label = Math.max(0, ...candidate.names.map((other) => textScore(name, other)))
  const sum = properties.reduce((total, property) => {
    const held = candidate.properties?.[property.pid] ?? []
    const scores = property.values.flatMap((value) =>
      held.map((other) => valueScore(value, other, property)),
    )
    return total + PROPERTY_WEIGHT * Math.max(0, ...scores)
  }, label)
  return Math.round(sum / (1 + PROPERTY_WEIGHT * properties.length))
}

function valueScore(value: string, held: HeldValue, { kind }: MappedProperty): number {
  if (typeof held !== 'string') return held.id === value ? FULL : textScore(value, held.name ?? '')
  if (kind === 'date') return held.startsWith(value) ? FULL : 0
  if (kind !== 'coordinate') return textScore(value, held)
  const [one, other] = [readCoordinates(value), readCoordinates(held)]
  return one === null || other === null ? 0 : FULL * Math.max(0, 1 - distanceKm(one, other))
}

function textScore(left: string, right: string): number {
  return FULL * tokenSortRatio(words(left), words(right))
}

function words(text: string): readonly string[] {
  return (
    anyAscii(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}
