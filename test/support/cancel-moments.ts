/**
 * Cancels small runs at random moments, one moment at a time, and looks at what is left. Each moment has a service, a
 * project and a limiter of its own; answers depend on the question only, so that every table is known beforehand.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { WorkflowFailedError } from '@temporalio/client'
import { CancelledFailure } from '@temporalio/common'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { Db } from '../../src/db/connect.ts'
import { countProject } from '../../src/db/run-progress.repo.ts'
import { latestRun, noteCancelRequested } from '../../src/db/runs.repo.ts'
import { pauseSignal, resumeSignal } from '../../src/workflows/messages.ts'
import { type BrandService, startBrandService } from './brands.ts'
import type { MatchBench, MatchBenchHandle } from './match-bench.ts'
import { createTestProject } from './match-project-rows.ts'

export interface CancelMoment {
  readonly records: number
  readonly entriesPerTask: number
  readonly delayMs: number
  /** After what the cancel is sent. */
  readonly after: 'requests' | 'events' | 'ms'
  readonly count: number
  /** Every so many batches are answered with 429; 0: none. */
  readonly throttleEvery: number
  /** Every so many batches are answered with 500, which is repeated after seconds; 0: none. */
  readonly failEvery: number
  /** The run is paused and resumed before. */
  readonly pauses: boolean
  /** As the command does it, which notes the cancel in the run row as well. */
  readonly notes: boolean
}

/** How far a run of a moment comes, undisturbed. */
const lengths: Readonly<
  Record<CancelMoment['after'], (run: Pick<CancelMoment, 'records' | 'entriesPerTask'>) => number>
> = {
  requests: ({ records }) => 1 + records / 2,
  events: ({ records, entriesPerTask }) => 30 + (6 * records) / entriesPerTask,
  ms: () => 2_000,
}

// Without a bias towards the ends: most moments are to lie somewhere in the middle.
const moments: fc.Arbitrary<CancelMoment> = fc
  .noBias(
    fc.record({
      records: fc.integer({ min: 20, max: 40 }),
      entriesPerTask: fc.integer({ min: 1, max: 8 }),
      delayMs: fc.constantFrom(0, 5, 40),
      after: fc.constantFrom('requests' as const, 'events' as const, 'ms' as const),
      percent: fc.integer({ min: 0, max: 100 }),
      throttleEvery: fc.constantFrom(0, 0, 3, 5),
      failEvery: fc.constantFrom(0, 0, 0, 7),
      pauses: fc.boolean(),
      notes: fc.boolean(),
    }),
  )
  .map(({ percent, ...run }) => ({
    ...run,
    count: Math.round((percent / 100) * lengths[run.after](run)),
  }))

export function cancelMoments(count: number, seed: number): readonly CancelMoment[] {
  return fc.sample(moments, { numRuns: count, seed })
}

/** What became of the cancelled run. */
export interface MomentEnd {
  readonly end: 'cancelled' | 'completed'
  /** Records that it had decided, of all. */
  readonly decided: number
  readonly records: number
}

/** Of five brands three have one item, one two that look alike, one none. */
const recordsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `b${n}`, name: `Brand ${n}` }))
const mapping = { name: 'name', variants: [], properties: [] }
const RETRY_AFTER_S = '1'
/** A request that was sent before the end may be told of after it. */
const SETTLE_MS = 100

/** @throws when rows, requests or the restart are not as they must be. */
export async function playCancelMoment(
  bench: MatchBench,
  moment: CancelMoment,
): Promise<MomentEnd> {
  const service = await startBrandService({ delayMs: moment.delayMs, batchSize: 2 })
  try {
    const records = recordsOf(moment.records)
    const project = await createTestProject(bench.db, service.url, records, { mapping })
    const undisturbed = await createTestProject(bench.db, `${service.url}/2`, records, { mapping })
    const plain = bench.start(undisturbed.id, { options: { entriesPerTask: 10 } })
    expect(await endOf(await plain)).toBe('completed')
    disturb(service, moment)

    const before = service.requests.length
    const options = { options: { entriesPerTask: moment.entriesPerTask } }
    const run = await bench.start(project.id, options)
    await reachMoment(run, service, moment, before)
    await run.cancel()
    if (moment.notes) await noteCancelRequested(bench.db, run.firstExecutionRunId)
    const end = await endOf(run)
    const sent = service.requests.length
    await sleep(SETTLE_MS)
    expect(service.requests.length).toBe(sent)
    const counts = await countProject(bench.db, project.id)
    expect(counts).toMatchObject({ queued: 0, failed: 0 })
    const { total, completed, cancelled, fresh } = counts
    expect(completed + cancelled + fresh).toBe(total)
    // Before it was planned it had no records, or none that were its own.
    if (fresh > 0 || total === 0) expect(completed + cancelled).toBe(0)
    else expect(total).toBe(moment.records)
    if (end === 'completed') expect(completed).toBe(moment.records)
    const closed = await latestRun(bench.db, project.id)
    expect(closed?.status ?? end).toBe(end)
    const decided = await decisionsOf(bench.db, project.id)
    expect(decided.size).toBe(completed)

    service.letGo()
    if (completed < moment.records) {
      expect(await endOf(await bench.start(project.id, options))).toBe('completed')
    }
    const after = await decisionsOf(bench.db, project.id)
    for (const [subject, decision] of decided) expect(after.get(subject)).toBe(decision)
    expect(await tableOf(bench.db, project.id)).toEqual(await tableOf(bench.db, undisturbed.id))
    const { records: all } = moment
    return { end, decided: completed, records: all }
  } finally {
    await service.close()
  }
}

function disturb(service: BrandService, { throttleEvery, failEvery }: CancelMoment): void {
  let batches = 0
  const each = (every: number) => every > 0 && batches % every === every - 1
  service.disturb(() => {
    batches += 1
    if (each(throttleEvery)) return { status: 429, headers: { 'retry-after': RETRY_AFTER_S } }
    return each(failEvery) ? { status: 500, json: {} } : undefined
  })
}

async function reachMoment(
  run: MatchBenchHandle,
  service: BrandService,
  moment: CancelMoment,
  before: number,
): Promise<void> {
  if (moment.pauses) {
    await run.signal(pauseSignal, { reason: 'by user' })
    await run.signal(resumeSignal)
  }
  if (moment.after === 'ms') return sleep(moment.count)
  let isOver = false
  void endOf(run)
    .catch(() => undefined)
    .finally(() => {
      isOver = true
    })
  if (moment.after === 'requests') {
    while (!isOver && service.requests.length - before < moment.count) await sleep(1)
  } else {
    while (!isOver && (await run.describe()).historyLength < moment.count) await sleep(10)
  }
}

/** @throws what a run failed by. */
async function endOf(run: MatchBenchHandle): Promise<'completed' | 'cancelled'> {
  try {
    await run.result()
    return 'completed'
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error
    if (error.cause instanceof CancelledFailure) return 'cancelled'
    throw new Error(`the run failed by ${inspect(error.cause, { depth: 6 })}`, { cause: error })
  }
}

async function decisionsOf(db: Db, projectId: number): Promise<ReadonlyMap<number, number | null>> {
  const rows = await db
    .selectFrom('subject')
    .where('project_id', '=', projectId)
    .where('status', '=', 'COMPLETED')
    .select(['id', 'decision_id'])
    .execute()
  return new Map(rows.map((row) => [row.id, row.decision_id]))
}

async function tableOf(db: Db, projectId: number) {
  return db
    .selectFrom('result')
    .where('project_id', '=', projectId)
    .orderBy('position')
    .select(['external_id', 'match_status', 'match_qid', 'score', 'margin', 'rule', 'reason'])
    .execute()
}
