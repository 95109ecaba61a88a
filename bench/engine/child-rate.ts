import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'

const { EventType } = proto.temporal.api.enums.v1

/** Children per second of a parent, from the start of its first to the end of its last, by its history. */
export async function childRate(client: Client, workflowId: string): Promise<number> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory()
  const startedMs: number[] = []
  const endedMs: number[] = []
  for (const { eventType, eventTime } of events ?? []) {
    const atMs = Number(eventTime?.seconds ?? 0) * 1000 + (eventTime?.nanos ?? 0) / 1e6
    if (eventType === EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED) {
      startedMs.push(atMs)
    } else if (eventType === EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_COMPLETED) {
      endedMs.push(atMs)
    }
  }
  return (endedMs.length / (Math.max(...endedMs) - Math.min(...startedMs))) * 1000
}
