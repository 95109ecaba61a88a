/** Tells what the updates of a workflow answer, also while it is replayed. */
import {
  proxySinks,
  type Sinks,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptors,
} from '@temporalio/workflow'

export interface UpdateSinks extends Sinks {
  readonly updates: {
    answered(updateId: string, answer: unknown): void
  }
}

const { updates } = proxySinks<UpdateSinks>()

const teller: WorkflowInboundCallsInterceptor = {
  // The promise goes on untouched: one more step could change the order of commands.
  handleUpdate(input, next) {
    const answer = next(input)
    void answer.then((value) => updates.answered(input.updateId, value)).catch(() => undefined)
    return answer
  },
}

export const interceptors = (): WorkflowInterceptors => ({ inbound: [teller] })
