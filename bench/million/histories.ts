/** How much Temporal keeps of a run: events and bytes of its workflows, and when its activities ran. */
import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'

const { HistoryEvent } = proto.temporal.api.history.v1

export interface LargestHistories {
  readonly workflows: number
  readonly events: number
  readonly bytes: number
  /** Id of the workflow with the most events. */
  readonly largest: string
  /** Events of the largest one. */
  readonly most: number
}

/** Of every workflow that is known, ended or not. */
export async function largestHistories(client: Client): Promise<LargestHistories> {
  let all: LargestHistories = { workflows: 0, events: 0, bytes: 0, largest: '', most: 0 }
  for await (const listed of client.workflow.list()) {
    const { workflowId, runId, status } = listed
    // A list knows the length only of those that have ended.
    const { historyLength, historySize = 0 } =
      status.name === 'RUNNING'
        ? await client.workflow.getHandle(workflowId, runId).describe()
        : listed
    const isLarger = historyLength > all.most
    all = {
      workflows: all.workflows + 1,
      events: all.events + historyLength,
      bytes: all.bytes + historySize,
      largest: isLarger ? workflowId : all.largest,
      most: Math.max(all.most, historyLength),
    }
  }
  return all
}

export interface RanActivity {
  readonly type: string
  readonly scheduledMs: number
  readonly endedMs: number
}

/** The activities of a workflow that have completed, in order of their end. */
export async function activitiesOf(
  client: Client,
  workflowId: string,
  runId?: string,
): Promise<readonly RanActivity[]> {
  const history = await client.workflow.getHandle(workflowId, runId).fetchHistory()
  const scheduled = new Map<string, { readonly type: string; readonly atMs: number }>()
  const ran: RanActivity[] = []
  for (const event of history.events ?? []) {
    const {
      activityTaskScheduledEventAttributes: begun,
      activityTaskCompletedEventAttributes: done,
    } = event
    if (begun != null) {
      scheduled.set(String(event.eventId), {
        type: begun.activityType?.name ?? '',
        atMs: timeOf(event.eventTime),
      })
    }
    const begin = done == null ? undefined : scheduled.get(String(done.scheduledEventId))
    if (begin === undefined) continue
    ran.push({ type: begin.type, scheduledMs: begin.atMs, endedMs: timeOf(event.eventTime) })
  }
  return ran
}

/** Bytes of the largest event of some workflows: what they hand each other is in there. */
export async function largestEventBytes(
  client: Client,
  workflowIds: readonly string[],
): Promise<number> {
  let largest = 0
  for (const workflowId of workflowIds) {
    const history = await client.workflow.getHandle(workflowId).fetchHistory()
    for (const event of history.events ?? []) {
      largest = Math.max(largest, HistoryEvent.encode(event).finish().length)
    }
  }
  return largest
}

type Moment = proto.google.protobuf.ITimestamp

function timeOf(moment: Moment | null | undefined): number {
  return Number(moment?.seconds ?? 0) * 1000 + (moment?.nanos ?? 0) / 1e6
}
