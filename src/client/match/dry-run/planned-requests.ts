/** How many requests the questions of a run make. */
import type { LookupKind } from '../../../core/matching/lookup-kind.ts'
import { MOST_ITEMS_TOGETHER } from '../../../core/wikidata/fetch-plan.ts'
import type { PlannedQuestions } from './plan-questions.ts'

/** From what is asked in any case to all further names asked too. */
export interface Span {
  readonly least: number
  readonly most: number
}

export interface RequestsOfKind extends Span {
  /** `check`: whether it is there; `items`: of candidates, and of their classes and values. */
  readonly kind: 'check' | 'items' | LookupKind
}

export interface PlannedRequests extends Span {
  readonly byKind: readonly RequestsOfKind[]
}

type Questions = Pick<
  PlannedQuestions,
  'toAsk' | 'onlyIfUndecided' | 'tasks' | 'byKind' | 'itemsToFetch'
>

/** The manifest is one request more; each task sends its own, the last of them less than full. */
export function batchedRequests(
  { toAsk, onlyIfUndecided, tasks }: Questions,
  batchSize: number,
): PlannedRequests {
  const least = toAsk === 0 ? 0 : tasks * Math.ceil(toAsk / tasks / batchSize)
  const further = Math.ceil(onlyIfUndecided / batchSize)
  return summed([checks(toAsk), { kind: 'batch', least, most: least + further }])
}

/**
 * Wikidata is searched in one request for each lookup, and items are fetched by fifty; how many a search will find is
 * not known, so `most` counts full lists, and as many items again for their classes and values.
 * @param limit candidates of one search
 */
export function wikidataRequests(
  { toAsk, byKind, tasks, itemsToFetch }: Questions,
  limit: number,
): PlannedRequests {
  const searches = byKind
    .filter(({ kind }) => kind !== 'id')
    .map(({ kind, toAsk: least, onlyIfUndecided }) => {
      return { kind, least, most: least + onlyIfUndecided }
    })
  const found = sum(searches).most * limit
  const calls = Math.ceil((found + itemsToFetch.most) / MOST_ITEMS_TOGETHER)
  const most = 2 * (calls === 0 ? 0 : Math.max(tasks, calls))
  const least = Math.ceil(itemsToFetch.least / MOST_ITEMS_TOGETHER)
  return summed([checks(toAsk), ...searches, { kind: 'items', least, most }])
}

function checks(toAsk: number): RequestsOfKind {
  const count = toAsk === 0 ? 0 : 1
  return { kind: 'check', least: count, most: count }
}

function summed(all: readonly RequestsOfKind[]): PlannedRequests {
  return { ...sum(all), byKind: all.filter(({ most }) => most > 0) }
}

function sum(spans: readonly Span[]): Span {
  return {
    least: spans.reduce((total, { least }) => total + least, 0),
    most: spans.reduce((total, { most }) => total + most, 0),
  }
}
