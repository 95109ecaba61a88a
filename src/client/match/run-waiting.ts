/** What holds up a run that is open: a pause, or its service. */
import { durationText } from '../../core/work-rate.ts'
import { type RunStanding, runStanding } from '../../db/run-progress.repo.ts'
import type { Run } from '../../db/runs.repo.ts'
import { type DomainWait, domainWaitText, findDomainWait, type WaitPlaces } from './domain-wait.ts'

export interface RunWaiting {
  /** `paused`: its domain is, by hand; `asked`: the server named a wait; `failing`, `trouble`: it does not answer. */
  readonly reason: DomainWait['kind'] | 'trouble'
  readonly domain: string | null
  /** Of the last failure; null where the domain is left alone. */
  readonly code: string | null
  readonly since: string | null
  readonly until: string | null
  /** All of that for people. */
  readonly text: string
}

/** How an open run stands, beside its `status`; all null and 0 for one that is over. */
export interface RunHold {
  readonly paused: { readonly reason: string; readonly since: string | null } | null
  readonly waiting: RunWaiting | null
  /** Records of this run, and those that it has done; null: it has ended, or still plans. */
  readonly progress: { readonly records: number; readonly finished: number } | null
}

/** A service that answers nothing for so long is worth a word. */
const TROUBLE_SHOWN_MS = 5_000

/** @param nowMs of the clock on the wall here */
export function runWaiting(
  wait: DomainWait | null,
  trouble: RunStanding['trouble'],
  nowMs: number,
): RunWaiting | null {
  if (wait !== null) {
    return {
      reason: wait.kind,
      domain: wait.domain,
      code: null,
      since: null,
      until: wait.kind === 'paused' ? null : new Date(nowMs + wait.forMs).toISOString(),
      text: domainWaitText(wait, nowMs),
    }
  }
  if (trouble === null || trouble.sinceMs < TROUBLE_SHOWN_MS) return null
  return {
    reason: 'trouble',
    domain: null,
    code: trouble.code,
    since: new Date(nowMs - trouble.sinceMs).toISOString(),
    until: null,
    text: `waiting for the service since ${durationText(trouble.sinceMs)} (${trouble.code})`,
  }
}

/** Reads what holds up a run at this moment. */
export async function readRunHold(places: WaitPlaces, run: Run | undefined): Promise<RunHold> {
  if (run?.status !== 'open') return { paused: null, waiting: null, progress: null }
  const { records, finished, trouble, pausedReason, pausedSince } = await runStanding(
    places.db,
    run.id,
  )
  const wait = await findDomainWait(places, run)
  return {
    paused:
      pausedReason === null
        ? null
        : { reason: pausedReason, since: pausedSince?.toISOString() ?? null },
    waiting: runWaiting(wait, trouble, Date.now()),
    progress: records === 0 ? null : { records, finished },
  }
}
