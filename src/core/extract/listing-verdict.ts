/**
 * Whether a list can be believed: `complete` and every item once; `unstable`, it changed or repeated itself while it was
 * read; `incomplete`, a part of it is missing. Only the first may mark anything as absent.
 */
import { counted } from '../counted.ts'

export interface ListingFacts {
  readonly failedPages: number
  /** Code of what ended the list early; null: nothing did. */
  readonly problem: string | null
  /** Rows that came, rows without an id left out. */
  readonly rows: number
  readonly distinctIds: number
  readonly rowsWithoutId: number
  /** What the source said there is, on the first and the last page; null: it did not say. */
  readonly firstTotal: number | null
  readonly lastTotal: number | null
  /** A page had fewer items than asked, and later ones had some. */
  readonly hasShortPage: boolean
}

export type ListingState = 'complete' | 'unstable' | 'incomplete'

export interface ListingVerdict {
  readonly state: ListingState
  /** null where it is complete. */
  readonly code: string | null
  readonly message: string | null
}

export function judgeListing(facts: ListingFacts): ListingVerdict {
  const { failedPages, problem, rows, distinctIds, firstTotal, lastTotal } = facts
  if (problem !== null) {
    return incomplete(problem, problemTexts[problem] ?? 'The list ended early.')
  }
  if (failedPages > 0)
    return incomplete('pages_failed', `Pages that could not be read: ${failedPages}.`)
  if (facts.rowsWithoutId > 0) {
    return incomplete('no_id', `Rows without an id, left out: ${facts.rowsWithoutId}.`)
  }
  if (distinctIds < rows) {
    return unstable(
      'repeated_ids',
      `${counted(rows, 'row')} came, with ${counted(distinctIds, 'distinct id')}.`,
    )
  }
  if (firstTotal !== lastTotal && firstTotal !== null && lastTotal !== null) {
    return unstable('total_changed', `The source had ${firstTotal} items, then ${lastTotal}.`)
  }
  if (lastTotal !== null && lastTotal !== distinctIds) {
    return unstable('total_differs', `The source says ${lastTotal} items; ${distinctIds} came.`)
  }
  if (facts.hasShortPage) {
    return unstable('short_page', 'A page in the middle had fewer items than asked for.')
  }
  return { state: 'complete', code: null, message: null }
}

const problemTexts: Readonly<Record<string, string>> = {
  pagination_loop:
    'A page named a next page that was read before, or had the same items as another.',
  page_limit: 'The list had more pages than can be meant.',
}

function incomplete(code: string, message: string): ListingVerdict {
  return { state: 'incomplete', code, message }
}

function unstable(code: string, message: string): ListingVerdict {
  return { state: 'unstable', code, message }
}
