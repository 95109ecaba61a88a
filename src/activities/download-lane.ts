/**
 * A lane: fetches files of a queue one after the other, for about half a minute.
 *
 *   earlier attempt of the lane ──▶ what it left ─┐
 *   claim a few ──▶ begin one ──▶ fetch ──▶ end ──┴─▶ the next ──▶ claim more … nothing is due, the time is over
 *                                   │ a wait: the job keeps its place, and the lane its activity gives up until then
 *
 * Only what was begun when a worker dies has lost an attempt.
 */
import { randomUUID } from 'node:crypto'
import { activityInfo, cancellationSignal } from '@temporalio/activity'
import type { LaneEnd, LaneInput } from '../core/download/download-queue.ts'
import { type DownloadQueue, findQueue } from '../db/download-queues.repo.ts'
import { claimForLane, handBackLane, type LaneJob, takeOverLane } from '../db/job-lanes.repo.ts'
import { createLanePace } from './lane-pace.ts'
import { type AttemptDeps, runAttempt } from './run-attempt.ts'

/** A worker that was added gets its share after so long. */
const LANE_MS = 30_000
/** A file that takes longer keeps nothing behind it. */
const HAND_BACK_AFTER_MS = 5_000
/** Lanes per body that a host may send at once: the next ones look for their way meanwhile. */
export const LANES_PER_BODY = 2

/** @returns the activity without its heartbeat */
export function createDownloadLane(deps: AttemptDeps): (input: LaneInput) => Promise<LaneEnd> {
  const { db, desk } = deps
  const running = new Map<string, Promise<unknown>>()

  async function run(input: LaneInput): Promise<LaneEnd> {
    const key = { queue: input.queue, lane: input.lane }
    const end = async (isMore: boolean): Promise<LaneEnd> => {
      const isLeft = (await handBackLane(db, key)) > 0
      return { isMore: isMore || isLeft, ended, pausedReason: null }
    }
    const pace = createLanePace()
    const fromMs = performance.now()
    let ended = 0
    let queue = await findQueue(db, input.queue)
    if (queue === undefined) return end(false)
    const before = activityInfo().attempt > 1
    const claimed: LaneJob[] = before
      ? [...(await takeOverLane(db, key, queue.options.maxAttempts))]
      : []
    for (;;) {
      cancellationSignal().throwIfAborted()
      if (claimed.length === 0) {
        if (ended > 0 && performance.now() - fromMs > LANE_MS) return end(true)
        queue = await findQueue(db, input.queue)
        if (queue === undefined || !isOpen(queue)) return standingStill(await end(false), queue)
        const { maxPerHost, groupHosts } = queue.options
        const share = { lanesPerHost: maxPerHost * LANES_PER_BODY, groupHosts }
        claimed.push(...(await claimForLane(db, { ...input, ...share, limit: pace.ahead() })))
      }
      const next = claimed.shift()
      if (next === undefined) return end(false)
      const { lane, temporalRunId } = input
      const token = randomUUID()
      if (!(await desk.begin({ jobId: next.id, lane, token, temporalRunId }))) {
        queue = await findQueue(db, input.queue)
        if (queue === undefined || !isOpen(queue)) return standingStill(await end(false), queue)
        continue
      }
      const beganMs = performance.now()
      // A large file must not hold back what was claimed behind quick ones.
      let handingBack: Promise<unknown> = Promise.resolve()
      const isSlow = setTimeout(() => {
        claimed.length = 0
        handingBack = handBackLane(db, key, next.id).catch(() => undefined)
      }, HAND_BACK_AFTER_MS)
      try {
        const { pausedReason } = await runAttempt(deps, { ...next, token }, queue.options)
        ended += 1
        if (pausedReason !== null) return { ...(await end(false)), pausedReason }
      } catch (error) {
        // It waits, or is broken: nobody behind it is to wait as well. Where that fails the next attempt has them.
        await handBackLane(db, key, next.id).catch(() => undefined)
        throw error
      } finally {
        clearTimeout(isSlow)
        await handingBack
      }
      pace.ended(performance.now() - beganMs)
    }
  }

  return async (input) => {
    // The server may have given up an attempt of this very process that still runs: it ends first, and loses nothing.
    await running.get(input.lane)?.catch(() => undefined)
    const mine = run(input)
    running.set(input.lane, mine)
    try {
      return await mine
    } finally {
      if (running.get(input.lane) === mine) running.delete(input.lane)
    }
  }
}

function isOpen({ pausedReason, isCancelRequested }: DownloadQueue): boolean {
  return pausedReason === null && !isCancelRequested
}

function standingStill(end: LaneEnd, queue: DownloadQueue | undefined): LaneEnd {
  return { ...end, isMore: false, pausedReason: queue?.pausedReason ?? null }
}
