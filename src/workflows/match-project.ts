/**
 * One match run of a project, from opening it to closing it.
 *
 *   open ──▶ queue ──▶ check the service ──▶ deal ──▶ tasks ──▶ finish ── nothing queued ──▶ completed
 *                        │ turned away: paused           ▲            └─ left over: queue again, at most 3 times
 *                        └── resume ──▶ check            └── window of children, closed while paused
 *
 * Cancel: the window closes, all children are awaited, then what is still queued becomes CANCELLED; no request is sent
 * after that. Every child is awaited by a parent that is still there; only this workflow continues as new, between
 * shards (DESIGN §2).
 */
import {
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  ContinueAsNew,
  isCancellation,
  patched,
  proxyActivities,
  rootCause,
  setCurrentDetails,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow'
import type { RunActivities, ServiceActivities } from '../activities/activity-contracts.ts'
import {
  type CarriedRun,
  defaultMatchSizes,
  isQuick,
  type MatchProjectInput,
  type MatchProjectResult,
  type MatchSizes,
  type OpenedRun,
  type PlannedTasks,
} from '../core/match-run.ts'
import { PAUSED_BY_USER, type RunProgressCounts } from '../core/run-progress.ts'
import { matchShardId } from '../core/workflow-ids.ts'
import { databaseProfile, outsideProfile, planningProfile } from './activity-options.ts'
import { alongside } from './alongside.ts'
import { cancelWins } from './cancel-wins.ts'
import { awaitedChild, type ChildrenInFlight, runChild } from './children-in-flight.ts'
import { matchShard } from './match-shard.ts'
import { progressQuery } from './messages.ts'
import { startEndOfRun } from './start-end-of-run.ts'
import { failureText } from './failure-text.ts'
import { pausedReasonOf } from './paused-failure.ts'
import { createRunPause, type RunPause } from './run-pause.ts'
import { createRunWindow, type RunWindow } from './run-window.ts'
import { runMatchTask } from './run-match-task.ts'
import { createShardBudget, type ShardBudget } from './shard-budget.ts'
import { showStatus } from './search-attributes.ts'
import { taskNumbers } from './task-numbers.ts'
import { runWindow } from './task-window.ts'

const { openRun, finishRun, failRun, failTask } = proxyActivities<RunActivities>(databaseProfile)
const { queueRun, dealTasks, cancelRun, failTasks } =
  proxyActivities<RunActivities>(planningProfile)
const { checkService } = proxyActivities<ServiceActivities>(outsideProfile)

/** Plans after the first one that take up what was left over. */
const MOST_ROUNDS = 4
const SHARDS_PER_EXECUTION_BEFORE = 500

/** What this execution is about at the moment; also the answer to the `progress` query. */
interface RunState {
  phase: RunProgressCounts['phase']
  tasksTotal: number
  tasksDone: number
  /** Its children are shards, not tasks. */
  hasShards: boolean
}

export async function matchProject(input: MatchProjectInput): Promise<MatchProjectResult> {
  const pause = createRunPause()
  const children: ChildrenInFlight = new Set()
  const state: RunState = { phase: 'planning', tasksTotal: 0, tasksDone: 0, hasShards: false }
  const window = createRunWindow(sizesOf(input).window)
  const budget = createShardBudget(window, sizesOf(input).shardsInFlight)
  let opened: OpenedRun | undefined = input.carried?.run
  setHandler(progressQuery, () => ({
    run: opened?.number ?? 0,
    phase: pause.pausedReason === null ? state.phase : 'paused',
    tasksTotal: state.tasksTotal,
    tasksDone: state.tasksDone,
    tasksInFlight: children.size,
  }))

  try {
    opened ??= await openRun({
      projectId: input.projectId,
      settingsRevision: input.settingsRevision,
      options: input.options,
      workflowId: workflowInfo().workflowId,
      temporalRunId: workflowInfo().firstExecutionRunId,
    })
    const run = opened
    if (input.sizes?.window === undefined) window.startWith(run.window)
    showStatus(input, 'running')
    await alongside(
      async () => {
        await Promise.all([
          pause.keepInStep(run.runId, children, () => state.hasShards),
          window.passOn(children, () => (state.hasShards ? budget.part : null)),
        ])
      },
      () => runRounds({ input, run, pause, window, budget, children, state }),
    )
    state.phase = 'finished'
    showStatus(input, 'completed')
    await startEndOfRun(input, run)
    return { run: run.number, tasks: state.tasksTotal }
  } catch (failure) {
    if (failure instanceof ContinueAsNew) throw failure
    const error = cancelWins(failure)
    if (opened !== undefined) await closeBroken(opened, error)
    showStatus(input, isCancellation(error) ? 'cancelled' : 'failed')
    if (opened !== undefined) await startEndOfRun(input, opened)
    throw error
  }
}

interface RunContext {
  readonly input: MatchProjectInput
  readonly run: OpenedRun
  readonly pause: RunPause
  readonly window: RunWindow
  readonly budget: ShardBudget
  readonly children: ChildrenInFlight
  readonly state: RunState
}

async function runRounds(context: RunContext): Promise<void> {
  const { input, run, state } = context
  let carried = input.carried
  for (let round = carried?.round ?? 0; round < MOST_ROUNDS; round += 1) {
    const tasks = carried?.tasks ?? (await plan(context, round))
    state.phase = 'running'
    state.tasksTotal += tasks.count
    // Of an execution that continued as new the shards before it are done.
    state.tasksDone += (carried?.nextShard ?? 0) * sizesOf(input).tasksPerShard
    await runTasks(context, { run, round, tasks, nextShard: carried?.nextShard ?? 0 })
    carried = undefined
    state.phase = 'finishing'
    const { queued } = await finishRun({ runId: run.runId })
    if (queued === 0) return
  }
  throw ApplicationFailure.nonRetryable(
    `Records were still queued after ${MOST_ROUNDS} plans; start the match again to take them up.`,
    'left_over',
  )
}

async function plan(context: RunContext, round: number): Promise<PlannedTasks> {
  const { run, state } = context
  state.phase = 'planning'
  describe(context, 'Planning')
  const { lookupsMissing } = await queueRun({ runId: run.runId, round })
  // With every answer at hand nobody is asked, not even whether they are there.
  const { batchSize } =
    lookupsMissing > 0 ? await checkServiceUntilLetIn(context) : { batchSize: 1 }
  return dealTasks({ runId: run.runId, round, batchSize })
}

async function checkServiceUntilLetIn({ run, pause }: RunContext): Promise<{ batchSize: number }> {
  for (;;) {
    await condition(() => pause.isRunning)
    const { resumes } = pause
    try {
      return await checkService({ runId: run.runId, isProbe: false })
    } catch (error) {
      const reason = pausedReasonOf(error)
      if (reason === undefined) throw error
      if (reason !== PAUSED_BY_USER) pause.pause({ reason, resumes })
    }
  }
}

async function runTasks(context: RunContext, carried: CarriedRun): Promise<void> {
  const { input, pause, window, budget, state } = context
  const sizes = sizesOf(input)
  const mayStart = () => pause.isRunning
  state.hasShards = carried.tasks.count > sizes.tasksPerShard
  if (!state.hasShards) {
    const tasksInFlight = { size: () => window.size, mayStart }
    await runWindow(taskNumbers(carried.tasks), tasksInFlight, (task) =>
      runTask(context, task, isQuick(carried.tasks, task)),
    )
    return
  }
  const shards = Math.ceil(carried.tasks.count / sizes.tasksPerShard)
  const end = Math.min(shards, carried.nextShard + shardsPerExecution(input))
  const numbers = taskNumbers({ first: carried.nextShard, count: end - carried.nextShard })
  const size = () => budget.places
  await runWindow(numbers, { size, mayStart }, (shard) => runShard(context, carried, shard, sizes))
  if (end < shards) {
    await condition(() => pause.isRunning)
    await continueAsNew<typeof matchProject>({
      ...input,
      ...(window.isChanged ? { sizes: { ...input.sizes, window: window.size } } : {}),
      carried: { ...carried, nextShard: end },
    })
  }
}

function sizesOf(input: MatchProjectInput): MatchSizes {
  return { ...defaultMatchSizes, ...input.sizes }
}

/** Before shards told what they have left, each made fewer events. */
function shardsPerExecution({ sizes }: MatchProjectInput): number {
  const byDefault = patched('fewer-shards')
    ? defaultMatchSizes.shardsPerExecution
    : SHARDS_PER_EXECUTION_BEFORE
  return sizes?.shardsPerExecution ?? byDefault
}

async function runTask(context: RunContext, task: number, isQuick: boolean): Promise<void> {
  const { run, pause, children, state } = context
  await runMatchTask(
    children,
    { run, task, rootWorkflowId: workflowInfo().workflowId, isQuick },
    () => ({ resumes: pause.resumes }),
  )
  state.tasksDone += 1
  describe(context, 'Matching')
}

async function runShard(
  context: RunContext,
  { tasks }: CarriedRun,
  shard: number,
  sizes: MatchSizes,
): Promise<void> {
  const { run, pause, budget, children, state } = context
  const first = tasks.first + shard * sizes.tasksPerShard
  const count = Math.min(sizes.tasksPerShard, tasks.first + tasks.count - first)
  budget.enter(first)
  try {
    await runChild(children, {
      id: matchShardId(run.projectId, run.number, shard),
      news: () => ({ resumes: pause.resumes, window: budget.part }),
      start: (workflowId, { resumes, window = 1 }) =>
        startChild(matchShard, {
          ...awaitedChild,
          workflowId,
          args: [
            {
              run,
              tasks: { ...tasks, first, count },
              window,
              rootWorkflowId: workflowInfo().workflowId,
              resumes,
            },
          ],
          staticSummary: `Tasks ${first} to ${first + count - 1} of run ${run.number}`,
        }),
    })
  } catch (error) {
    if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error
    // The shard is gone; its tasks were ended with it. What they left queued can be retried.
    const code = 'terminated'
    const message = `The shard of this task ended early: ${rootCause(error) ?? 'without a message'}`
    const { runId } = run
    if (patched('tasks-failed-at-once')) await failTasks({ runId, first, count, code, message })
    else
      for (const task of taskNumbers({ first, count }))
        await failTask({ runId, task, code, message })
  } finally {
    budget.leave(first)
  }
  state.tasksDone += count
  describe(context, 'Matching')
}

async function closeBroken(run: OpenedRun, error: unknown): Promise<void> {
  await CancellationScope.nonCancellable(async () => {
    if (isCancellation(error)) return cancelRun({ runId: run.runId })
    return failRun({ runId: run.runId, ...failureText(error) })
  })
}

// Shown by the Temporal UI; counts only, never cell text.
function describe({ run, state }: RunContext, doing: string): void {
  setCurrentDetails(
    `**${doing}** run ${run.number} of project ${run.projectId}: ` +
      `${state.tasksDone} of ${state.tasksTotal} tasks done.`,
  )
}
