import { getExternalWorkflowHandle, patched } from '@temporalio/workflow'
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
  let toldResumes: number | null = null
  for (let recheck = 0; ;) {
    const seenResumes = gate.resumes
    try {
      return await ask()
    } catch (error) {
      const reason = pausedReasonOf(error)
      if (reason === undefined) throw error
      // The root closes its window and shows the reason. Once: a run that stands still for weeks is looked at by each of its
      // tasks every hour, and a workflow takes 10,000 signals.
      const isTold = toldResumes === seenResumes && patched('told-once')
      if (reason !== PAUSED_BY_USER && !isTold) {
        const root = getExternalWorkflowHandle(rootWorkflowId)
        await unlessGone(root.signal(pauseSignal, { reason, resumes: seenResumes }))
        toldResumes = seenResumes
      }
      await waitForResume(gate, seenResumes, recheck)
      recheck = gate.resumes > seenResumes ? 0 : recheck + 1
    }
  }
}
