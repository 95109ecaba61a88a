import { counted } from '../../core/counted.ts'
import type { RunOptions } from '../../core/run.ts'
import type { DueCounts, DueReason } from '../../db/due-subjects.ts'
import type { Project } from '../../db/projects.repo.ts'

const reasons: readonly (readonly [DueReason, string])[] = [
  ['new', 'new'],
  ['cancelled', 'cancelled before'],
  ['left_over', 'left over by a run that broke off'],
  ['changed_cells', 'with changed cells or mapping'],
  ['changed_settings', 'decided under older settings'],
  ['old_answers', 'with answers that are too old'],
  ['new_answers', 'whose answers are others since'],
  ['failed', 'that failed before'],
  ['set_aside', 'set aside before'],
  ['picked', 'decided before and picked by --only'],
  ['rescored', 'to be decided again from stored answers'],
]

/** `500 records are due: 480 new, 20 cancelled before.` and what is left alone. */
export function dueText(counts: DueCounts): string {
  const parts = reasons.filter(([reason]) => counts.due[reason] > 0)
  const total = parts.reduce((sum, [reason]) => sum + counts.due[reason], 0)
  const why = parts.map(([reason, text]) => `${counts.due[reason]} ${text}`).join(', ')
  return [`${counted(total, 'record is', 'records are')} due: ${why}.`, ...leftAlone(counts)].join(
    ' ',
  )
}

/** What a start says that has nothing to do. */
export function nothingDueText(
  project: Pick<Project, 'id'>,
  counts: DueCounts,
  {
    failed,
    only,
    rescore,
    retryFailed = false,
  }: Pick<RunOptions, 'failed' | 'only' | 'rescore'> & Partial<Pick<RunOptions, 'retryFailed'>>,
): string {
  if (failed != null) {
    return (
      'None of these records has failed; the service was asked nothing. ' +
      `Which have: ./record-linker failures --project ${project.id}`
    )
  }
  if (retryFailed && !rescore && only === null) {
    return `No record of project ${project.id} has failed, and none is due; the service was asked nothing.`
  }
  const why = rescore
    ? 'has a decision that could be made again'
    : only === null
      ? ''
      : `stands as ${only.join(' or ')}`
  return [
    `Nothing is due in project ${project.id}: of ${counted(counts.present, 'record')} ` +
      (why === '' ? 'all that can be are decided under the current settings.' : `none ${why}.`),
    'The service was asked nothing.',
    ...leftAlone(counts),
  ].join(' ')
}

function leftAlone({ judged, judgedAskedAgain, failedWaiting }: DueCounts): readonly string[] {
  return [
    ...(judgedAskedAgain > 0
      ? [
          `${counted(judgedAskedAgain, 'of them is', 'of them are')} judged: it is looked whether the item changed, the judgment stays.`,
        ]
      : []),
    ...(judged > 0
      ? [judged === 1 ? '1 judged one stays as it is.' : `${judged} judged ones stay as they are.`]
      : []),
    ...(failedWaiting > 0
      ? [`${counted(failedWaiting, 'failed one waits', 'failed ones wait')} for retry-failed.`]
      : []),
  ]
}
