/**
 * One task of a run: ask what its records miss, decide them, go on with their further names while undecided.
 *
 *   quick ── all decided at once, in a local activity ──▶ done
 *     │ something is left                                   ▲ none left
 *     └──▶ ask and decide (position) ───────────────────────┘
 *            │ run_paused            └─ undecided left ──▶ ask and decide (position + 1)
 *            └──▶ wait for resume ──▶ ask and decide (position)
 *
 * Throttled, unreachable and transient calls never reach this file: the activity retries itself (DESIGN §3).
 */
import {
  getExternalWorkflowHandle,
  isCancellation,
  patched,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow'
import type { TaskActivities } from '../activities/activity-contracts.ts'
import type { MatchTaskInput } from '../core/match-run.ts'
import { PAUSED_BY_USER, type PauseRequest } from '../core/run-progress.ts'
import { atOnceProfile, outsideProfile } from './activity-options.ts'
import { pauseSignal } from './messages.ts'
import { pausedReasonOf } from './paused-failure.ts'
import { createResumeGate, type ResumeGate, waitForResume } from './resume-gate.ts'

const { askAndDecide, askLookups, decideSubjects } = proxyActivities<TaskActivities>(outsideProfile)
const { decideAtOnce } = proxyLocalActivities<TaskActivities>(atOnceProfile)

export async function matchTask(input: MatchTaskInput): Promise<void> {
  const gate = createResumeGate(input.resumes)
  const { task } = input
  const { runId } = input.run
  if (!patched('ask-and-decide')) return stepByStep(gate, input)
  if (input.isQuick === true && (await isDecidedAtOnce({ runId, task }))) return
  for (let position = 0; ; position += 1) {
    const step = { runId, task, position }
    const { undecided } = await untilLetIn(gate, input, () => askAndDecide(step))
    if (undecided === 0) return
  }
}

/** What a local activity cannot do is left to the one that waits and is retried for as long as it takes. */
async function isDecidedAtOnce(key: { runId: number; task: number }): Promise<boolean> {
  try {
    return (await decideAtOnce(key)).isDone
  } catch (error) {
    if (isCancellation(error)) throw error
    return false
  }
}

/** As tasks went before asking and deciding became one activity. */
async function stepByStep(gate: ResumeGate, input: MatchTaskInput): Promise<void> {
  const { task } = input
  const { runId } = input.run
  for (let position = 0; ; position += 1) {
    await untilLetIn(gate, input, () => askLookups({ runId, task, position }))
    const { undecided } = await decideSubjects({ runId, task })
    if (undecided === 0) return
  }
}

/** Runs an activity again after each resume, until the run does not stand still. */
async function untilLetIn<T>(
  gate: ResumeGate,
  input: MatchTaskInput,
  activity: () => Promise<T>,
): Promise<T> {
  for (let recheck = 0; ; recheck += 1) {
    const seenResumes = gate.resumes
    try {
      return await activity()
    } catch (error) {
      const reason = pausedReasonOf(error)
      if (reason === undefined) throw error
      if (reason !== PAUSED_BY_USER) {
        await tellRoot(input.rootWorkflowId, { reason, resumes: seenResumes })
      }
      await waitForResume(gate, seenResumes, recheck)
    }
  }
}

// The root closes its window and shows the reason; one that has ended needs neither.
async function tellRoot(workflowId: string, request: PauseRequest): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(pauseSignal, request)
  } catch (error) {
    if (isCancellation(error)) throw error
  }
}
