import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../db/connect.ts'
import { countItemStates, type MatchedItems } from '../../db/item-states.repo.ts'
import { UnavailableError } from '../../errors.ts'
import { knownError } from '../known-errors.ts'
import type { MatchContext } from '../match/match-context.ts'
import { runEnd } from '../match/run-end.ts'
import { createProgressLine } from '../progress-line.ts'
import type { RecheckHandle } from './start-recheck.ts'

const POLL_MS = 2_000

/** Shows how far a recheck is until it has ended, or until Ctrl-C, which leaves it going. */
export async function followRecheck(
  context: MatchContext,
  handle: RecheckHandle,
  items: MatchedItems,
  since: string,
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
    while (!stopped.aborted) {
      line.show(await progressText(context.db, items, since))
      await sleep(POLL_MS, undefined, { signal: stopped }).catch(() => undefined)
    }
    if (leaving.signal.aborted) return 'left'
    await ended
    return 'ended'
  } finally {
    over.abort()
    process.off('SIGINT', leave)
    line.end()
  }
}

async function progressText(db: Db, items: MatchedItems, since: string): Promise<string> {
  try {
    const counts = await countItemStates(db, items, since)
    return `${counts.items - counts.unchecked}/${counts.items} items checked`
  } catch (error) {
    if (!(knownError(error) instanceof UnavailableError)) throw error
    return 'Waiting for the database …'
  }
}
