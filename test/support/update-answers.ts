/** What the updates in a recorded history answered, then and with today's code. */
import { fileURLToPath } from 'node:url'
import { defaultPayloadConverter } from '@temporalio/common'
import proto from '@temporalio/proto'
import { bundleWorkflowCode, DefaultLogger, type InjectedSinks, Worker } from '@temporalio/worker'
import type { RecordedHistory } from './recorded-histories.ts'
import type { UpdateSinks } from './workflows/tell-updates.ts'

const { History } = proto.temporal.api.history.v1
const workflowsPath = fileURLToPath(new URL('../../src/workflows/index.ts', import.meta.url))
const teller = fileURLToPath(new URL('./workflows/tell-updates.ts', import.meta.url))

/** By update id. */
export type UpdateAnswers = Readonly<Record<string, unknown>>

export function recordedAnswers({ history }: RecordedHistory): UpdateAnswers {
  const { events } = History.decode(Buffer.from(history, 'base64'))
  return Object.fromEntries(
    events.flatMap((event): [string, unknown][] => {
      const completed = event.workflowExecutionUpdateCompletedEventAttributes
      const [payload] = completed?.outcome?.success?.payloads ?? []
      const id = completed?.meta?.updateId
      if (payload === undefined || id === undefined || id === null) return []
      return [[id, defaultPayloadConverter.fromPayload(payload)]]
    }),
  )
}

/** Runs today's workflow code over the history and listens to its updates. */
export async function recomputedAnswers(recorded: RecordedHistory): Promise<UpdateAnswers> {
  const answers: Record<string, unknown> = {}
  const sinks: InjectedSinks<UpdateSinks> = {
    updates: {
      answered: {
        fn: (_, updateId, answer) => void (answers[updateId] = answer),
        callDuringReplay: true,
      },
    },
  }
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [teller],
    logger: new DefaultLogger('ERROR'),
  })
  await Worker.runReplayHistory(
    { workflowBundle, sinks },
    History.decode(Buffer.from(recorded.history, 'base64')),
    recorded.workflowId,
  )
  return answers
}
