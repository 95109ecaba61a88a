import { TestWorkflowEnvironment } from '@temporalio/testing'
import { inject } from 'vitest'

/** The SDK gives the server five seconds to start, which a busy machine may not have for it. */
const MOST_STARTS = 20

/** A server whose clock jumps to the next timer while somebody awaits a result. */
export async function startTimeSkippingEnv(): Promise<TestWorkflowEnvironment> {
  const executable = { type: 'existing-path', path: inject('timeSkippingServerPath') } as const
  for (let start = 1; ; start += 1) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })
    } catch (error) {
      if (start === MOST_STARTS || !String(error).includes('did not start')) throw error
    }
  }
}
