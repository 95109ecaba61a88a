import type { Db } from '../db/connect.ts'
import { findQueue } from '../db/download-queues.repo.ts'

/** Why an attempt ends that was about to ask somebody while its queue stands still. */
export class StandsStillError extends Error {
  /** Null: it was cancelled, or is gone. */
  readonly pausedReason: string | null

  constructor(pausedReason: string | null) {
    super('the queue stands still')
    this.pausedReason = pausedReason
  }
}

/** What was seen so short a time ago still holds, ms: most files are asked for within it, and cost no look. */
const SEEN_MS = 500

/**
 * To be called before each request that begins another way to a file: a pause may have come since the attempt began.
 * @param nowMs monotonic; the queue was seen at work when this is made
 * @returns throws StandsStillError
 */
export function createPauseGuard(db: Db, queue: string, nowMs: () => number): () => Promise<void> {
  let seenAtMs = nowMs()
  return async () => {
    if (nowMs() - seenAtMs < SEEN_MS) return
    const found = await findQueue(db, queue)
    if (found === undefined || found.pausedReason !== null || found.isCancelRequested) {
      throw new StandsStillError(found?.pausedReason ?? null)
    }
    seenAtMs = nowMs()
  }
}
