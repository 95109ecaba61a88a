import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'
import { Worker } from '@temporalio/worker'

const folder = fileURLToPath(new URL('../histories/', import.meta.url))

export interface RecordedHistory {
  readonly name: string
  readonly workflowId: string
  /** Types of its events, for whoever reads the file. */
  readonly events: readonly string[]
  /** The history as protobuf, base64: the SDK's own JSON form does not work where npm installs protobufjs twice. */
  readonly history: string
}

const { EventType } = proto.temporal.api.enums.v1
const { History } = proto.temporal.api.history.v1

/** Takes one execution's history from the server. */
export async function takeHistory(
  client: Client,
  name: string,
  workflowId: string,
  runId?: string,
): Promise<RecordedHistory> {
  const history = await client.workflow.getHandle(workflowId, runId).fetchHistory()
  return {
    name,
    workflowId,
    events: (history.events ?? []).map((event) =>
      (EventType[event.eventType ?? 0] ?? '').replace('EVENT_TYPE_', ''),
    ),
    history: Buffer.from(History.encode(withoutTraces(history)).finish()).toString('base64'),
  }
}

/** Keeps histories for `replay.test.ts`; done on purpose only, with RECORD_HISTORIES=1. */
export async function keepHistories(histories: readonly RecordedHistory[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const recorded of histories) {
    await writeFile(join(folder, `${recorded.name}.json`), `${JSON.stringify(recorded)}\n`)
  }
}

export async function keptHistories(): Promise<readonly RecordedHistory[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted()
  return Promise.all(
    names.map(
      async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as RecordedHistory,
    ),
  )
}

/** The workflow that an execution ran, as the bundle exports it. */
export function workflowTypeOf({ history }: RecordedHistory): string | undefined {
  const [first] = History.decode(Buffer.from(history, 'base64')).events ?? []
  return first?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? undefined
}

/** Runs today's workflow code over a history. @throws DeterminismViolationError when it would do other things. */
export async function replay(codePath: string, recorded: RecordedHistory): Promise<void> {
  await Worker.runReplayHistory(
    { workflowBundle: { codePath } },
    History.decode(Buffer.from(recorded.history, 'base64')),
    recorded.workflowId,
  )
}

// Who recorded it, on which machine and in which folder, is nobody's business.
const TRACES = new Set(['identity', 'stackTrace'])

function withoutTraces<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string') {
      const text = TRACES.has(key) ? '' : inner.replaceAll(hostname(), 'host')
      Object.assign(value, { [key]: text })
    } else if (!(inner instanceof Uint8Array)) withoutTraces(inner)
  }
  return value
}
