import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isPlanDone,
  openPlan,
  pageDone,
  pagesDone,
  type PageRange,
  type PageResult,
  takeRange,
  takeRanges,
} from '../../../../src/core/extract/page-plan.ts'
import { judgePage, type Paginator } from '../../../../src/core/extract/paginator.ts'
import { smallerSize } from '../../../../src/core/extract/page-size.ts'

interface World {
  /** Items of the list. */
  readonly length: number
  readonly batchSize: number
  readonly workers: number
  readonly lookAhead: number
  /** Rows the server serves at once at most. */
  readonly cap: number
  /** It breaks down over larger pages. */
  readonly breaksAbove: number
  readonly saysTotal: boolean
  readonly kind: 'offset' | 'page'
  /** Which of the pages in flight ends next. */
  readonly order: readonly number[]
  /** Pages are asked several in turn. */
  readonly isInTurn: boolean
  /** Of pages in turn so many come at once at most; the rest is handed back. */
  readonly patience: number
}

const paginators: Readonly<Record<World['kind'], Paginator>> = {
  offset: { kind: 'offset', offsetParam: 'offset', limitParam: 'limit' },
  page: { kind: 'page', pageParam: 'page', sizeParam: 'size', firstPage: 1 },
}

/** Asks as a workflow and its activities do; pages come back in any order. */
function play(world: World) {
  const paginator = paginators[world.kind]
  let plan = openPlan(0, world.batchSize)
  let requests = 0
  let mostInFlight = 0
  let mostAhead = 0
  const rowsSeen = new Map<number, number>()
  let mostInTurn = 0
  const inFlight: (readonly PageRange[])[] = []
  const ask = ({ position, limit }: PageRange): PageResult => {
    let asked = limit
    for (;;) {
      requests += 1
      const smaller = asked > world.breaksAbove ? smallerSize(paginator, asked) : null
      if (smaller === null) break
      asked = smaller
    }
    const size = Math.min(asked, world.cap)
    if (world.kind === 'page' && position % asked !== 0) throw new Error('inside a page')
    // As a server counts pages: in the size that it serves.
    const first = world.kind === 'page' ? (position / asked) * size : position
    const end = Math.min(world.length, first + size)
    for (let at = first; at < end; at += 1) rowsSeen.set(at, (rowsSeen.get(at) ?? 0) + 1)
    const rows = Math.max(0, end - first)
    const total = world.saysTotal ? world.length : null
    const verdict = judgePage(
      { paginator, emptyPages: 'end' },
      { position, asked, rows, total, next: null, isRepeat: false, pagesBefore: 0 },
    )
    return { ...verdict, state: 'stored', rows, total }
  }
  const askInTurn = (ranges: readonly PageRange[]): readonly PageResult[] => {
    const results: PageResult[] = []
    for (const { position, limit } of ranges.slice(0, world.patience)) {
      const size = Math.min(limit, results.at(-1)?.size ?? limit)
      const result = ask({ position, limit: size })
      results.push(result)
      if (result.isLast) break
    }
    return results
  }
  for (let turn = 0; !isPlanDone(plan); turn += 1) {
    while (inFlight.length < world.workers) {
      const taken = takeRanges(plan, world.lookAhead, world.isInTurn ? world.workers : Infinity)
      if (taken === null) break
      ;({ plan } = taken)
      inFlight.push(taken.ranges)
      mostInTurn = Math.max(mostInTurn, taken.ranges.length)
      const positions = inFlight.flat().map(({ position }) => position)
      mostAhead = Math.max(mostAhead, Math.max(...positions) - Math.min(...positions))
    }
    if (inFlight.length === 0) throw new Error('stands still')
    mostInFlight = Math.max(mostInFlight, inFlight.length)
    const chosen = (world.order[turn % world.order.length] ?? 0) % inFlight.length
    const [ranges = []] = inFlight.splice(chosen, 1)
    plan = pagesDone(plan, ranges, askInTurn(ranges))
  }
  return { requests, mostInFlight, mostAhead, mostInTurn, rowsSeen }
}

const world: fc.Arbitrary<World> = fc.record({
  length: fc.integer({ min: 0, max: 400 }),
  batchSize: fc.constantFrom(10, 16, 20, 40, 100),
  workers: fc.integer({ min: 1, max: 12 }),
  lookAhead: fc.integer({ min: 10, max: 40 }),
  cap: fc.constantFrom(7, 10, 30, 1000),
  breaksAbove: fc.constantFrom(10, 20, 1000),
  saysTotal: fc.boolean(),
  kind: fc.constantFrom('offset', 'page'),
  order: fc.array(fc.nat(20), { minLength: 1, maxLength: 30 }),
  isInTurn: fc.boolean(),
  patience: fc.integer({ min: 1, max: 9 }),
})

describe('the pages of a numbered list', () => {
  it(
    'cover it, each item once, whatever the server serves and in whichever order pages come',
    { timeout: 60_000 },
    () => {
      fc.assert(
        fc.property(world, (one) => {
          const { rowsSeen, mostInFlight, mostAhead } = play(one)
          expect(rowsSeen.size).toBe(one.length)
          expect(Math.max(1, ...rowsSeen.values())).toBe(1)
          expect(mostInFlight).toBeLessThanOrEqual(one.workers)
          expect(mostAhead).toBeLessThanOrEqual(one.lookAhead * one.batchSize)
        }),
      )
    },
  )

  it('overshoot an unknown end by few requests, and a known one by none', () => {
    const plain = {
      batchSize: 100,
      workers: 8,
      lookAhead: 80,
      cap: 1000,
      breaksAbove: 1000,
      kind: 'offset',
      order: [0],
      isInTurn: true,
      patience: 8,
    } as const
    expect(play({ ...plain, length: 150, saysTotal: false }).requests).toBeLessThanOrEqual(3)
    expect(play({ ...plain, length: 950, saysTotal: true }).requests).toBe(10)
    expect(play({ ...plain, length: 950, saysTotal: false }).requests).toBeLessThanOrEqual(18)
  })

  it('are handed out eight at a time while many are left, and one by one near the end', () => {
    const page = { rows: 10, advance: 10, size: 10, isLast: false, total: 5_000 }
    let plan = openPlan(0, 10)
    const alone = takeRanges(plan, 100, 4)
    expect(alone?.ranges).toHaveLength(1)
    plan = pagesDone(alone?.plan ?? plan, alone?.ranges ?? [], [{ ...page, state: 'stored' }])
    expect(takeRanges({ ...plan, done: 20 }, 100, 4)?.ranges).toHaveLength(8)
    expect(takeRanges({ ...plan, done: 20, total: 150 }, 100, 4)?.ranges).toHaveLength(1)
  })

  it('are shared by all workers at once where the source names a total, else by more and more', () => {
    const stored = { state: 'stored', rows: 10, advance: 10, size: 10, isLast: false } as const
    const shared = [90, null].map((total) => {
      const range = { position: 0, limit: 10 }
      let plan = pageDone({ ...openPlan(0, 10), inFlight: [0] }, range, { ...stored, total })
      const positions: number[] = []
      for (;;) {
        const taken = takeRange(plan, 4)
        if (taken === null) return positions
        ;({ plan } = taken)
        positions.push(taken.range.position)
      }
    })
    expect(shared).toEqual([[10, 20, 30, 40, 50], [10]])
  })

  it('that did not come in their turn are asked again, but for those behind the last one', () => {
    const stored = { state: 'stored', rows: 10, advance: 10, size: 10, total: null } as const
    const ranges = [100, 110, 120].map((position) => ({ position, limit: 10 }))
    const plan = { ...openPlan(100, 10), next: 130, inFlight: [100, 110, 120] }
    const cut = pagesDone(plan, ranges, [{ ...stored, isLast: false }])
    expect(cut.leftOver).toEqual(ranges.slice(1))
    expect(cut.inFlight).toEqual([])
    const over = pagesDone(plan, ranges, [{ ...stored, rows: 4, isLast: true }])
    expect(isPlanDone(over)).toBe(true)
  })

  it('go on where a page was short in the middle', () => {
    let plan = openPlan(100, 100)
    const first = takeRange(plan, 10)
    plan = first?.plan ?? plan
    plan = { ...plan, done: 5 }
    const second = takeRange(plan, 10)
    plan = second?.plan ?? plan
    const stored = { state: 'stored', advance: 100, size: 100, total: null } as const
    plan = pageDone(plan, { position: 100, limit: 100 }, { ...stored, rows: 40, isLast: true })
    plan = pageDone(plan, { position: 200, limit: 100 }, { ...stored, rows: 100, isLast: false })
    expect(isPlanDone(plan)).toBe(false)
    expect(takeRange(plan, 10)?.range).toEqual({ position: 300, limit: 100 })
  })

  it('end with the first page that fails, or the third in a row', () => {
    const failed = {
      state: 'failed',
      rows: 0,
      advance: 10,
      size: 10,
      isLast: false,
      total: null,
    } as const
    const first = takeRange(openPlan(0, 10), 10)
    if (first === null) throw new Error('nothing to ask')
    expect(isPlanDone(pageDone(first.plan, first.range, failed))).toBe(true)
    let plan = openPlan(50, 10)
    const done: boolean[] = []
    for (let count = 0; count < 3; count += 1) {
      const taken = takeRange(plan, 10)
      if (taken === null) throw new Error('nothing to ask')
      plan = pageDone(taken.plan, taken.range, failed)
      done.push(isPlanDone(plan))
    }
    expect(done).toEqual([false, false, true])
  })
})
