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

export interface ActivityUnderWay {
  readonly type: string
  /** `SCHEDULED`: free for any worker. `STARTED`: the server believes a worker has it. */
  readonly where: string
  /** Why the last attempt came to nothing: `timeout`, the type of a failure, or `nothing`. */
  readonly after: string
  /** Whether the worker it was given to has said so since, by a heartbeat: all of ours send one each second. */
  readonly saidAlive: boolean
}

/** The activities that are under way in the workflows of a namespace. */
export async function activitiesUnderWay(client: Client): Promise<readonly ActivityUnderWay[]> {
  const found: ActivityUnderWay[] = []
  for await (const { workflowId, runId } of client.workflow.list()) {
    const { raw } = await client.workflow.getHandle(workflowId, runId).describe()
    for (const one of raw.pendingActivities ?? []) {
      const { activityType, state, lastFailure } = one
      found.push({
        type: activityType?.name ?? '',
        where: (PendingActivityState[state ?? 0] ?? '').replace('PENDING_ACTIVITY_STATE_', ''),
        after: lastFailure?.timeoutFailureInfo
          ? 'timeout'
          : (lastFailure?.applicationFailureInfo?.type ?? 'nothing'),
        // The server writes its own time of giving it away as the first heartbeat.
        saidAlive: toMs(one.lastHeartbeatTime) > toMs(one.lastStartedTime),
      })
    }
  }
  return found
}

function toMs(time: { seconds?: unknown; nanos?: number | null } | null | undefined): number {
  return Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1e6
}
