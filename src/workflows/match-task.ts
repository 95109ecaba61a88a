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
  isCancellation,
  patched,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow'
import type { TaskActivities } from '../activities/activity-contracts.ts'
import type { MatchTaskInput } from '../core/match-run.ts'
import { atOnceProfile, outsideProfile } from './activity-options.ts'
import { createResumeGate, type ResumeGate } from './resume-gate.ts'
import { untilLetIn } from './until-let-in.ts'

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
    const { undecided } = await untilLetIn(gate, input.rootWorkflowId, () => askAndDecide(step))
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
    await untilLetIn(gate, input.rootWorkflowId, () => askLookups({ runId, task, position }))
    const { undecided } = await decideSubjects({ runId, task })
    if (undecided === 0) return
  }
}
