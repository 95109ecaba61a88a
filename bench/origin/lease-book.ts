/** What a limiter granted to whom and who ran it, read from its own histories. */
import { defaultPayloadConverter } from '@temporalio/common'
import type proto from '@temporalio/proto'
import { tsToMs } from '@temporalio/common/lib/time.js'
import type { Client } from '@temporalio/client'
import type { AcquireReply, AcquireRequest } from '../../src/core/limiter/protocol.ts'
import { limiterId } from '../../src/core/workflow-ids.ts'

export interface GrantedLease {
  readonly id: string
  /** Identity of the process, `pid@host`. */
  readonly worker: string
  readonly permits: number
  readonly spacingMs: number
  readonly ttlMs: number
  readonly safeRate: number
  /** On the machine's clock. */
  readonly grantedMs: number
}

export interface LimiterNow {
  /** Identity of the process that ran the limiter last. */
  readonly host: string | undefined
  readonly lastLease: GrantedLease | undefined
}

type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent

/** All leases of a domain in the order of their grants, over all runs of its limiter. */
export async function grantedLeases(
  client: Client,
  domain: string,
): Promise<readonly GrantedLease[]> {
  const leases: GrantedLease[] = []
  const workflowId = limiterId(domain)
  let runId: string | undefined = (await client.workflow.getHandle(workflowId).describe()).runId
  while (runId !== undefined) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory()
    leases.unshift(...leasesOf(events ?? []))
    const started = events?.[0]?.workflowExecutionStartedEventAttributes
    const before: string = started?.continuedExecutionRunId ?? ''
    runId = before === '' ? undefined : before
  }
  return leases
}

/** Looks at the end of the history only, so it can be asked often. */
export async function limiterNow(client: Client, domain: string): Promise<LimiterNow> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId: limiterId(domain) },
    maximumPageSize: 40,
  })
  const events = (history?.events ?? []).toReversed()
  const ran = events.findLast((event) => event.workflowTaskCompletedEventAttributes)
  return {
    host: ran?.workflowTaskCompletedEventAttributes?.identity ?? undefined,
    lastLease: leasesOf(events).at(-1),
  }
}

function leasesOf(events: readonly HistoryEvent[]): readonly GrantedLease[] {
  const workers = new Map<string, string>()
  const leases = new Map<string, GrantedLease>()
  for (const event of events) {
    const accepted = event.workflowExecutionUpdateAcceptedEventAttributes
    const [asked] = accepted?.acceptedRequest?.input?.args?.payloads ?? []
    const askedId = accepted?.acceptedRequest?.meta?.updateId
    if (asked !== undefined && typeof askedId === 'string') {
      workers.set(askedId, defaultPayloadConverter.fromPayload<AcquireRequest>(asked).worker)
    }
    const completed = event.workflowExecutionUpdateCompletedEventAttributes
    const [answered] = completed?.outcome?.success?.payloads ?? []
    const worker = workers.get(completed?.meta?.updateId ?? '')
    if (answered === undefined || worker === undefined) continue
    const reply = defaultPayloadConverter.fromPayload<AcquireReply | undefined>(answered)
    // The answer to a `release` grants nothing; a repeated request has its lease once more.
    if (reply?.granted !== true || leases.has(reply.leaseId)) continue
    const { leaseId, permits, spacingMs, ttlMs, safeRate } = reply
    const grantedMs = tsToMs(event.eventTime)
    leases.set(leaseId, { id: leaseId, worker, permits, spacingMs, ttlMs, safeRate, grantedMs })
  }
  return [...leases.values()]
}
