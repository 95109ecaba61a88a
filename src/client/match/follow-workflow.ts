import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '../../errors.ts'
import { knownError } from '../known-errors.ts'
import { createProgressLine } from '../progress-line.ts'
import type { MatchContext } from './match-context.ts'
import { type EndingWorkflow, runEnd } from './run-end.ts'

const POLL_MS = 2_000
/** Counting looks at every matched item; it is to take a small part of the time. */
const POLLS_PER_COUNT = 10

/**
 * Shows how far a workflow about the items of a project is until it has ended, or until Ctrl-C, which leaves it going.
 * @param progressText of now, such as `20/60 items asked`
 */
export async function followWorkflow(
  context: MatchContext,
  handle: EndingWorkflow,
  progressText: () => Promise<string>,
): Promise<'ended' | 'left'> {
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
      line.show(await textOrWait(progressText))
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

async function textOrWait(progressText: () => Promise<string>): Promise<string> {
  try {
    return await progressText()
  } catch (error) {
    if (!(knownError(error) instanceof UnavailableError)) throw error
    return 'Waiting for the database …'
  }
}
