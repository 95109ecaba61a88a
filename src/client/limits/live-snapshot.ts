import { type Client, ServiceError } from '@temporalio/client'
import type { DomainSnapshot } from '../../core/limiter/protocol.ts'
import { limiterId } from '../../core/workflow-ids.ts'
import { snapshotQuery } from '../../workflows/messages.ts'
import { isNotFound } from '../match/is-not-found.ts'

export type LiveSnapshot =
  | { readonly kind: 'running'; readonly snapshot: DomainSnapshot }
  | { readonly kind: 'not_running' }
  /** It runs, but no worker answers for it. */
  | { readonly kind: 'silent' }

const ANSWER_WITHIN_MS = 3_000

/** Asks the limiter itself; what was signalled to it before is in its answer. */
export async function liveSnapshot(client: Client, domain: string): Promise<LiveSnapshot> {
  const limiter = client.workflow.getHandle(limiterId(domain))
  try {
    // A limiter that has ended would answer too, with figures of then.
    const { status } = await limiter.describe()
    if (status.name !== 'RUNNING' && status.name !== 'PAUSED') return { kind: 'not_running' }
  } catch (error) {
    if (await isNotFound(error)) return { kind: 'not_running' }
    throw error
  }
  try {
    const snapshot = await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      limiter.query(snapshotQuery),
    )
    return { kind: 'running', snapshot }
  } catch (error) {
    if (await isNotFound(error)) return { kind: 'not_running' }
    if (error instanceof ServiceError) return { kind: 'silent' }
    throw error
  }
}
