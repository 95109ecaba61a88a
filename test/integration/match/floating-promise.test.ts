import { randomUUID } from 'node:crypto'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client, Connection } from '@temporalio/client'
import proto from '@temporalio/proto'
import { NativeConnection, Worker } from '@temporalio/worker'
import { expect, inject, it, vi } from 'vitest'
import { packageRoot } from '../../../src/config.ts'

const defect = fileURLToPath(
  new URL('../../support/workflows/floating-rejection.ts', import.meta.url),
)

it('case 13: lint refuses a promise that nobody awaits', async () => {
  const run = promisify(execFile)(
    process.execPath,
    [
      'node_modules/oxlint/bin/oxlint',
      '--type-aware',
      '--report-unused-disable-directives',
      '-f',
      'json',
      defect,
    ],
    { cwd: packageRoot },
  )
  // The directive is needed, so the rule fired under it.
  expect((await run).stdout).not.toContain('Unused')
})

it('case 13: a rejection that nobody awaits fails the workflow task visibly', async () => {
  const address = inject('temporalAddress')
  const connection = await NativeConnection.connect({ address })
  const clientConnection = await Connection.connect({ address })
  const taskQueue = `floating-${randomUUID()}`
  const worker = await Worker.create({ connection, taskQueue, workflowsPath: defect })
  try {
    await worker.runUntil(async () => {
      const client = new Client({ connection: clientConnection })
      const handle = await client.workflow.start('floatingRejection', {
        taskQueue,
        workflowId: taskQueue,
      })
      await vi.waitFor(
        async () => {
          const { events } = await handle.fetchHistory()
          const failed = events?.filter(
            (event) =>
              event.eventType ===
              proto.temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
          )
          expect(JSON.stringify(failed)).toContain('nobody awaits this')
        },
        { timeout: 30_000, interval: 200 },
      )
      await handle.terminate('seen')
    })
  } finally {
    await connection.close()
    await clientConnection.close()
  }
})
