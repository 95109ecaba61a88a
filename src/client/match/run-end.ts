import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '../../errors.ts'
import { knownError } from '../known-errors.ts'
import { keepStack } from '../stack/keep-stack.ts'
import type { MatchContext } from './match-context.ts'

/** A workflow to wait for. */
export interface EndingWorkflow {
  readonly result: () => Promise<unknown>
}

/** The Temporal client itself has tried for some 20 s before it gives up. */
const RETRY_MS = 1_000

/**
 * Resolves when the workflow has ended, however it ended. A server of ours that is away is waited for, and embedded
 * ones are kept running meanwhile.
 * @param report gets a line for whatever happens to the servers
 * @param leaving nobody waits any more: the servers are left alone
 * @throws UnavailableError `stack_stopped` when somebody stops the servers.
 */
export async function runEnd(
  { config }: Pick<MatchContext, 'config'>,
  handle: EndingWorkflow,
  report: (line: string) => void,
  leaving?: AbortSignal,
): Promise<void> {
  const done = new AbortController()
  const over = AbortSignal.any([done.signal, ...(leaving === undefined ? [] : [leaving])])
  const kept = keepStack(config, report, over)
  const ended = workflowEnd(handle, over)
  try {
    await Promise.race([ended, kept.then(() => ended)])
  } finally {
    done.abort()
  }
}

/** @throws what is neither an end nor an outage. */
async function workflowEnd(handle: EndingWorkflow, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    try {
      await handle.result()
      return
    } catch (error) {
      const { WorkflowFailedError, WorkflowNotFoundError } = await import('@temporalio/client')
      if (error instanceof WorkflowFailedError || error instanceof WorkflowNotFoundError) return
      if (!(knownError(error) instanceof UnavailableError)) throw error
    }
    await sleep(RETRY_MS)
  }
}
