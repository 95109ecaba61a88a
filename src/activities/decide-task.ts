/** Decides the records of a task as far as answers go, page by page in repeatable transactions. */
import { setImmediate } from 'node:timers/promises'
import { type AlikeRecords, groupAlike } from '../core/matching/judge-alike.ts'
import { judgeSubject, type RecordVerdict } from '../core/matching/judge-subject.ts'
import { WEIGHTS_VERSION } from '../core/matching/weights.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import type { Db } from '../db/connect.ts'
import { dressAnswers } from '../db/dressed-answers.ts'
import { type DecidedPage as JudgedPage, storeDecidedPage } from '../db/decided-page.repo.ts'
import type { SeenItem } from '../db/items.repo.ts'
import { restoreUnanswered } from '../db/restore-decisions.ts'
import { beginDeciding } from '../db/task-marker.repo.ts'
import {
  isBefore,
  startOfTask,
  takePage,
  takeQuickPage,
  type TaskPlace,
  type TaskSubject,
} from '../db/task-page.repo.ts'
import { closeTask, type TaskKey } from '../db/task-subjects.repo.ts'
import { createChildJudge } from './judge-in-child.ts'
import { createTurns } from './turns.ts'
import type { OutcomeCounts } from './work-metrics.ts'
import type { RunSettings, SettledRun } from './run-settings.ts'

/** One transaction's worth of records. */
const PAGE_SIZE = 500
const LONGEST_BLOCK_MS = 20
/** In one process: one is judged while another is read or written; more would only lie in memory. */
const PAGES_AT_ONCE = 2
/** Then a task makes way for those that wait: few have more, but one name may be that of a hundred thousand records. */
const PAGES_PER_TURN = 10

export interface DecideDeps {
  readonly db: Db
  /** Program that judges what an earlier attempt died on; default `workers/judge-child`. */
  readonly judgeChild?: URL | undefined
  /** Told of each page once it is stored. Default: nobody is. */
  readonly onDecided?: ((counts: OutcomeCounts) => void) | undefined
}

export interface TaskDecider {
  /**
   * Decides all records of a task that answers are enough for.
   * @param signal Ends it before the next page, with its reason.
   * @returns how many still wait for a further name.
   */
  decide(key: TaskKey, run: RunSettings, signal: AbortSignal): Promise<number>
  /**
   * Decides a task of few records at once, in two statements, whatever else the process does.
   * @returns whether nothing is left; false also where that takes more than judging, or may not be (`takeQuickPage`)
   */
  decideAtOnce(key: TaskKey, run: SettledRun): Promise<boolean>
}

const ownJudgeChild = new URL(
  `../workers/judge-child.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`,
  import.meta.url,
)

/** Records with one verdict; the first has all that is known of its candidates. */
type Records = AlikeRecords<TaskSubject>

interface JudgedRecords {
  readonly records: Records
  readonly verdict: RecordVerdict
}

type Judge = (page: readonly Records[]) => Promise<readonly JudgedRecords[]>

interface DecidedPage {
  /** Place of its last record; null: there was none. */
  readonly end: TaskPlace | null
  /** Records that wait for a further name. */
  readonly waiting: number
  readonly isLast: boolean
  readonly counts: OutcomeCounts
}

export function createTaskDecider({
  db,
  judgeChild = ownJudgeChild,
  onDecided = () => undefined,
}: DecideDeps): TaskDecider {
  const turns = createTurns(PAGES_AT_ONCE)
  return {
    async decide(key, run, signal) {
      // An attempt that was lost between marking a page and storing it may have died of one of its records.
      const suspects = await beginDeciding(db, key)
      const judgeHere = judgingHere(run.settings)
      const judgeApart = judgingApart(run.settings, judgeChild)
      let waiting = 0
      let place = turns.place()
      let pages = 0
      for (let after: TaskPlace | null = startOfTask; after !== null; pages += 1) {
        if (pages > 0 && pages % PAGES_PER_TURN === 0) place = turns.place()
        const from: TaskPlace = after
        const judge = suspects !== null && isBefore(from, suspects) ? judgeApart : judgeHere
        const page = await turns.take(place, () => {
          signal.throwIfAborted()
          return decidePage(db, key, run, { after: from, waiting, judge })
        })
        onDecided(page.counts)
        waiting += page.waiting
        after = page.isLast ? null : page.end
      }
      return waiting
    },
    async decideAtOnce(key, run) {
      const { settings, settingsRevision } = run
      const subjects = await takeQuickPage(db, key, { pageSize: PAGE_SIZE, settingsRevision })
      if (subjects === null) return false
      const judge = judgingHere(settings)
      const page = await decideSubjects(db, key, run, { subjects, waiting: 0, judge })
      onDecided(page.counts)
      return page.isLast && page.waiting === 0
    },
  }
}

async function decidePage(
  db: Db,
  key: TaskKey,
  run: RunSettings,
  {
    after,
    ...rest
  }: { readonly after: TaskPlace; readonly waiting: number; readonly judge: Judge },
): Promise<DecidedPage> {
  const question = { after, pageSize: PAGE_SIZE, settingsRevision: run.settingsRevision }
  const { subjects, end } = await takePage(db, key, question)
  return { ...(await decideSubjects(db, key, run, { subjects, ...rest })), end }
}

/** Closes the task with its last page when no record waits, of this page or of those before. */
async function decideSubjects(
  db: Db,
  key: TaskKey,
  run: SettledRun,
  {
    subjects,
    waiting: waitingBefore,
    judge,
  }: { readonly subjects: readonly TaskSubject[]; readonly waiting: number; readonly judge: Judge },
): Promise<Omit<DecidedPage, 'end'>> {
  const { settings } = run
  const judged = await judge(await dressed(db, settings, groupAlike(subjects, settings)))
  // A run that asks nobody leaves none waiting: what no stored answer can decide stays as it was.
  const waiting = run.run.options.rescore ? 0 : waitingOf(judged).length
  const isLast = subjects.length < PAGE_SIZE
  const isDone = isLast && waitingBefore + waiting === 0
  if (subjects.length > 0) await store(db, key, run, judged, isDone)
  else if (isDone) await closeTask(db, key, 'done')
  return { waiting, isLast, counts: countsOf(judged) }
}

async function dressed(
  db: Db,
  settings: ProjectSettings,
  page: readonly Records[],
): Promise<readonly Records[]> {
  const firsts = page.map(({ first }) => first)
  const answered = await dressAnswers(db, settings, firsts)
  return page.map(({ first, all }, index) => ({ first: answered[index] ?? first, all }))
}

function countsOf(judged: readonly JudgedRecords[]): OutcomeCounts {
  const counts: Record<string, number> = {}
  for (const { records, verdict } of judged) {
    if (verdict.kind === 'waits') continue
    const outcome = verdict.kind === 'failed' ? 'failed' : verdict.decision.outcome
    counts[outcome] = (counts[outcome] ?? 0) + records.all.length
  }
  return counts
}

function waitingOf(judged: readonly JudgedRecords[]): readonly number[] {
  return judged.flatMap(({ records, verdict }) =>
    verdict.kind === 'waits' ? records.all.map(({ subjectId }) => subjectId) : [],
  )
}

function judgingHere(settings: ProjectSettings): Judge {
  return async (page) => {
    const judged: JudgedRecords[] = []
    let resumedAtMs = performance.now()
    for (const records of page) {
      judged.push({ records, verdict: judgeSubject(records.first, settings) })
      if (performance.now() - resumedAtMs < LONGEST_BLOCK_MS) continue
      // Heartbeats and answers of the whole process wait meanwhile.
      await setImmediate()
      resumedAtMs = performance.now()
    }
    return judged
  }
}

function judgingApart(settings: ProjectSettings, entry: URL): Judge {
  return async (page) => {
    const child = createChildJudge({ settings, entry })
    try {
      const judged: JudgedRecords[] = []
      for (const records of page) {
        judged.push({ records, verdict: await child.judge(records.first) })
      }
      return judged
    } finally {
      child.close()
    }
  }
}

async function store(
  db: Db,
  key: TaskKey,
  { run, settings, settingsRevision }: SettledRun,
  judged: readonly JudgedRecords[],
  isDone: boolean,
): Promise<void> {
  const weightsVersion = settings.weights?.version ?? WEIGHTS_VERSION
  const context = { runId: run.id, service: settings.service, settingsRevision, weightsVersion }
  const task = { number: key.task, isDone }
  if (!run.options.rescore) return storeDecidedPage(db, context, judgedPage(judged), task)
  await db.transaction().execute(async (tx) => {
    await restoreUnanswered(tx, { runId: run.id, settingsRevision }, waitingOf(judged))
    await storeDecidedPage(tx, context, judgedPage(judged), task)
  })
}

function judgedPage(judged: readonly JudgedRecords[]): JudgedPage {
  const decided = judged.flatMap(({ records, verdict }) =>
    verdict.kind === 'decided'
      ? records.all.map(({ subjectId, askedHash, refreshFailure }) => ({
          subjectId,
          askedHash,
          refreshFailure,
          decision: verdict.decision,
        }))
      : [],
  )
  const failed = judged.flatMap(({ records, verdict }) =>
    verdict.kind === 'failed'
      ? records.all.map(({ subjectId }) => ({
          subjectId,
          code: verdict.code,
          message: verdict.message,
        }))
      : [],
  )
  return { decided, failed, items: shownItems(judged) }
}

/** The items that a decision names, with the types that the answers gave them. */
function shownItems(judged: readonly JudgedRecords[]): readonly SeenItem[] {
  return judged.flatMap(({ records, verdict }) => {
    if (verdict.kind !== 'decided') return []
    const found = records.first.answers.flatMap(({ list }) => list?.candidates ?? [])
    const { best, runnerUp } = verdict.decision
    return [best, runnerUp].flatMap((named) => {
      if (named === null) return []
      const { id, label, description } = named
      return [{ id, label, description, types: found.find((one) => one.id === id)?.types ?? [] }]
    })
  })
}
