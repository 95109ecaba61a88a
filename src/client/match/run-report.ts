import { counted } from '../../core/counted.ts'
import { durationText } from '../../core/work-rate.ts'
import type { RunReport } from '../../db/run-report.ts'
import type { Run } from '../../db/runs.repo.ts'
import type { RunHold } from './run-waiting.ts'

/** A few lines for people. */
export function reportText(report: RunReport & RunHold, run: Run | undefined): string {
  const { entries, outcomes, requests } = report
  const share = (count: number) =>
    entries.total === 0 ? '' : `${((count / entries.total) * 100).toFixed(1).padStart(5)} %`
  const line = (label: string, count: number) =>
    count === 0 ? [] : [`  ${label.padEnd(14)}${String(count).padStart(7)}  ${share(count)}`]
  const open = entries.total - entries.completed - entries.failed - entries.cancelled
  const renewing = renewingOf(report)
  return [
    headline(report, run),
    ...line('matched', outcomes.matched),
    ...line('review', outcomes.review),
    ...line('no candidate', outcomes.no_candidate),
    ...line('skipped', outcomes.skipped),
    ...line('failed', entries.failed),
    ...line('cancelled', entries.cancelled),
    ...line('not started', open - renewing),
    ...(renewing > 0 ? [`  ${renewing} of these are being decided again`] : []),
    `  ${counted(requests.sent, 'request')} sent, ${requests.throttled} throttled, ${requests.failed} failed`,
  ].join('\n')
}

function headline(
  { project, status, entries, durationMs, paused, waiting }: RunReport & RunHold,
  run: Run | undefined,
): string {
  if (run === undefined) return `Project ${project}: ${counted(entries.total, 'record')}`
  const which = ` run ${run.number}${run.isSample ? ' (sample)' : ''}`
  const why = run.errorMessage !== null ? ` (${run.errorMessage})` : ''
  const state = paused !== null ? `paused (${paused.reason})` : `${status}${why}`
  const held = paused === null && waiting !== null ? `, ${waiting.text}` : ''
  return `Project ${project},${which}: ${state}${held} after ${durationText(durationMs)}, ${counted(entries.total, 'record')}`
}

/** Records that are asked again and keep the result that they have until then: in `outcomes`, not in `entries.completed`. */
export function renewingOf({ entries, outcomes }: RunReport): number {
  const told = outcomes.matched + outcomes.review + outcomes.no_candidate + outcomes.skipped
  return Math.max(0, told - entries.completed)
}
