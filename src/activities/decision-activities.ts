import { decide } from '../core/matching/decide.ts'
import { mapRecord } from '../core/matching/mapped-record.ts'
import { WEIGHTS_VERSION } from '../core/matching/weights.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import type { Db } from '../db/connect.ts'
import { rememberItems, type SeenItem } from '../db/items.repo.ts'
import {
  closeTask,
  type DecidedSubject,
  failSubjects,
  queuedSubjects,
  type SubjectFailure,
  type TaskSubject,
  writeDecisions,
} from '../db/task-subjects.repo.ts'
import type { DecisionActivities } from './activity-contracts.ts'
import { withHeartbeat } from './heartbeat.ts'
import { loadRunSettings } from './run-settings.ts'
import { withFailures } from './to-failure.ts'

/** One transaction's worth of records. */
const PAGE_SIZE = 500

/** What becomes of a record now. */
type Verdict =
  | { readonly decided: DecidedSubject }
  | { readonly failed: SubjectFailure }
  | { readonly waits: true }

export function createDecisionActivities({ db }: { readonly db: Db }): DecisionActivities {
  return {
    decideSubjects: ({ runId, task, position }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const run = await loadRunSettings(db, runId)
          let undecided = 0
          let afterSubjectId = 0
          for (;;) {
            const page = await queuedSubjects(db, { runId, task }, afterSubjectId, PAGE_SIZE)
            const last = page.at(-1)
            if (last === undefined) break
            afterSubjectId = last.subjectId
            const verdicts = page.map((subject) => judge(subject, run.settings, position))
            undecided += verdicts.filter((verdict) => 'waits' in verdict).length
            await store(db, { ...run, runId, task }, page, verdicts)
          }
          if (undecided === 0) await closeTask(db, { runId, task }, 'done')
          return { undecided }
        }),
      ),
  }
}

/**
 * A match ends the questions about a record; otherwise all its names must have been answered. A name that could not be
 * asked makes the record FAILED: it must never look like "no match".
 */
function judge(subject: TaskSubject, settings: ProjectSettings, position: number): Verdict {
  const lists = subject.answers.flatMap((answer) => (answer.list === null ? [] : [answer.list]))
  const decision = decide(mapRecord(subject.cells, settings), lists, settings.thresholds)
  const { subjectId, matchHash } = subject
  const decided = { decided: { subjectId, matchHash, decision } }
  if (decision.outcome === 'matched') return decided
  const open = subject.answers.filter((answer) => answer.status === 'missing')
  if (open.length > 0) return { waits: true }
  const failed = subject.answers.find((answer) => answer.status === 'failed')
  if (failed === undefined) return decided
  return {
    failed: {
      subjectId,
      code: failed.errorCode ?? 'not_answered',
      message: failed.errorMessage ?? `Name ${position + 1} could not be asked.`,
    },
  }
}

async function store(
  db: Db,
  run: Awaited<ReturnType<typeof loadRunSettings>> & { runId: number; task: number },
  page: readonly TaskSubject[],
  verdicts: readonly Verdict[],
): Promise<void> {
  const decided = verdicts.flatMap((verdict) => ('decided' in verdict ? [verdict.decided] : []))
  const failed = verdicts.flatMap((verdict) => ('failed' in verdict ? [verdict.failed] : []))
  const { service } = run.settings
  await db.transaction().execute(async (tx) => {
    await rememberItems(tx, service, shownItems(page, decided))
    await writeDecisions(tx, { ...run, service, weightsVersion: WEIGHTS_VERSION }, decided)
    await failSubjects(tx, run.runId, failed)
  })
}

/** The items that a decision names, with the types that the answers gave them. */
function shownItems(
  page: readonly TaskSubject[],
  decided: readonly DecidedSubject[],
): readonly SeenItem[] {
  const named = new Map(
    decided
      .flatMap(({ decision }) => [decision.best, decision.runnerUp])
      .flatMap((candidate) => (candidate === null ? [] : [[candidate.id, candidate] as const])),
  )
  const types = new Map(
    page
      .flatMap((subject) => subject.answers.flatMap((answer) => answer.list?.candidates ?? []))
      .map((candidate) => [candidate.id, candidate.types] as const),
  )
  return [...named.values()].map(({ id, label, description }) => ({
    id,
    label,
    description,
    types: types.get(id) ?? [],
  }))
}
