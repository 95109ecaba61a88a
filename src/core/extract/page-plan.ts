/**
 * Which pages of a numbered list to ask next, kept by the workflow.
 *
 *   first page alone ──▶ pages side by side ── one is the last ──▶ nothing beyond it
 *                              │ one came with fewer than its part     ▲ unless a later one has items after all
 *                              └──▶ the rest of its part is asked too ─┘
 *
 * While the source names no total, as many pages are on their way as have come, up to the workers, so that the unknown end
 * is overshot by few; none is asked beyond a total, but the one that shows that it is right.
 * Three failed pages in a row stop the list: whoever does not know the end would ask for ever.
 */

/** Items `position` to `position + limit - 1` of the list. */
export interface PageRange {
  readonly position: number
  readonly limit: number
}

/** What became of a page; all that a workflow is told. */
export interface PageResult {
  readonly state: 'stored' | 'failed'
  readonly rows: number
  /** How far the next position is. */
  readonly advance: number
  /** What later pages are asked for. */
  readonly size: number
  readonly isLast: boolean
  /** Items that the source says there are. */
  readonly total: number | null
}

export interface PagePlan {
  readonly size: number
  readonly next: number
  /** Parts of the list that are still to be asked, before `next`. */
  readonly leftOver: readonly PageRange[]
  readonly inFlight: readonly number[]
  /** The size is known to be served. */
  readonly isOpened: boolean
  /** Pages that came, of this execution and before. */
  readonly done: number
  readonly total: number | null
  /** The list is over here; null: not known. */
  readonly endAt: number | null
  readonly failedInRow: number
  readonly isStopped: boolean
  /** A total says at once how much there is to share. Executions of before begin slowly all the same. */
  readonly trustsTotal: boolean
}

const MOST_FAILED_IN_ROW = 3
/** Pages that one activity asks, one after the other. */
export const MOST_IN_TURN = 8
/** So many times each worker still has to take pages, at least; where the end is not known, more often. */
const TURNS_LEFT = 2
const TURNS_LEFT_UNKNOWN = 3

/** @param next where the list goes on: 0, or behind what is stored already */
export function openPlan(next: number, size: number, trustsTotal = true): PagePlan {
  return {
    size,
    next,
    leftOver: [],
    inFlight: [],
    isOpened: next > 0,
    done: Math.ceil(next / size),
    total: null,
    endAt: null,
    failedInRow: 0,
    isStopped: false,
    trustsTotal,
  }
}

/**
 * The next page to ask, and the plan with it on its way; null: none now.
 * @param lookAhead pages that may lie beyond the first one that has not come
 */
export function takeRange(
  plan: PagePlan,
  lookAhead: number,
): { readonly plan: PagePlan; readonly range: PageRange } | null {
  const [first, ...rest] = plan.leftOver
  if (first !== undefined && !plan.isStopped) {
    return { plan: { ...on(plan, first.position), leftOver: rest }, range: first }
  }
  if (plan.isStopped || isPastEnd(plan)) return null
  const { inFlight, total } = plan
  const isFull = !isTotalTrusted(plan) && inFlight.length >= plan.done
  if (inFlight.length > 0 && (isFull || isBeyond(plan.next, total))) return null
  if (plan.next > Math.min(plan.next, ...inFlight) + lookAhead * plan.size) return null
  const range = { position: plan.next, limit: plan.size }
  return { plan: { ...on(plan, plan.next), next: plan.next + plan.size }, range }
}

/**
 * As `takeRange`, for one who asks several pages in turn: each hand-over costs as much as a page. While much is left, up to
 * eight at a time; near the end one, so that all have something to do.
 * @param workers who share the list
 */
export function takeRanges(
  plan: PagePlan,
  lookAhead: number,
  workers: number,
): { readonly plan: PagePlan; readonly ranges: readonly PageRange[] } | null {
  const most = mostInTurn(plan, workers)
  const ranges: PageRange[] = []
  let left = plan
  while (ranges.length < most) {
    const taken = takeRange(left, lookAhead)
    if (taken === null) break
    ;({ plan: left } = taken)
    ranges.push(taken.range)
  }
  return ranges.length === 0 ? null : { plan: left, ranges }
}

function mostInTurn(plan: PagePlan, workers: number): number {
  const { isOpened, done, total, next, size } = plan
  if (!isOpened) return 1
  // Where the end is not known, as many pages again as have come.
  const left = total === null ? done : Math.ceil((total - next) / size)
  const turns = isTotalTrusted(plan) ? TURNS_LEFT : TURNS_LEFT_UNKNOWN
  return Math.min(MOST_IN_TURN, Math.max(1, Math.floor(left / (workers * turns))))
}

function isTotalTrusted({ trustsTotal, total }: PagePlan): boolean {
  return trustsTotal && total !== null
}

/**
 * The plan after some pages that were asked in turn. Those without a result are asked again, but for those that lay
 * behind the last page.
 */
export function pagesDone(
  plan: PagePlan,
  ranges: readonly PageRange[],
  results: readonly PageResult[],
): PagePlan {
  let after = plan
  let isOver = false
  for (const [index, range] of ranges.entries()) {
    const result = results[index]
    if (result === undefined) {
      const inFlight = after.inFlight.filter((position) => position !== range.position)
      after = { ...after, inFlight, leftOver: isOver ? after.leftOver : [...after.leftOver, range] }
    } else {
      after = pageDone(after, range, result)
      isOver ||= result.state === 'stored' && result.isLast
    }
  }
  return after
}

/** The plan after a page. */
export function pageDone(plan: PagePlan, range: PageRange, result: PageResult): PagePlan {
  const inFlight = plan.inFlight.filter((position) => position !== range.position)
  if (result.state === 'failed') {
    const failedInRow = plan.failedInRow + 1
    const isStopped = plan.isStopped || !plan.isOpened || failedInRow >= MOST_FAILED_IN_ROW
    return { ...plan, inFlight, failedInRow, isStopped }
  }
  const end = range.position + result.advance
  const common = {
    ...plan,
    inFlight,
    failedInRow: 0,
    isOpened: true,
    done: plan.done + 1,
    total: result.total ?? plan.total,
    size: Math.min(plan.size, result.size),
    // Alone, the first page says where the second begins.
    next: plan.isOpened ? Math.max(plan.next, end) : end,
  }
  if (result.isLast) {
    const isFirstEnd = plan.endAt === null || range.position < plan.endAt
    return isFirstEnd ? { ...common, endAt: range.position + result.rows } : common
  }
  const rest = range.limit - result.advance
  return {
    ...common,
    endAt: endAfter(plan.endAt, range.position, result.rows),
    leftOver:
      plan.isOpened && rest > 0
        ? [...plan.leftOver, { position: end, limit: rest }]
        : plan.leftOver,
  }
}

/** Nothing is on its way and nothing is left to ask. */
export function isPlanDone(plan: PagePlan): boolean {
  if (plan.inFlight.length > 0) return false
  return plan.isStopped || (plan.leftOver.length === 0 && isPastEnd(plan))
}

function isBeyond(next: number, total: number | null): boolean {
  return total !== null && next >= total
}

function isPastEnd({ next, endAt }: PagePlan): boolean {
  return endAt !== null && next >= endAt
}

// A page with items behind what looked like the last one: the list is not over there.
function endAfter(endAt: number | null, position: number, rows: number): number | null {
  return endAt !== null && rows > 0 && position >= endAt ? null : endAt
}

function on(plan: PagePlan, position: number): PagePlan {
  return { ...plan, inFlight: [...plan.inFlight, position] }
}
