import { once } from 'node:events'
import { connect } from 'node:net'
import { tsToMs } from '@temporalio/common/lib/time.js'
import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'
import { LIMITER_TASK_QUEUE, WORK_TASK_QUEUE } from '../../core/workflow-ids.ts'
import { connectTemporal } from '../temporal-client.ts'
import { failed, passed, type Check } from './check.ts'

/** Oldest server with updates and update-with-start as we use them. */
const OLDEST_SERVER = { major: 1, minor: 28 }
/** A living worker polls at least once a minute. */
const POLLER_AGE_LIMIT_MS = 2 * 60 * 1000
const ANSWER_LIMIT_MS = 10_000

const { TaskQueueType } = proto.temporal.api.enums.v1

/** Version and namespace of the Temporal server, and whether workers poll our task queues. */
export async function checkTemporal(address: string, namespace: string): Promise<readonly Check[]> {
  const expected = `${OLDEST_SERVER.major}.${OLDEST_SERVER.minor} or newer, at ${address}`
  try {
    await reach(address)
    const connected = await connectTemporal(address, namespace)
    const { client } = connected
    try {
      return await client.withDeadline(Date.now() + ANSWER_LIMIT_MS, async () => [
        await checkVersion(client, expected),
        await checkNamespace(client, namespace),
        await checkPollers(client, namespace),
      ])
    } finally {
      await connected.close()
    }
  } catch (error) {
    const fix = 'Check TEMPORAL_ADDRESS, or unset it to use the embedded server.'
    return [failed('Temporal', expected, String(error), fix)]
  }
}

/** The client of Temporal tries for 10 s where nobody listens. @throws what the connection does */
async function reach(address: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${address}`)
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
  } finally {
    socket.destroy()
  }
}

async function checkVersion(client: Client, expected: string): Promise<Check> {
  const { serverVersion } = await client.workflowService.getSystemInfo({})
  const [major = 0, minor = 0] = serverVersion.split('.').map(Number)
  const fits =
    major > OLDEST_SERVER.major || (major === OLDEST_SERVER.major && minor >= OLDEST_SERVER.minor)
  return fits
    ? passed('Temporal', expected, serverVersion)
    : failed('Temporal', expected, serverVersion, 'Update that server.')
}

async function checkNamespace(client: Client, namespace: string): Promise<Check> {
  try {
    await client.workflowService.describeNamespace({ namespace })
    return passed('Namespace', namespace, namespace)
  } catch (error) {
    const fix = `Create it (temporal operator namespace create ${namespace}), or set TEMPORAL_NAMESPACE.`
    return failed('Namespace', namespace, String(error), fix)
  }
}

async function checkPollers(client: Client, namespace: string): Promise<Check> {
  const expected = `a worker on the task queues ${WORK_TASK_QUEUE} and ${LIMITER_TASK_QUEUE}`
  const queues = [
    { name: WORK_TASK_QUEUE, taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW },
    { name: WORK_TASK_QUEUE, taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY },
    { name: LIMITER_TASK_QUEUE, taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW },
  ]
  const counts = await Promise.all(
    queues.map(async ({ name, taskQueueType }) => {
      const taskQueue = { name }
      const answer = await client.workflowService.describeTaskQueue({
        namespace,
        taskQueue,
        taskQueueType,
      })
      return answer.pollers.filter(
        (poller) => Date.now() - tsToMs(poller.lastAccessTime) < POLLER_AGE_LIMIT_MS,
      ).length
    }),
  )
  const fewest = Math.min(...counts)
  return fewest > 0
    ? passed('Worker', expected, `${fewest} polling`)
    : failed('Worker', expected, 'none polls all of them', './record-linker worker')
}
