import type { WorkflowHandle } from '@temporalio/client'

export interface ReceivedSignal {
  readonly name: string
  /** What came with it, decoded; null: nothing. */
  readonly payload: unknown
}

/** What an execution was told so far, in order. */
export async function signalsOf(
  handle: Pick<WorkflowHandle, 'fetchHistory'>,
): Promise<readonly ReceivedSignal[]> {
  const { events } = await handle.fetchHistory()
  return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
    if (signal?.signalName == null) return []
    const data = signal.input?.payloads?.[0]?.data
    const payload: unknown = data == null ? null : JSON.parse(Buffer.from(data).toString())
    return [{ name: signal.signalName, payload }]
  })
}
