import type { WorkflowExecutionDescription } from '@temporalio/client'

/** The run a workflow began with; it stays the same when the workflow continues as new. */
export function firstRunId({ raw, runId }: WorkflowExecutionDescription): string {
  return raw.workflowExecutionInfo?.firstRunId ?? runId
}
