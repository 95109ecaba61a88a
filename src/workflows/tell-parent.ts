import {
  getExternalWorkflowHandle,
  isCancellation,
  type SignalDefinition,
  workflowInfo,
} from '@temporalio/workflow'

/** A message to the workflow that started this one; one that has ended needs none. */
export async function tellParent<Payload>(
  signal: SignalDefinition<[Payload]>,
  payload: Payload,
): Promise<void> {
  const { parent } = workflowInfo()
  if (parent === undefined) return
  try {
    await getExternalWorkflowHandle(parent.workflowId, parent.runId).signal(signal, payload)
  } catch (error) {
    if (isCancellation(error)) throw error
  }
}
