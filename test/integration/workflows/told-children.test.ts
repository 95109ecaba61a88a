/** What a parent says while the start of a child is on its way, or after the child has continued as new. */
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { NativeConnection, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import type { TestActivities } from '../../support/workflows/told-children.ts'

const workflowsPath = fileURLToPath(
  new URL('../../support/workflows/told-children.ts', import.meta.url),
)
const taskQueue = `told-children-${randomUUID()}`
let client: Client
let closeAll: () => Promise<void>

beforeAll(async () => {
  const address = inject('temporalAddress')
  const connection = await NativeConnection.connect({ address })
  const clientConnection = await Connection.connect({ address })
  const worker = await Worker.create({ connection, taskQueue, workflowsPath, activities })
  const running = worker.run()
  client = new Client({ connection: clientConnection })
  closeAll = async () => {
    worker.shutdown()
    await running
    await clientConnection.close()
    await connection.close()
  }
})
afterAll(() => closeAll())

const mayEnd = deferred()
const hasBegun = deferred()
const activities: TestActivities = {
  async endsWithAWait() {
    hasBegun.resolve()
    await mayEnd.promise
    throw ApplicationFailure.retryable('to be tried again')
  },
}

function deferred() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve: () => resolve() }
}

const start = (workflow: string) =>
  client.workflow.start(workflow, { taskQueue, workflowId: randomUUID() })

it('a cancellation that comes before a child is there reaches it', async () => {
  const handle = await start('cancelsWhatItStarts')
  await expect(handle.result()).rejects.toMatchObject({ name: 'WorkflowFailedError' })
  const child = await client.workflow.getHandle(`${handle.workflowId}/child`).describe()
  expect(child.status.name).toBe('CANCELLED')
})

it('a cancellation ends an execution as cancelled, also where an attempt fails that did not hear of it', async () => {
  const handle = await start('waitsWhileCancelled')
  await hasBegun.promise
  await handle.cancel()
  await vi.waitFor(async () => {
    const { events } = await handle.fetchHistory()
    expect(JSON.stringify(events)).toContain('activityTaskCancelRequestedEventAttributes')
  }, 20_000)
  mayEnd.resolve()
  await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } })
  expect((await handle.describe()).status.name).toBe('CANCELLED')
})

it('a resume and another window that come before a child is there reach it', async () => {
  const handle = await start('hasNewsMeanwhile')
  expect(await handle.result()).toEqual({ resumes: 2, window: 3 })
})

it('a cancellation reaches a child that has continued as new', async () => {
  const handle = await start('awaitsAChain')
  const child = client.workflow.getHandle(`${handle.workflowId}/child`)
  await vi.waitFor(async () => {
    const history = await child.fetchHistory()
    expect(history.events?.[0]?.workflowExecutionStartedEventAttributes).toMatchObject({
      continuedExecutionRunId: expect.stringMatching(/./u),
    })
  }, 20_000)
  await handle.cancel()
  await expect(handle.result()).rejects.toThrow('cancelled')
  expect((await child.describe()).status.name).toBe('CANCELLED')
})
