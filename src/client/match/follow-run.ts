import {
  addSample,
  durationText,
  type RateSample,
  ratePerSecond,
  timeLeftMs,
} from '../../core/work-rate.ts'
import type { Db } from '../../db/connect.ts'
import { type RunStanding, runStanding } from '../../db/run-progress.repo.ts'
import { findRunByExecution, type Run } from '../../db/runs.repo.ts'
import type { ProgressLine } from '../progress-line.ts'
import type { MatchHandle } from './start-match.ts'

const POLL_MS = 500
/** A service that answers nothing for so long is worth a word. */
const TROUBLE_SHOWN_MS = 5_000

/** Why following ended: the run is over, or the person left it running. */
export type FollowEnd = 'ended' | 'detached'

/**
 * Shows a run's progress from SQL until its workflow has ended or `signal` is aborted. The run itself is not touched.
 */
export async function followRun(
  db: Db,
  handle: MatchHandle,
  temporalRunId: string,
  line: ProgressLine,
  signal: AbortSignal,
): Promise<FollowEnd> {
  let ended = false
  const end = handle
    .result()
    .then(
      () => undefined,
      () => undefined,
    )
    .finally(() => {
      ended = true
    })
  let samples: readonly RateSample[] = []
  let run: Run | undefined
  while (!ended && !signal.aborted) {
    run ??= await findRunByExecution(db, temporalRunId)
    if (run !== undefined) {
      const standing = await runStanding(db, run.id)
      samples = addSample(samples, { atMs: Date.now(), done: standing.finished })
      line.show(standingText(standing, samples))
    }
    await Promise.race([end, pause(POLL_MS, signal)])
  }
  line.end()
  return ended ? 'ended' : 'detached'
}

/** `120/500 matched 88 · review 20 · none 12 · failed 0 · 6.2/s · ~1 min left`. */
export function standingText(standing: RunStanding, samples: readonly RateSample[]): string {
  const { finished, records, matched, review, noCandidate, failed } = standing
  if (records === 0) return 'Planning …'
  const left = timeLeftMs(samples, records)
  return [
    `${finished}/${records}  matched ${matched}`,
    `review ${review}`,
    `none ${noCandidate}`,
    ...(failed > 0 ? [`failed ${failed}`] : []),
    `${ratePerSecond(samples).toFixed(1)}/s`,
    ...(left === null ? [] : [`~${durationText(left)} left`]),
    ...waitText(standing),
  ].join(' · ')
}

function waitText({ pausedReason, trouble }: RunStanding): readonly string[] {
  if (pausedReason !== null) return [`PAUSED: ${pausedReason}`]
  if (trouble === null || trouble.sinceMs < TROUBLE_SHOWN_MS) return []
  return [`waiting for the service since ${durationText(trouble.sinceMs)} (${trouble.code})`]
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
