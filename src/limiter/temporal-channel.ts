/** The limiters as Temporal workflows. */
import { WithStartWorkflowOperation, WorkflowNotFoundError, type Client } from '@temporalio/client'
import { STEP_VERSION } from '../core/limiter/limiter-state.ts'
import type { DomainPolicy } from '../core/limiter/policy.ts'
import type { ReleaseRequest } from '../core/limiter/protocol.ts'
import { limiterId } from '../core/workflow-ids.ts'
import type { domainLimiter, DomainLimiterInput } from '../workflows/domain-limiter.ts'
import { acquireUpdate, refusedSignal, releaseUpdate } from '../workflows/messages.ts'
import type { LimiterChannel } from './limiter-channel.ts'

export interface TemporalChannelOptions {
  readonly client: Client
  readonly taskQueue: string
  /** For a limiter that has to be started; a running one keeps its own. */
  readonly policyFor: (domain: string) => DomainPolicy
  /** Further input of limiters that have to be started: thresholds, for tests. */
  readonly startWith?: Partial<DomainLimiterInput>
}

/** Longer than a limiter needs to move to another process, which takes 3 s. */
const ANSWER_DEADLINE_MS = 5_000

export function createTemporalChannel(options: TemporalChannelOptions): LimiterChannel {
  const { client } = options
  const inTime = <T>(call: () => Promise<T>): Promise<T> =>
    client.withDeadline(Date.now() + ANSWER_DEADLINE_MS, call)
  return {
    acquire: (domain, request) =>
      inTime(() =>
        client.workflow.executeUpdateWithStart(acquireUpdate, {
          startWorkflowOperation: startOf(domain, options),
          args: [request],
          // The server answers a repeated id from memory; after continue-as-new the lease's id does.
          updateId: request.requestId,
        }),
      ),
    async release(domain, request) {
      try {
        const handle = client.workflow.getHandle(limiterId(domain))
        const update: { args: [ReleaseRequest]; updateId: string } = {
          args: [request],
          updateId: request.requestId,
        }
        return await inTime(() => handle.executeUpdate(releaseUpdate, update))
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error
        return undefined
      }
    },
    refused: (domain, notice) =>
      inTime(() => client.workflow.getHandle(limiterId(domain)).signal(refusedSignal, notice)),
  }
}

function startOf(
  domain: string,
  { taskQueue, policyFor, startWith }: TemporalChannelOptions,
): WithStartWorkflowOperation<typeof domainLimiter> {
  const input = { ...startWith, domain, policy: policyFor(domain), stepVersion: STEP_VERSION }
  return new WithStartWorkflowOperation<typeof domainLimiter>('domainLimiter', {
    workflowId: limiterId(domain),
    taskQueue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    // A process that dies with the limiter in it delays permits by this, not by ten seconds.
    workflowTaskTimeout: '2s',
    staticSummary: `Requests to ${domain}`,
    staticDetails: `Shares the request rate of ${domain} between all worker processes.`,
  })
}
