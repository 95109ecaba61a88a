import { setTimeout as sleep } from 'node:timers/promises'
import { domainKey } from '../../core/domain-key.ts'
import type { Db } from '../../db/connect.ts'
import { findDomainLimit } from '../../db/domain-limits.repo.ts'
import { countValues, type ValueQuestion } from '../../db/item-values.repo.ts'
import { UnavailableError } from '../../errors.ts'
import { knownError } from '../known-errors.ts'
import { domainWaitOf, domainWaitText } from '../match/domain-wait.ts'
import type { MatchContext } from '../match/match-context.ts'
import { runEnd } from '../match/run-end.ts'
import { createProgressLine } from '../progress-line.ts'
import type { ExtensionHandle } from './start-extension.ts'

const POLL_MS = 2_000
/** Counting looks at every matched item; it is to take a small part of the time. */
const POLLS_PER_COUNT = 10

/** Shows how far an extension is until it has ended, or until Ctrl-C, which leaves it going. */
export async function followExtension(
  context: MatchContext,
  handle: ExtensionHandle,
  question: ValueQuestion,
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
      line.show(await progressText(context.db, question))
      const pauseMs = Math.max(POLL_MS, POLLS_PER_COUNT * (performance.now() - startedAt))
      const slept = await sleep(pauseMs, true, { signal: stopped }).catch(() => false)
      if (!slept) break
    }
    await ended
    return leaving.signal.aborted ? 'left' : 'ended'
  } finally {
    over.abort()
    process.off('SIGINT', leave)
    line.end()
  }
}

async function progressText(db: Db, question: ValueQuestion): Promise<string> {
  try {
    const { items, missing } = await countValues(db, question)
    const wait = await waitOf(db, question.service)
    return [`${items - missing}/${items} items asked`, ...wait].join(' · ')
  } catch (error) {
    if (!(knownError(error) instanceof UnavailableError)) throw error
    return 'Waiting for the database …'
  }
}

async function waitOf(db: Db, service: string): Promise<readonly string[]> {
  if (!/^https?:\/\//i.test(service)) return []
  const limit = await findDomainLimit(db, domainKey(service))
  const wait = limit === undefined ? null : domainWaitOf(limit)
  return wait === null ? [] : [domainWaitText(wait, Date.now())]
}
