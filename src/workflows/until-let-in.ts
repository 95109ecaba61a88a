import { getExternalWorkflowHandle } from '@temporalio/workflow'
import { PAUSED_BY_USER } from '../core/run-progress.ts'
import { pauseSignal } from './messages.ts'
import { pausedReasonOf } from './paused-failure.ts'
import { type ResumeGate, waitForResume } from './resume-gate.ts'
import { unlessGone } from './unless-gone.ts'

/**
 * Does what asks a source, again after each resume of the run while it is turned away.
 * @param rootWorkflowId the run's workflow, told of what turned it away
 */
export async function untilLetIn<T>(
  gate: ResumeGate,
  rootWorkflowId: string,
  ask: () => Promise<T>,
): Promise<T> {
  for (let recheck = 0; ; recheck += 1) {
    const seenResumes = gate.resumes
    try {
      return await ask()
    } catch (error) {
      const reason = pausedReasonOf(error)
      if (reason === undefined) throw error
      if (reason !== PAUSED_BY_USER) {
        // The root closes its window and shows the reason.
        const root = getExternalWorkflowHandle(rootWorkflowId)
        await unlessGone(root.signal(pauseSignal, { reason, resumes: seenResumes }))
      }
      await waitForResume(gate, seenResumes, recheck)
    }
  }
}
