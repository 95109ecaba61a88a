import { setTimeout as sleep } from 'node:timers/promises'
import { needsMending } from '../../core/run-progress.ts'
import { UnavailableError } from '../../errors.ts'
import { knownError } from '../known-errors.ts'
import { createProgressLine } from '../progress-line.ts'
import type { MatchContext } from './match-context.ts'
import { type EndingWorkflow, runEnd } from './run-end.ts'

const POLL_MS = 2_000
/** Counting looks at every matched item; it is to take a small part of the time. */
const POLLS_PER_COUNT = 10

/** How a workflow stands now. */
export interface Progress {
  /** Such as `20/60 items asked`. */
  readonly text: string
  readonly pausedReason?: string | null
}

/**
 * Shows how far a workflow is until it has ended, until it is paused by something that a person has to mend (nobody may
 * be there to see it), or until Ctrl-C, which leaves it going.
 */
export async function followWorkflow(
  context: MatchContext,
  handle: EndingWorkflow,
  progressOf: () => Promise<Progress>,
): Promise<'ended' | 'left' | 'paused'> {
  const line = createProgressLine()
  const leaving = new AbortController()
  const over = new AbortController()
  const leave = () => leaving.abort()
  process.once('SIGINT', leave)
  const stopped = AbortSignal.any([leaving.signal, over.signal])
  try {
    const ended = runEnd(context, handle, (text) => line.note(text), leaving.signal)
    void ended.finally(() => over.abort()).catch(() => undefined)
    for (;;) {
      const startedAt = performance.now()
      const { text, pausedReason = null } = await progressOrWait(progressOf)
      if (needsMending(pausedReason)) {
        leaving.abort()
        return 'paused'
      }
      line.show(text)
      const pauseMs = Math.max(POLL_MS, POLLS_PER_COUNT * (performance.now() - startedAt))
      const slept = await sleep(pauseMs, true, { signal: stopped }).catch(() => false)
      if (!slept) break
    }
    // Whoever leaves does not wait for the end, which may be days away.
    if (leaving.signal.aborted) return 'left'
    await ended
    return 'ended'
  } finally {
    over.abort()
    process.off('SIGINT', leave)
    line.end()
  }
}

async function progressOrWait(progressOf: () => Promise<Progress>): Promise<Progress> {
  try {
    return await progressOf()
  } catch (error) {
    if (!(knownError(error) instanceof UnavailableError)) throw error
    return { text: 'Waiting for the database …' }
  }
}
