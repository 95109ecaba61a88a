/**
 * The forked process that runs `emptyProject`: a Worker with the settings of ours, and nothing to do but workflows.
 * Its arguments are the address of Temporal and the task queue; it says `{ ready: true }`, and ends on SIGTERM.
 */
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker'
import { createLog } from '../../src/log.ts'
import { keepHeapSmall } from '../../src/workers/small-heap.ts'
import { installTemporalLog } from '../../src/workers/worker-log.ts'

const [address = '', taskQueue = ''] = process.argv.slice(2)
keepHeapSmall()
installTemporalLog(createLog('worker', 'error'))
const workflowsPath = fileURLToPath(new URL('workflows/empty-project.ts', import.meta.url))
const workflowBundle = await bundleWorkflowCode({
  workflowsPath,
  preloadModules: [workflowsPath],
  logger: new DefaultLogger('WARN'),
})
const connection = await NativeConnection.connect({ address })
const worker = await Worker.create({ connection, taskQueue, workflowBundle })
process.once('SIGTERM', () => worker.shutdown())
process.once('disconnect', () => process.exit(1))
const running = worker.run()
process.send?.({ ready: true })
await running
await connection.close()
process.exit(0)
