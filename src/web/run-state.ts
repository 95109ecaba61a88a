/** How a run stands, for people and programs. */
import { durationText } from '../core/work-rate.ts'
import { type DomainWait, domainWaitText, findDomainWait } from '../client/match/domain-wait.ts'
import { countRequests, runStanding, type RunStanding } from '../db/run-progress.repo.ts'
import type { Run } from '../db/runs.repo.ts'
import { numberText } from './number-text.ts'
import type { WebContext } from './web-context.ts'

export type RunStatusWord =
  'running' | 'paused' | 'cancelling' | 'completed' | 'failed' | 'cancelled' | 'terminated'

export interface RunState {
  readonly project: number
  readonly run: number
  /** Temporal's first run id; also names the run in addresses. */
  readonly id: string
  readonly status: RunStatusWord
  /** Why it stands still, or how it ended; null: neither. */
  readonly reason: string | null
  readonly isSample: boolean
  readonly settingsRevision: number
  readonly startedAt: string
  readonly endedAt: string | null
}

export interface RunProgress extends RunState {
  readonly records: number
  readonly finished: number
  readonly matched: number
  readonly review: number
  readonly noCandidate: number
  readonly failed: number
  readonly requests: { readonly sent: number; readonly throttled: number; readonly failed: number }
  /** Records a second since it started; null before the first and after the end. */
  readonly perSecond: number | null
  readonly leftMs: number | null
  /** All of that in a line. */
  readonly text: string
  /** What it waits for; null: nothing. */
  readonly waiting: string | null
}

export function runState(run: Run): RunState {
  return {
    project: run.projectId,
    run: run.number,
    id: run.temporalRunId,
    status: statusWord(run),
    reason: run.pausedReason ?? run.errorMessage,
    isSample: run.isSample,
    settingsRevision: run.settingsRevision,
    startedAt: run.startedAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
  }
}

export async function runProgress(context: WebContext, run: Run): Promise<RunProgress> {
  const { db } = context
  const standing = await runStanding(db, run.id)
  const isOpen = run.status === 'open'
  const wait = isOpen ? await findDomainWait(context, run) : null
  const { trouble, pausedReason: _, ...counts } = standing
  const seconds = (Date.now() - run.startedAt.getTime()) / 1_000
  const perSecond = isOpen && counts.finished > 0 && seconds > 0 ? counts.finished / seconds : null
  const progress = {
    ...runState(run),
    ...counts,
    requests: await countRequests(db, run.id),
    perSecond,
    leftMs:
      perSecond === null
        ? null
        : Math.round(((counts.records - counts.finished) / perSecond) * 1_000),
    waiting: isOpen ? waitingText(wait, trouble) : null,
  }
  return { ...progress, text: progressText(progress) }
}

function statusWord(run: Run): RunStatusWord {
  if (run.status !== 'open') return run.status
  if (run.isCancelRequested) return 'cancelling'
  return run.pausedReason === null ? 'running' : 'paused'
}

/** A service that answers nothing for so long is worth a word. */
const TROUBLE_SHOWN_MS = 5_000

function waitingText(wait: DomainWait | null, trouble: RunStanding['trouble']): string | null {
  if (wait !== null) return domainWaitText(wait, Date.now())
  if (trouble === null || trouble.sinceMs < TROUBLE_SHOWN_MS) return null
  return `waiting for the service since ${durationText(trouble.sinceMs)} (${trouble.code})`
}

/** `120 of 500 · 88 matched · 20 for review · 6.2/s · about 1 min left`. */
function progressText(run: Omit<RunProgress, 'text'>): string {
  if (run.records === 0) return 'Planning …'
  return [
    `${numberText(run.finished)} of ${numberText(run.records)}`,
    `${numberText(run.matched)} matched`,
    `${numberText(run.review)} for review`,
    `${numberText(run.noCandidate)} without candidate`,
    ...(run.failed > 0 ? [`${numberText(run.failed)} could not be asked`] : []),
    ...(run.perSecond === null ? [] : [`${run.perSecond.toFixed(1)}/s`]),
    ...(run.leftMs === null ? [] : [`about ${durationText(run.leftMs)} left`]),
  ].join(' · ')
}
