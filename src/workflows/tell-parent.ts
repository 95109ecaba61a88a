import {
  getExternalWorkflowHandle,
  type SignalDefinition,
  workflowInfo,
} from '@temporalio/workflow'
import { unlessGone } from './unless-gone.ts'

/** A message to the workflow that started this one; one that has ended needs none. */
export async function tellParent<Payload>(
  signal: SignalDefinition<[Payload]>,
  payload: Payload,
): Promise<void> {
  const { parent } = workflowInfo()
  if (parent === undefined) return
  const handle = getExternalWorkflowHandle(parent.workflowId, parent.runId)
  await unlessGone(handle.signal(signal, payload))
}
