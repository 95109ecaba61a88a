/**
 * One task of a run: ask what its records miss, decide them, go on with their further names while undecided.
 *
 *   ask(position) ── answered ──▶ decide(position) ── undecided left ──▶ ask(position + 1)
 *      │ run_paused                        └─ none left ──▶ done
 *      └──▶ wait for resume ──▶ ask(position)
 *
 * Throttled, unreachable and transient calls never reach this file: the activity retries itself (DESIGN §3).
 */
import { getExternalWorkflowHandle, isCancellation, proxyActivities } from '@temporalio/workflow'
import type { DecisionActivities, ServiceActivities } from '../activities/activity-contracts.ts'
import type { MatchTaskInput } from '../core/match-run.ts'
import { PAUSED_BY_USER, type PauseRequest } from '../core/run-progress.ts'
import { outsideProfile } from './activity-options.ts'
import { pauseSignal } from './messages.ts'
import { pausedReasonOf } from './paused-failure.ts'
import { createResumeGate, type ResumeGate, waitForResume } from './resume-gate.ts'

const { askLookups, decideSubjects } = proxyActivities<ServiceActivities & DecisionActivities>(
  outsideProfile,
)

export async function matchTask(input: MatchTaskInput): Promise<void> {
  const gate = createResumeGate(input.resumes)
  const { runId } = input.run
  for (let position = 0; ; position += 1) {
    await askUntilAnswered(gate, input, position)
    const { undecided } = await decideSubjects({ runId, task: input.task })
    if (undecided === 0) return
  }
}

async function askUntilAnswered(
  gate: ResumeGate,
  input: MatchTaskInput,
  position: number,
): Promise<void> {
  for (let recheck = 0; ; recheck += 1) {
    const seenResumes = gate.resumes
    try {
      await askLookups({ runId: input.run.runId, task: input.task, position })
      return
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
