/**
 * What docker-compose.yml starts, started without Docker: a match on Temporal with PostgreSQL, one of whose two workers is
 * killed on the way. With 5,000 records: test/faults/without-docker.test.ts.
 */
import { existsSync } from 'node:fs'
import { Connection } from '@temporalio/client'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isRunning, type ProcessMark } from '../../../src/client/stack/process-identity.mjs'
import { type BrandService, startBrandService } from '../../support/brands.ts'
import { startGuardian } from '../../support/start-guardian.ts'
import { makeTestFolder } from '../../support/test-servers.ts'
import { composeService } from '../../support/without-docker/compose-file.ts'
import { matchWithAKill } from '../../support/without-docker/killed-worker-match.ts'
import {
  type StackWithoutDocker,
  startStackWithoutDocker,
} from '../../support/without-docker/stack.ts'

const RECORDS = 500
const LOOK = { timeout: 120_000, interval: 500 }

// Ten servers and programs, on a machine that may be busy; the first time the server is built, too.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 900_000 })

const guardian = startGuardian()
const marks: ProcessMark[] = []
const folder = makeTestFolder(guardian)
let stack: StackWithoutDocker
let service: BrandService
beforeAll(async () => {
  service = await startBrandService({ delayMs: 80 })
  const guardProcess: typeof guardian.guardProcess = (mark, signal) => {
    marks.push(mark)
    guardian.guardProcess(mark, signal)
  }
  stack = await startStackWithoutDocker({ ...guardian, guardProcess }, folder)
})
afterAll(async () => {
  await service.close()
  await guardian.cleanUp()
})

it('its servers have the versions of the images', async () => {
  const { TEMPORAL_ADDRESS: address = '', DATABASE_URL: connectionString = '' } = stack.servers
  const connection = await Connection.connect({ address })
  const { serverVersion } = await connection.workflowService.getClusterInfo({})
  await connection.close()
  expect(composeService('temporal').image).toBe(`temporalio/server:${serverVersion}`)
  const database = new Client({ connectionString })
  await database.connect()
  const { rows } = await database.query<{ server_version: string }>('show server_version')
  await database.end()
  expect(composeService('postgres').image).toContain(`postgres:${rows[0]?.server_version}-`)
  const { data } = await vi.waitFor(() => stack.prometheus.ask('status/buildinfo'), LOOK)
  // Debian's has a mark of its own at the end.
  expect(composeService('prometheus').image).toBe(`prom/prometheus:v${data.version?.split('+')[0]}`)
})

it('a match with a killed worker gives the table of the embedded servers, and Prometheus sees who lives', async () => {
  await vi.waitFor(async () => expect(await workersByUp()).toEqual({ 0: 0, 1: 2 }), LOOK)
  const { dead } = await matchWithAKill(stack, service, RECORDS)
  await vi.waitFor(async () => expect(await workersByUp()).toEqual({ 0: 1, 1: 1 }), LOOK)
  const { data } = await stack.prometheus.ask('query?query=up==0')
  expect(data.result?.map(({ metric }) => metric['instance'])).toEqual([dead])
})

it('the HTTP API is open to who has the token', async () => {
  const status = async (headers: Readonly<Record<string, string>>) =>
    (await fetch(`${stack.pages}/projects`, { headers })).status
  expect(await status({})).toBe(401)
  expect(await status({ Authorization: `Bearer ${stack.pagesToken}` })).toBe(200)
})

it('nothing is left of it when it ends', async () => {
  await stack.stop()
  await guardian.cleanUp()
  // PostgreSQL, Temporal, two workers, pages, Prometheus, the step of the migration.
  expect(marks.length).toBe(7)
  expect(marks.filter(isRunning)).toEqual([])
  expect(existsSync(folder)).toBe(false)
})

/** How many workers are up (1) and away (0). */
async function workersByUp(): Promise<Readonly<Record<string, number>>> {
  const { data } = await stack.prometheus.ask('query?query=up')
  const values = (data.result ?? []).map(({ value: [, up] }) => up)
  const count = (wanted: string) => values.filter((up) => up === wanted).length
  return { 0: count('0'), 1: count('1') }
}
