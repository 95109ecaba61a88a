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
  takePage,
  takeQuickPage,
  type TaskPlace,
  taskPlaces,
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

interface PageInHand {
  readonly subjects: readonly TaskSubject[]
  /** Of its task. */
  readonly isLast: boolean
  /** Records of the pages before that wait for a further name. */
  readonly waiting: number
  readonly judge: Judge
}

interface DecidedPage {
  /** Its records that wait for a further name. */
  readonly waiting: number
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
      const pages = inPages(await taskPlaces(db, key))
      const { settingsRevision } = run
      let waiting = 0
      let turn = turns.place()
      for (const [index, places] of pages.entries()) {
        if (index > 0 && index % PAGES_PER_TURN === 0) turn = turns.place()
        const isSuspect = suspects !== null && places.some((one) => !isBefore(suspects, one))
        const judge = isSuspect ? judgeApart : judgeHere
        const isLast = index === pages.length - 1
        const page = await turns.take(turn, signal, async () => {
          const subjects = await takePage(db, key, { places, settingsRevision })
          return decideSubjects(db, key, run, { subjects, isLast, waiting, judge })
        })
        onDecided(page.counts)
        waiting += page.waiting
      }
      return waiting
    },
    async decideAtOnce(key, run) {
      const { settings, settingsRevision } = run
      const subjects = await takeQuickPage(db, key, { pageSize: PAGE_SIZE, settingsRevision })
      if (subjects === null) return false
      const judge = judgingHere(settings)
      const isLast = subjects.length < PAGE_SIZE
      const page = await decideSubjects(db, key, run, { subjects, isLast, waiting: 0, judge })
      onDecided(page.counts)
      return isLast && page.waiting === 0
    },
  }
}

/** At least one, which may be empty: with the last page a task is closed. */
function inPages(places: readonly TaskPlace[]): readonly (readonly TaskPlace[])[] {
  const count = Math.max(1, Math.ceil(places.length / PAGE_SIZE))
  return Array.from({ length: count }, (_, page) =>
    places.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
  )
}

/** Closes the task with its last page when no record waits, of this page or of those before. */
async function decideSubjects(
  db: Db,
  key: TaskKey,
  run: SettledRun,
  { subjects, isLast, waiting: waitingBefore, judge }: PageInHand,
): Promise<DecidedPage> {
  const { settings } = run
  const judged = await judge(await dressed(db, settings, groupAlike(subjects, settings)))
  // A run that asks nobody leaves none waiting: what no stored answer can decide stays as it was.
  const waiting = run.run.options.rescore ? 0 : waitingOf(judged).length
  const isDone = isLast && waitingBefore + waiting === 0
  if (subjects.length > 0) await store(db, key, run, judged, isDone)
  else if (isDone) await closeTask(db, key, 'done')
  return { waiting, counts: countsOf(judged) }
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
