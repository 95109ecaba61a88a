import { cancellationSignal, heartbeat } from '@temporalio/activity'
import type { RequestBooks } from '../core/limiter/permit.ts'
import { defaultMatchSizes } from '../core/match-run.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import type { RunPlan } from '../core/run.ts'
import { MOST_QUICK_RECORDS } from '../core/task-size.ts'
import type { Db } from '../db/connect.ts'
import { countDue, type DueCounts } from '../db/due-subjects.ts'
import { reopenFailedItems } from '../db/item-facts.repo.ts'
import { countRunLookups, type RunLookupCounts } from '../db/lookups.repo.ts'
import { readPace } from '../db/pace.repo.ts'
import { movePause } from '../db/pause-fence.ts'
import { planPages } from '../db/plan-page.ts'
import { findProject } from '../db/projects.repo.ts'
import { writeRunLookups } from '../db/run-lookups.ts'
import { readServicePace } from '../db/run-pace.repo.ts'
import { queueDueSubjects } from '../db/run-queue.ts'
import { assignTasks, SCORE_TASK_SUBJECTS } from '../db/run-tasks.ts'
import { closeRun, openRun, type Run, storeRunPlan } from '../db/runs.repo.ts'
import { refreshSubjects } from '../db/subject-refresh.ts'
import {
  cancelQueuedSubjects,
  closeTask,
  countQueued,
  failTaskSubjects,
  type TaskFailure,
  type TaskKey,
} from '../db/task-subjects.repo.ts'
import type { RunActivities } from './activity-contracts.ts'
import { existingProject } from './existing-project.ts'
import { withHeartbeat } from './heartbeat.ts'
import { loadRunSettings, runGone, settledRun } from './run-settings.ts'
import { withFailures } from './to-failure.ts'
import { createTaskTrace } from './traces/task-trace.ts'
import { noTracer, type Tracer } from './traces/tracer.ts'
import { createTurns } from './turns.ts'
import type { WorkMetrics } from './work-metrics.ts'

/** In one process. Each holds a connection for as long as it takes, minutes at a million records; the rest is for others. */
const PLANS_AT_ONCE = 2

export interface RunActivityDeps {
  readonly db: Db
  readonly books: Pick<RequestBooks, 'settle'>
  readonly metrics: Pick<WorkMetrics, 'planned' | 'decided'>
  readonly tracer: Tracer
  /** Called when a run is planned, whose records are decided soon. Default: nobody needs to know. */
  readonly onPlan?: (() => void) | undefined
}

export function createRunActivities(deps: RunActivityDeps): RunActivities {
  const { db, books, metrics, tracer, onPlan } = deps
  const plans = createTurns(PLANS_AT_ONCE)
  const inTurn = <T>(plan: () => Promise<T>) =>
    plans.take(plans.place(), cancellationSignal(), plan)
  const failOne = async (key: TaskKey, failure: TaskFailure): Promise<void> => {
    const failed = await failTaskSubjects(db, key, failure)
    metrics.decided({ failed })
    await closeTask(db, key, 'failed')
    if (tracer === noTracer) return
    const run = await settledRun(db, key.runId).catch(() => undefined) // Gone: nobody looks for its trace.
    if (run !== undefined) createTaskTrace(tracer, run, key).failed(failure.code)
  }
  return {
    openRun: (input) =>
      withFailures(async () => {
        await existingProject(db, input.projectId)
        const run = await openRun(db, input)
        const pace = await readPace(db, input.projectId)
        const window = pace?.window ?? null
        return { runId: run.id, number: run.number, projectId: run.projectId, window }
      }),

    queueRun: ({ runId, round }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          onPlan?.()
          const { run, settings } = await loadRunSettings(db, runId)
          const isFirst = round === 0 && run.plan === null
          const due = isFirst ? await inTurn(() => queueDue(db, run, settings)) : null
          await writeRunLookups(db, { id: runId, settings }, onPage)
          await reopenFailedItems(db, settings.service)
          const lookups = await countRunLookups(db, runId)
          if (due !== null) {
            await storeRunPlan(db, runId, await planOf(db, run, due, lookups))
            metrics.planned(lookups.lookups, lookups.lookupsMissing)
          }
          // Who asks nobody misses nothing.
          return { lookupsMissing: run.options.rescore ? 0 : lookups.askedInAnyCase }
        }),
      ),

    dealTasks: ({ runId, round, batchSize }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const { run } = await loadRunSettings(db, runId)
          const { entriesPerTask } = run.options
          const window = (await readPace(db, run.projectId))?.window ?? defaultMatchSizes.window
          const pace = { ...(await readServicePace(db, runId)), batchSize, window }
          const sizing = { pace, entriesPerTask }
          const { asking, first, count } = await inTurn(() =>
            assignTasks(db, { id: runId, round }, sizing, planPages(onPage)),
          )
          const isQuick = (entriesPerTask ?? SCORE_TASK_SUBJECTS) <= MOST_QUICK_RECORDS
          return { first, count, ...(isQuick ? { quickFrom: first + asking } : {}) }
        }),
      ),

    pauseRun: (move) => withFailures(() => movePause(db, 'run', move)),
    resumeRun: (move) => withFailures(() => movePause(db, 'run', { ...move, reason: null })),

    finishRun: ({ runId }) =>
      withFailures(async () => {
        const queued = await countQueued(db, runId)
        if (queued > 0) return { queued }
        // Who looks at `limits` right after a run is to see all its requests.
        await books.settle()
        await closeRun(db, runId, { status: 'completed' })
        return { queued }
      }),

    cancelRun: ({ runId }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          await cancelQueuedSubjects(db, runId, planPages(onPage))
          await books.settle()
          await closeRun(db, runId, { status: 'cancelled' })
        }),
      ),

    failRun: ({ runId, code, message }) =>
      withFailures(() =>
        closeRun(db, runId, { status: 'failed', errorCode: code, errorMessage: message }),
      ),

    failTask: ({ runId, task, ...failure }) =>
      withFailures(() => failOne({ runId, task }, failure)),

    failTasks: ({ runId, first, count, ...failure }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          for (let task = first; task < first + count; task += 1) {
            cancellationSignal().throwIfAborted()
            await failOne({ runId, task }, failure)
          }
        }),
      ),
  }
}

/** Queues what is due. @returns what was found, for people. */
async function queueDue(db: Db, run: Run, settings: ProjectSettings): Promise<DueCounts> {
  const project = await findProject(db, run.projectId)
  if (project === undefined) throw runGone(run.id)
  const revision = run.settingsRevision
  await refreshSubjects(db, { ...project, revision, settings }, planPages(onPage))
  const question = {
    projectId: run.projectId,
    revision,
    runId: run.id,
    options: run.options,
    refreshBefore: run.refreshBefore,
  }
  const due = await countDue(db, question)
  await queueDueSubjects(db, question, run.options, planPages(onPage))
  return due
}

async function planOf(
  db: Db,
  run: Run,
  { due, judged, failedWaiting }: DueCounts,
  { lookups, lookupsMissing }: RunLookupCounts,
): Promise<RunPlan> {
  return {
    queued: await countQueued(db, run.id),
    dueForSettings: due.changed_settings,
    dueForChangedCells: due.changed_cells,
    dueForOldAnswers: due.old_answers,
    failedWaiting,
    judged,
    lookups,
    lookupsMissing,
  }
}

// Planning takes minutes at a million records, and so does giving up what is left of it; a cancel, a shutdown or a next
// attempt must not wait for its end.
function onPage(): void {
  heartbeat()
  cancellationSignal().throwIfAborted()
}
