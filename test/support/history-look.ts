/** What the histories of all workflows in a namespace tell, whether their workers live or not. */
import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'

const { EventType, PendingActivityState, WorkflowTaskFailedCause } = proto.temporal.api.enums.v1
type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent

export interface HistoryLook {
  readonly workflowId: string
  /** Types of its events, without `EVENT_TYPE_`. */
  readonly events: readonly string[]
  /** Workflow tasks and activities that failed for good. */
  readonly failures: readonly string[]
  /** Names of the updates it has accepted, each with its arguments as they came. */
  readonly updates: readonly string[]
}

export async function lookAtHistories(client: Client): Promise<readonly HistoryLook[]> {
  const looks: HistoryLook[] = []
  for await (const { workflowId, runId } of client.workflow.list()) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory()
    const all = events ?? []
    looks.push({
      workflowId,
      events: all.map(({ eventType }) =>
        (EventType[eventType ?? 0] ?? '').replace('EVENT_TYPE_', ''),
      ),
      failures: all.flatMap((event) => failureIn(event) ?? []),
      updates: all.flatMap((event) => updateIn(event) ?? []),
    })
  }
  return looks
}

function failureIn(event: HistoryEvent): string | undefined {
  const activity = event.activityTaskFailedEventAttributes
  if (activity) return `activity: ${activity.failure?.message}`
  const task = event.workflowTaskFailedEventAttributes
  // Something came in while the task was under way: the server's own way of saying "once more".
  const { WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND: again } = WorkflowTaskFailedCause
  return !task || task.cause === again ? undefined : `workflow task: ${task.failure?.message}`
}

function updateIn(event: HistoryEvent): string | undefined {
  const input = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input
  if (!input) return undefined
  const args = (input.args?.payloads ?? []).map(({ data }) => Buffer.from(data ?? []).toString())
  return `${input.name} ${args.join(' ')}`
}

/**
 * The activities that are under way in the workflows of a namespace, as `SCHEDULED after worker_stopping`: where they
 * are, and why the last attempt came to nothing.
 */
export async function activitiesUnderWay(client: Client): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { workflowId, runId } of client.workflow.list()) {
    const { raw } = await client.workflow.getHandle(workflowId, runId).describe()
    for (const { state, lastFailure } of raw.pendingActivities ?? []) {
      const where = (PendingActivityState[state ?? 0] ?? '').replace('PENDING_ACTIVITY_STATE_', '')
      const why = lastFailure?.timeoutFailureInfo
        ? 'timeout'
        : (lastFailure?.applicationFailureInfo?.type ?? 'nothing')
      found.push(`${where} after ${why}`)
    }
  }
  return found
}
