import { setImmediate } from 'node:timers/promises'
import { cancellationSignal } from '@temporalio/activity'
import { judgeSubject, type RecordVerdict } from '../core/matching/judge-subject.ts'
import { WEIGHTS_VERSION } from '../core/matching/weights.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import type { Db } from '../db/connect.ts'
import { dressAnswers } from '../db/dressed-answers.ts'
import { rememberItems, type SeenItem } from '../db/items.repo.ts'
import { restoreUnanswered } from '../db/restore-decisions.ts'
import { markPage, markedPage, unmarkPage } from '../db/task-marker.repo.ts'
import {
  closeTask,
  type DecidedSubject,
  failSubjects,
  keepJudged,
  queuedSubjects,
  type TaskKey,
  type TaskSubject,
  writeDecisions,
} from '../db/task-subjects.repo.ts'
import type { DecisionActivities } from './activity-contracts.ts'
import { createGate } from './gate.ts'
import { withHeartbeat } from './heartbeat.ts'
import { createChildJudge } from './judge-in-child.ts'
import { loadRunSettings, type RunSettings } from './run-settings.ts'
import { withFailures } from './to-failure.ts'

/** One transaction's worth of records. */
const PAGE_SIZE = 500
const LONGEST_BLOCK_MS = 20
/** In one process: one is judged while another is read or written; more would only lie in memory. */
const PAGES_AT_ONCE = 2

export interface DecisionActivityDeps {
  readonly db: Db
  /** Program that judges what an earlier attempt died on; default `workers/judge-child`. */
  readonly judgeChild?: URL
}

const ownJudgeChild = new URL(
  `../workers/judge-child.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`,
  import.meta.url,
)

interface JudgedSubject {
  readonly subject: TaskSubject
  readonly verdict: RecordVerdict
}

export function createDecisionActivities(deps: DecisionActivityDeps): DecisionActivities {
  const { db, judgeChild = ownJudgeChild } = deps
  const pages = createGate(PAGES_AT_ONCE)
  return {
    decideSubjects: ({ runId, task }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const key = { runId, task }
          const run = await loadRunSettings(db, runId)
          await keepJudged(db, key)
          // An attempt that was lost between marking a page and storing it may have died of one of its records.
          const suspects = await markedPage(db, key)
          let undecided = 0
          let afterSubjectId = 0
          const decidePage = async (): Promise<boolean> => {
            cancellationSignal().throwIfAborted()
            const queued = await queuedSubjects(db, key, {
              afterSubjectId,
              pageSize: PAGE_SIZE,
              settingsRevision: run.settingsRevision,
            })
            const page = await dressAnswers(db, run.settings, queued)
            const last = page.at(-1)
            if (last === undefined) return false
            const isSuspect = suspects !== null && afterSubjectId < suspects.lastSubjectId
            const judged = isSuspect
              ? await judgeApart(page, run.settings, judgeChild)
              : await judgeHere(db, key, page, run.settings)
            await store(db, key, run, judged)
            if (!run.run.options.rescore) undecided += waiting(judged).length
            afterSubjectId = last.subjectId
            return true
          }
          let isMore = true
          while (isMore) isMore = await pages(decidePage)
          if (undecided === 0) await closeTask(db, key, 'done')
          return { undecided }
        }),
      ),
  }
}

function waiting(judged: readonly JudgedSubject[]): readonly number[] {
  return judged.flatMap(({ subject, verdict }) =>
    verdict.kind === 'waits' ? [subject.subjectId] : [],
  )
}

async function judgeHere(
  db: Db,
  key: TaskKey,
  page: readonly TaskSubject[],
  settings: ProjectSettings,
): Promise<readonly JudgedSubject[]> {
  await markPage(db, key, { lastSubjectId: page.at(-1)?.subjectId ?? 0 })
  const judged: JudgedSubject[] = []
  let resumedAtMs = performance.now()
  for (const subject of page) {
    judged.push({ subject, verdict: judgeSubject(subject, settings) })
    if (performance.now() - resumedAtMs < LONGEST_BLOCK_MS) continue
    // Heartbeats and answers of the whole process wait meanwhile.
    await setImmediate()
    resumedAtMs = performance.now()
  }
  return judged
}

async function judgeApart(
  page: readonly TaskSubject[],
  settings: ProjectSettings,
  entry: URL,
): Promise<readonly JudgedSubject[]> {
  const child = createChildJudge({ settings, entry })
  try {
    const judged: JudgedSubject[] = []
    for (const subject of page) judged.push({ subject, verdict: await child.judge(subject) })
    return judged
  } finally {
    child.close()
  }
}

async function store(
  db: Db,
  key: TaskKey,
  { run, settings, settingsRevision }: RunSettings,
  judged: readonly JudgedSubject[],
): Promise<void> {
  const { service } = settings
  const decided = judged.flatMap(({ subject, verdict }) => {
    if (verdict.kind !== 'decided') return []
    const { subjectId, askedHash, refreshFailure } = subject
    return [{ subjectId, askedHash, refreshFailure, decision: verdict.decision }]
  })
  const failed = judged.flatMap(({ subject: { subjectId }, verdict }) =>
    verdict.kind === 'failed' ? [{ subjectId, code: verdict.code, message: verdict.message }] : [],
  )
  await db.transaction().execute(async (tx) => {
    await rememberItems(tx, service, shownItems(judged, decided))
    const weightsVersion = settings.weights?.version ?? WEIGHTS_VERSION
    const context = { ...key, service, settingsRevision, weightsVersion }
    await writeDecisions(tx, context, decided)
    await failSubjects(tx, key.runId, failed)
    // A run that asks nobody leaves what no stored answer can decide as it was.
    if (run.options.rescore) {
      await restoreUnanswered(tx, { runId: run.id, settingsRevision }, waiting(judged))
    }
    await unmarkPage(tx, key)
  })
}

/** The items that a decision names, with the types that the answers gave them. */
function shownItems(
  judged: readonly JudgedSubject[],
  decided: readonly DecidedSubject[],
): readonly SeenItem[] {
  const candidates = judged.flatMap(({ subject }) =>
    subject.answers.flatMap((answer) => answer.list?.candidates ?? []),
  )
  const types = new Map(candidates.map((candidate) => [candidate.id, candidate.types] as const))
  return decided
    .flatMap(({ decision }) => [decision.best, decision.runnerUp])
    .flatMap((named) => {
      if (named === null) return []
      const { id, label, description } = named
      return [{ id, label, description, types: types.get(id) ?? [] }]
    })
}
