/**
 * Answers one question: candidates by name, by id and by telling property values, scored 0 to 100, best first.
 *
 *   score = (name + 0.4 × each property) ÷ (1 + 0.4 × number of properties)
 *
 * as the public Wikidata service weighs them, except that a property the item does not state counts half and one that
 * no item of the file states does not count.
 */
import { nameForms } from '../core/names/normalize-name.ts'
import { tokenSortRatio } from '../core/names/similarity.ts'
import type { KbIndex } from './kb-index.ts'
import type { KbItem, KbValue } from './kb-item.ts'
import type { NameHit } from './name-index.ts'
import { propertyAgreement } from './property-agreement.ts'
import type { KbQuery, KbQueryProperty } from './query-batch.ts'

export interface ReconciliationFeature {
  readonly id: string
  readonly value: number | boolean
}

/** A candidate in the words of API 0.2. */
export interface ReconciliationCandidate {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly type: readonly { readonly id: string; readonly name: string }[]
  /** 0 to 100, one decimal. */
  readonly score: number
  /** The only exact one, no property against it, and ten points ahead. */
  readonly match: boolean
  /**
   * `name` (not where the query is its id) and each property the item states: 0 (differs) to 100 (agrees); `type` when
   * types were asked for.
   */
  readonly features: readonly ReconciliationFeature[]
  /** Beyond the specification, so that a client can judge by itself: further names, those most like the query first. */
  readonly aliases?: readonly string[]
  /** Beyond the specification: what the item states, by property id. */
  readonly properties?: Readonly<Record<string, readonly KbValue[]>>
}

const MOST_ALIASES = 20
const MOST_PROPERTIES = 30
const MOST_VALUES = 10

const PROPERTY_WEIGHT = 0.4
const UNSTATED = 0.5
const OTHER_TYPE = 0.7
const LEAD = 10
/** A property value that so few items share points to them whatever their names. */
const TELLING_VALUE_ITEMS = 10
/** Least score of the only item that states a value asked for: above like names, below equal ones. */
const SOLE_HOLDER_SCORE = 80
const UNTYPED = 0.85
/** Less than this is no candidate. */
const LEAST_SCORE = 25

/** In a file without any types the types of a query mean nothing. Ties are broken by agreeing properties, then id. */
export function reconcile(
  index: KbIndex,
  asked: KbQuery,
  limit: number,
): readonly ReconciliationCandidate[] {
  const query = index.types.used.length === 0 ? { ...asked, types: [] } : asked
  const fitsType = typeFilter(index, query)
  const accepts = (position: number): boolean => {
    const item = index.items[position]
    return item !== undefined && (query.typeStrict === 'should' || fitsType(item))
  }
  const properties = query.properties.filter(({ pid }) => index.values.has(pid))
  const scored = [...hitsFor(index, query, accepts).values()]
    .flatMap((hit) => {
      const item = index.items[hit.item]
      return item === undefined ? [] : [scoreItem(item, hit, query, properties, fitsType)]
    })
    .filter(({ score }) => score >= LEAST_SCORE)
    .toSorted(
      (a, b) => b.score - a.score || b.agreeing - a.agreeing || compareIds(a.item.qid, b.item.qid),
    )
  const [first, second] = scored
  const isCertain =
    first?.exact === true && !first.contradicted && first.score - (second?.score ?? 0) >= LEAD
  return scored.slice(0, limit).map(({ item, score, features }, rank) => ({
    id: item.qid,
    name: item.label,
    ...(item.description === undefined ? {} : { description: item.description }),
    type: item.types.map((id) => ({ id, name: index.nameOf(id) })),
    score,
    match: rank === 0 && isCertain,
    features,
    ...shownNames(item, query.query),
    ...shownProperties(item),
  }))
}

function shownNames(
  { aliases }: KbItem,
  query: string | undefined,
): Pick<ReconciliationCandidate, 'aliases'> {
  if (aliases.length === 0) return {}
  if (query === undefined || aliases.length <= MOST_ALIASES) {
    return { aliases: aliases.slice(0, MOST_ALIASES) }
  }
  const asked = nameForms(query).tokens
  const byLikeness = aliases
    .map((alias) => ({ alias, likeness: tokenSortRatio(asked, nameForms(alias).tokens) }))
    .toSorted((a, b) => b.likeness - a.likeness)
  return { aliases: byLikeness.slice(0, MOST_ALIASES).map(({ alias }) => alias) }
}

function shownProperties({ properties }: KbItem): Pick<ReconciliationCandidate, 'properties'> {
  if (properties.size === 0) return {}
  const shown = [...properties].slice(0, MOST_PROPERTIES)
  return {
    properties: Object.fromEntries(
      shown.map(([pid, values]) => [pid, values.slice(0, MOST_VALUES)]),
    ),
  }
}

function hitsFor(
  index: KbIndex,
  query: KbQuery,
  accepts: (position: number) => boolean,
): ReadonlyMap<number, Hit> {
  const hits = new Map<number, Hit>()
  const soleHolder = false
  if (query.query !== undefined) {
    for (const hit of index.names.search(query.query, accepts))
      hits.set(hit.item, { ...hit, soleHolder })
    const byId = index.positionOf(idIn(query.query))
    if (byId !== undefined && accepts(byId)) {
      hits.set(byId, { item: byId, score: 100, exact: true, soleHolder, byId: true })
    }
    const holders = index.values.withIdentifier(query.query).filter(accepts)
    for (const item of holders) {
      const isOnly = holders.length === 1
      hits.set(item, {
        item,
        score: isOnly ? 100 : SOLE_HOLDER_SCORE,
        exact: isOnly,
        soleHolder,
        byId: true,
      })
    }
  }
  for (const { pid, values } of query.properties) {
    const found = index.values.itemsWith(pid, values)
    if (query.query !== undefined && found.length > TELLING_VALUE_ITEMS) continue
    for (const item of found.filter(accepts)) {
      const hit = hits.get(item) ?? { item, score: 0, exact: false, soleHolder }
      hits.set(item, { ...hit, soleHolder: hit.soleHolder || found.length === 1 })
    }
  }
  return hits
}

interface Hit extends NameHit {
  /** No other item of the file states the value of some property asked for. */
  readonly soleHolder: boolean
  /** The query is its id or an identifier of it, which says nothing of its name. */
  readonly byId?: boolean
}

interface ScoredItem {
  readonly item: KbItem
  readonly score: number
  readonly exact: boolean
  readonly contradicted: boolean
  readonly agreeing: number
  readonly features: readonly ReconciliationFeature[]
}

function scoreItem(
  item: KbItem,
  hit: Hit,
  query: KbQuery,
  properties: readonly KbQueryProperty[],
  fitsType: (item: KbItem) => boolean,
): ScoredItem {
  const byName = query.query !== undefined
  const compared = properties.map(({ pid, values }) => {
    const stated = item.properties.get(pid)
    return { pid, agreement: stated === undefined ? null : propertyAgreement(pid, values, stated) }
  })
  const sum = compared.reduce((total, { agreement }) => total + (agreement ?? UNSTATED), 0)
  const points = (byName ? hit.score / 100 : 0) + PROPERTY_WEIGHT * sum
  const most = (byName ? 1 : 0) + PROPERTY_WEIGHT * compared.length
  const score = Math.max((points / most) * 100, hit.soleHolder ? SOLE_HOLDER_SCORE : 0)
  const typeFits = fitsType(item)
  const typeFactor = typeFits ? 1 : item.types.length === 0 ? UNTYPED : OTHER_TYPE
  return {
    item,
    score: Math.round(score * typeFactor * 10) / 10,
    exact: byName ? hit.exact : compared.every(({ agreement }) => agreement === 1),
    contradicted: !typeFits || compared.some(({ agreement }) => agreement === 0),
    agreeing: compared.filter(({ agreement }) => agreement === 1).length,
    features: [
      // Forms A, B and C all count as agreement; which one it was shows in the score.
      ...(byName && hit.byId !== true
        ? [{ id: 'name', value: hit.exact ? 100 : Math.floor(hit.score) }]
        : []),
      ...compared.flatMap(({ pid, agreement }) =>
        agreement === null ? [] : [{ id: pid, value: Math.round(agreement * 100) }],
      ),
      ...(query.types.length > 0 ? [{ id: 'type', value: typeFits }] : []),
    ],
  }
}

function typeFilter(index: KbIndex, query: KbQuery): (item: KbItem) => boolean {
  if (query.types.length === 0) return () => true
  const wanted = query.types.map((type) => index.types.withSubclasses(type))
  return query.typeStrict === 'all'
    ? (item) => wanted.every((types) => isOf(item, types))
    : (item) => wanted.some((types) => isOf(item, types))
}

function isOf(item: KbItem, types: ReadonlySet<string>): boolean {
  return item.types.some((type) => types.has(type))
}

/** `Q42`, or an address that ends in it. */
function idIn(text: string): string {
  return text.trim().replace(/^https?:\/\/\S+\//, '')
}

/** Q9 before Q10, whatever the prefix. */
function compareIds(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0)
}
