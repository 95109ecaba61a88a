/**
 * How a list goes on, as four ways and none.
 *
 *   offset, page: numbered, so that pages can be asked side by side; a page's position is the number of items before it
 *   cursor, link: chained, each page names the next; a page's position is its number, from 0
 *   none:         one answer has everything
 *
 * When a numbered list is over is not known before it is asked. A page shorter than asked is the last one, but not the
 * first page: the server may serve fewer than asked. So the next one is asked with the size that came.
 */
export type Paginator =
  | { readonly kind: 'none' }
  | { readonly kind: 'offset'; readonly offsetParam: string; readonly limitParam: string }
  | {
      readonly kind: 'page'
      readonly pageParam: string
      readonly sizeParam: string
      readonly firstPage: number
    }
  | {
      readonly kind: 'cursor'
      readonly cursorParam: string
      /** Where the answer has the next cursor; absent, null or empty there: the last page. */
      readonly cursorPath: string
      readonly limitParam: string | null
    }
  /** The `Link` header names the next page as `rel="next"`. */
  | { readonly kind: 'link'; readonly limitParam: string | null }

/** Pages of a list that are asked one after the other. */
export function isChained({ kind }: Paginator): boolean {
  return kind === 'cursor' || kind === 'link'
}

/** What an empty page means where the list could go on. */
export type EmptyPages = 'end' | 'continue'

/** How the list of a content type goes on. */
export interface ListRules {
  readonly paginator: Paginator
  readonly emptyPages: EmptyPages
}

/** Pages that can be asked side by side. */
export function isNumbered({ kind }: Paginator): boolean {
  return kind === 'offset' || kind === 'page'
}

export interface PagePlace {
  readonly position: number
  /** Items asked for. */
  readonly size: number
  /** What the page before named: a cursor, or the address of this page; null: this is the first. */
  readonly cursor: string | null
}

/** The parameters that ask for a page. Of `link`, only the first page has any. */
export function pageParams(
  paginator: Paginator,
  place: PagePlace,
): Readonly<Record<string, string>> {
  const { position, size, cursor } = place
  switch (paginator.kind) {
    case 'offset':
      return { [paginator.offsetParam]: String(position), [paginator.limitParam]: String(size) }
    case 'page':
      return {
        [paginator.pageParam]: String(paginator.firstPage + Math.floor(position / size)),
        [paginator.sizeParam]: String(size),
      }
    case 'cursor':
      return {
        ...sizeParam(paginator.limitParam, size),
        ...(cursor === null ? {} : { [paginator.cursorParam]: cursor }),
      }
    case 'link':
      return sizeParam(paginator.limitParam, size)
    case 'none':
    default:
      return {}
  }
}

function sizeParam(name: string | null, size: number): Readonly<Record<string, string>> {
  return name === null ? {} : { [name]: String(size) }
}

/** A page that came, as far as the rules look at it. */
export interface ReceivedPage {
  readonly position: number
  readonly asked: number
  /** Rows in it, whatever they are. */
  readonly rows: number
  /** What it names as the next page; null: nothing. */
  readonly next: string | null
  /** Items that the source says there are. */
  readonly total: number | null
  /** Another page had the very same items, or named the same next page. */
  readonly isRepeat: boolean
  /** Pages before this one. */
  readonly pagesBefore: number
}

export type PageProblem = 'pagination_loop' | 'page_limit'

export interface PageVerdict {
  readonly isLast: boolean
  /** Why the list is not whole although it ended here. */
  readonly problem: PageProblem | null
  /** How far the next position is. */
  readonly advance: number
  /** What later pages are asked for. */
  readonly size: number
}

/** Ends a list that has no end of its own. */
const MOST_PAGES = 100_000

/** What a page says about how the list goes on. */
export function judgePage(type: ListRules, page: ReceivedPage): PageVerdict {
  const { asked } = page
  if (page.isRepeat) return ended(page, 'pagination_loop')
  if (type.paginator.kind === 'none') return ended(page, null)
  if (page.pagesBefore >= MOST_PAGES) return ended(page, 'page_limit')
  if (isChained(type.paginator)) {
    const isOver = page.next === null || (page.rows === 0 && type.emptyPages === 'end')
    return isOver ? ended(page, null) : { isLast: false, problem: null, advance: 1, size: asked }
  }
  if (isLastNumbered(type.emptyPages, page)) return ended(page, null)
  // The first page shows what the server serves at once: fewer than asked, or more.
  if (page.position === 0 && page.rows > 0 && page.rows !== asked) {
    const size = Math.min(asked, page.rows)
    return { isLast: false, problem: null, advance: page.rows, size }
  }
  return { isLast: false, problem: null, advance: asked, size: asked }
}

function isLastNumbered(emptyPages: EmptyPages, page: ReceivedPage): boolean {
  const { position, asked, rows, total } = page
  const isAllThereIs = total !== null && position + rows >= total
  if (rows === 0) return emptyPages === 'end' || total === null || position + asked >= total
  if (rows >= asked) return false
  if (position === 0) return isAllThereIs
  return emptyPages === 'end' || isAllThereIs
}

function ended({ asked, rows }: ReceivedPage, problem: PageProblem | null): PageVerdict {
  return { isLast: true, problem, advance: Math.max(asked, rows), size: asked }
}
