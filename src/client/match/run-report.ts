import { durationText } from '../../core/work-rate.ts'
import type { Db } from '../../db/connect.ts'
import {
  countRequests,
  type ProjectCounts,
  type RequestCounts,
} from '../../db/run-progress.repo.ts'
import type { Run } from '../../db/runs.repo.ts'

/** The one object that `start-match -o json` prints (CONTRACTS). */
export interface RunReport {
  readonly project: number
  /** Temporal's first run id. */
  readonly run: string | null
  readonly status: 'completed' | 'failed' | 'cancelled' | 'running'
  /** Of the project after the run. */
  readonly entries: {
    readonly total: number
    readonly completed: number
    readonly failed: number
    readonly cancelled: number
  }
  readonly outcomes: {
    readonly matched: number
    readonly review: number
    readonly no_candidate: number
    readonly skipped: number
  }
  /** Of this run only. */
  readonly requests: RequestCounts
  readonly durationMs: number
}

const NO_REQUESTS: RequestCounts = { sent: 0, throttled: 0, failed: 0 }

/** @param asked false when this start found nothing to do: then no request is this run's. */
export async function runReport(
  db: Db,
  projectId: number,
  counts: ProjectCounts,
  run: Run | undefined,
  asked: boolean,
): Promise<RunReport> {
  const requests = run === undefined || !asked ? NO_REQUESTS : await countRequests(db, run.id)
  return {
    project: projectId,
    run: run?.temporalRunId ?? null,
    status: run === undefined || !asked ? 'completed' : statusOf(run),
    entries: {
      total: counts.total,
      completed: counts.completed,
      failed: counts.failed,
      cancelled: counts.cancelled,
    },
    outcomes: outcomesOf(counts),
    requests,
    durationMs: run === undefined || !asked ? 0 : durationOf(run),
  }
}

/** A few lines for people. */
export function reportText(report: RunReport, run: Run | undefined): string {
  const { entries, outcomes, requests } = report
  const share = (count: number) =>
    entries.total === 0 ? '' : `${((count / entries.total) * 100).toFixed(1).padStart(5)} %`
  const line = (label: string, count: number) =>
    count === 0 ? [] : [`  ${label.padEnd(14)}${String(count).padStart(7)}  ${share(count)}`]
  const open = entries.total - entries.completed - entries.failed - entries.cancelled
  // What is asked again keeps the result it has until then.
  const told = outcomes.matched + outcomes.review + outcomes.no_candidate + outcomes.skipped
  const untold = Math.max(0, entries.total - told - entries.failed - entries.cancelled)
  return [
    headline(report, run),
    ...line('matched', outcomes.matched),
    ...line('review', outcomes.review),
    ...line('no candidate', outcomes.no_candidate),
    ...line('skipped', outcomes.skipped),
    ...line('failed', entries.failed),
    ...line('cancelled', entries.cancelled),
    ...line('not started', untold),
    ...(open > untold ? [`  ${open - untold} of these are being decided again`] : []),
    `  ${requests.sent} requests sent, ${requests.throttled} throttled, ${requests.failed} failed`,
  ].join('\n')
}

function headline(
  { project, status, entries, durationMs }: RunReport,
  run: Run | undefined,
): string {
  if (run === undefined) return `Project ${project}: ${entries.total} records`
  const which = ` run ${run.number}${run.isSample ? ' (sample)' : ''}`
  const why = run.errorMessage !== null ? ` (${run.errorMessage})` : ''
  return `Project ${project},${which}: ${status}${why} after ${durationText(durationMs)}, ${entries.total} records`
}

function statusOf(run: Run): RunReport['status'] {
  switch (run.status) {
    case 'open':
      return 'running'
    case 'terminated':
      return 'failed'
    default:
      return run.status
  }
}

function durationOf(run: Run): number {
  return (run.endedAt ?? new Date()).getTime() - run.startedAt.getTime()
}

function outcomesOf(counts: ProjectCounts): RunReport['outcomes'] {
  return {
    matched: counts.matched,
    review: counts.review,
    no_candidate: counts.noCandidate,
    skipped: counts.skipped,
  }
}
