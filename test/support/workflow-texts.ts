/** Everything that Temporal keeps of workflows, as one text: histories, memos, search attributes, payloads decoded. */
import type { Client } from '@temporalio/client'

export interface WorkflowTexts {
  /** Ids of the workflows that were read, children included. */
  readonly ids: readonly string[]
  readonly text: string
}

/** @param rootIds workflows whose children, and theirs, are read too */
export async function workflowTexts(
  client: Client,
  ...rootIds: readonly string[]
): Promise<WorkflowTexts> {
  const texts = new Map<string, string>()
  const waiting: { id: string; runId?: string | undefined }[] = rootIds.map((id) => ({ id }))
  for (let one = waiting.shift(); one; one = waiting.shift()) {
    const key = `${one.id} ${one.runId ?? ''}`
    if (texts.has(key)) continue
    const handle = client.workflow.getHandle(one.id, one.runId)
    const { raw } = await handle.describe()
    const { events } = await handle.fetchHistory()
    texts.set(key, textOf([raw, events]))
    for (const event of events ?? []) {
      const child = event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowId
      if (child) waiting.push({ id: child })
      const before = event.workflowExecutionStartedEventAttributes?.continuedExecutionRunId
      if (before) waiting.push({ id: one.id, runId: before })
    }
  }
  return {
    ids: [...new Set([...texts.keys()].map((key) => key.split(' ')[0] ?? ''))],
    text: [...texts.values()].join('\n'),
  }
}

/** All strings in it, and all bytes read as text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  if (value === null || typeof value !== 'object') return ''
  return Object.entries(value)
    .map(([key, inner]) => `${key} ${textOf(inner)}`)
    .join('\n')
}
