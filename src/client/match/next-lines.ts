import type { RunReport } from '../../db/run-report.ts'
import type { Run } from '../../db/runs.repo.ts'
import { ageText } from './answer-age.ts'
import type { RunHold } from './run-waiting.ts'

/** A run that ended so has not done all it was for. */
const CUT_SHORT: ReadonlySet<Run['status']> = new Set(['cancelled', 'failed', 'terminated'])

type Reported = Pick<RunReport, 'status' | 'entries' | 'outcomes'> & Pick<RunHold, 'paused'>

/** What to do after a match, or while it runs: each line names a command that works as it stands. */
export function nextLines(
  id: number,
  { status, entries, outcomes, paused }: Reported,
  run: Pick<Run, 'status' | 'options'> | undefined,
): readonly string[] {
  if (status === 'running') {
    return [
      ...(paused === null ? [] : [`Let it go on: ./record-linker resume-match --project ${id}`]),
      `Follow it: ./record-linker status --project ${id} --watch`,
      `Stop it:   ./record-linker cancel-match --project ${id}`,
    ]
  }
  const open = entries.total - entries.completed - entries.failed
  return [
    ...(entries.failed > 0
      ? [
          `What failed, and the way out: ./record-linker failures --project ${id}`,
          `Retry:  ./record-linker retry-failed --project ${id}`,
        ]
      : []),
    ...renewalLines(id, run),
    ...(open > 0 ? [`Go on:  ./record-linker start-match --project ${id}`] : []),
    `Export: ./record-linker export --project ${id} -o ${matchesFile(id)}`,
    ...(outcomes.review > 0
      ? [
          `Doubtful ones, on a page: ./record-linker review --project ${id}`,
          `In a spreadsheet: ${reviewExportCommand(id)}`,
        ]
      : []),
  ]
}

/** A renewal that was cut short leaves every record with a result, so a plain start finds nothing to do. */
function renewalLines(
  id: number,
  run: Pick<Run, 'status' | 'options'> | undefined,
): readonly string[] {
  const ageMs = run?.options.refreshOlderThanMs
  if (run === undefined || ageMs == null || !CUT_SHORT.has(run.status)) return []
  return [
    `The renewal was cut short; what was not asked again keeps its result. Again: ./record-linker start-match --project ${id} --refresh-older-than ${ageText(ageMs)}`,
  ]
}

/** A file of its own per project, so that no hint replaces another project's export. */
function matchesFile(project: number): string {
  return `matches-${project}.csv`
}

/** Writes what `judgments import` reads. */
export function reviewExportCommand(project: number): string {
  return `./record-linker export --project ${project} --format review-csv --only review no_candidate -o review-${project}.csv`
}
