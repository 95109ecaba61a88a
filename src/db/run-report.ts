import type { Db } from './connect.ts'
import { countRequests, type ProjectCounts, type RequestCounts } from './run-progress.repo.ts'
import type { Run } from './runs.repo.ts'

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

/** Its status in words of people and scripts. */
export function statusOf(run: Run): RunReport['status'] {
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
