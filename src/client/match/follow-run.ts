import {
  addSample,
  durationText,
  type RateSample,
  ratePerSecond,
  timeLeftMs,
} from '../../core/work-rate.ts'
import { needsMending } from '../../core/run-progress.ts'
import { type RunStanding, runStanding } from '../../db/run-progress.repo.ts'
import { findRunByExecution, type Run } from '../../db/runs.repo.ts'
import { UnavailableError } from '../../errors.ts'
import { knownError } from '../known-errors.ts'
import type { ProgressLine } from '../progress-line.ts'
import type { MatchContext } from './match-context.ts'
import { type DomainWait, findDomainWait, type WaitPlaces } from './domain-wait.ts'
import { runEnd } from './run-end.ts'
import { runWaiting } from './run-waiting.ts'
import { isNews, type StandStill, standStillOf } from './stand-still.ts'
import type { MatchHandle } from './start-match.ts'

const POLL_MS = 500
/** A look that takes long takes from a database which the run needs. */
const SHARE_LOOKING = 0.04
/** So often it is looked at any rate, but for a share of the time above this. */
const LONGEST_PAUSE_MS = 10_000
const MOST_SHARE_LOOKING = 0.1
/** Why following ended: the run is over, the person left it running, or it stands still until somebody mends something. */
export type FollowEnd = 'ended' | 'detached' | 'paused'

/**
 * Shows a run's progress from SQL until its workflow has ended, `signal` is aborted, or it is paused by something that a
 * person has to mend: nobody may be there to see it. A pause `by user` is waited for. The run itself is not touched. A
 * server of ours that is away meanwhile is waited for.
 * @throws UnavailableError `stack_stopped` when somebody stops the embedded servers.
 */
export async function followRun(
  context: MatchContext,
  handle: MatchHandle,
  temporalRunId: string,
  line: ProgressLine,
  signal: AbortSignal,
): Promise<FollowEnd> {
  const over = new AbortController()
  const leave = () => over.abort()
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([
      runEnd(context, handle, (text) => line.note(text), over.signal).then(() => 'ended' as const),
      showProgress(context, temporalRunId, line, over.signal),
    ])
  } finally {
    signal.removeEventListener('abort', leave)
    over.abort()
    line.end()
  }
}

async function showProgress(
  places: WaitPlaces,
  temporalRunId: string,
  line: ProgressLine,
  leaving: AbortSignal,
): Promise<'detached' | 'paused'> {
  const { db } = places
  let samples: readonly RateSample[] = []
  let run: Run | undefined
  let said: StandStill | null = null
  while (!leaving.aborted) {
    const lookedAtMs = performance.now()
    try {
      run ??= await findRunByExecution(db, temporalRunId)
      const standing = run && (await runStanding(db, run.id))
      if (run !== undefined && standing !== undefined && !leaving.aborted) {
        const nowMs = Date.now()
        const wait = await findDomainWait(places, run)
        const still = standStillOf(run.projectId, standing.pausedReason, wait, nowMs)
        if (still !== null && isNews(still, said)) line.note(still.text)
        said = still
        samples = addSample(samples, { atMs: nowMs, done: standing.finished })
        if (needsMending(standing.pausedReason)) return 'paused'
        line.show(standingText(standing, samples, wait, nowMs))
      }
    } catch (error) {
      if (!(knownError(error) instanceof UnavailableError)) throw error
      line.show('Waiting for the database …')
    }
    const lookMs = performance.now() - lookedAtMs
    await pause(pauseAfterMs(lookMs), leaving)
  }
  return 'detached'
}

/** @param lookMs how long the last look took */
export function pauseAfterMs(lookMs: number): number {
  const longestMs = Math.max(LONGEST_PAUSE_MS, lookMs / MOST_SHARE_LOOKING)
  return Math.max(POLL_MS, Math.min(lookMs / SHARE_LOOKING, longestMs))
}

/** `120/500 matched 88 · review 20 · none 12 · failed 0 · 6.2/s · ~1 min left`. */
export function standingText(
  standing: RunStanding,
  samples: readonly RateSample[],
  wait: DomainWait | null,
  nowMs: number,
): string {
  const { finished, records, matched, review, noCandidate, failed } = standing
  if (records === 0) return ['Planning …', ...waitText(standing, wait, nowMs)].join(' · ')
  const left = timeLeftMs(samples, records)
  return [
    `${finished}/${records}  matched ${matched}`,
    `review ${review}`,
    `none ${noCandidate}`,
    ...(failed > 0 ? [`failed ${failed}`] : []),
    `${ratePerSecond(samples).toFixed(1)}/s`,
    ...(left === null ? [] : [`~${durationText(left)} left`]),
    ...waitText(standing, wait, nowMs),
  ].join(' · ')
}

function waitText(
  { pausedReason, trouble }: RunStanding,
  wait: DomainWait | null,
  nowMs: number,
): readonly string[] {
  if (pausedReason !== null) return [`PAUSED: ${pausedReason}`]
  const waiting = runWaiting(wait, trouble, nowMs)
  return waiting === null ? [] : [waiting.text]
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}
