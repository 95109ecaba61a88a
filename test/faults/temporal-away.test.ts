/** Case 20 of research/temporal.md: the Temporal server does not answer for a while, then it is back. */
import { readFileSync } from 'node:fs'
import { homePaths } from '../../src/client/stack/home.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client as TemporalClient, Connection } from '@temporalio/client'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type BrandService,
  importBrands,
  startBrandService,
  timesAsked,
} from '../support/brands.ts'
import { type Cli, createCli } from '../support/cli.ts'
import type { RunningCommand } from '../support/running-command.ts'
import { report } from './report.ts'

const RECORDS = 200
const AWAY_MS = 20_000
/** Longer than the clients' own patience with a connection and with a call. */
const LONG_AWAY_MS = 75_000

let cli: Cli
let service: BrandService
let stack: { readonly temporalAddress: string }
beforeAll(async () => {
  cli = createCli()
  service = await startBrandService({ delayMs: 50 })
  stack = JSON.parse(await cli.data('up', '--background', '-o', 'json'))
})
afterAll(async () => {
  await service.close()
  await cli.remove()
})

let project = 30
let flags: readonly string[]
let address: string
let locking: Client
beforeEach(async () => {
  project += 1
  flags = ['--project', String(project)]
  address = service.ownAddress()
  await importBrands(cli, project, address, RECORDS)
  locking = new Client({
    connectionString: readFileSync(homePaths(cli.home).databaseUrl, 'utf8').trim(),
  })
  await locking.connect()
})
afterEach(() => locking.end())

const freeze = () => process.kill(cli.processes().temporal?.pid ?? 0, 'SIGSTOP')
const thaw = () => process.kill(cli.processes().temporal?.pid ?? 0, 'SIGCONT')

/** Two commands that are connected to both servers, and held in the last statement before the start. */
async function twoHeldStarts(): Promise<readonly RunningCommand[]> {
  await locking.query('begin; lock table subject in access exclusive mode')
  const starts = [
    cli.start('start-match', ...flags, '-o', 'json'),
    cli.start('start-match', ...flags, '-o', 'json'),
  ]
  await expect.poll(waitingForLock, { timeout: 30_000 }).toBe(2)
  return starts
}

async function waitingForLock(): Promise<number> {
  const { rows } = await locking.query(
    "select count(distinct pid)::integer as n from pg_locks where not granted and relation = 'subject'::regclass",
  )
  return rows[0].n
}

/** What two starts that ended well came to: `oneRun`, if all is well. */
async function resultOf(starts: readonly RunningCommand[]) {
  const ends = await Promise.all(starts.map(({ ended }) => ended))
  const reports = ends.map(({ stdout }) => JSON.parse(stdout))
  return {
    said: ends.map(({ stderr }) => /^(Started|Joined)/m.exec(stderr)?.[0]).toSorted(),
    runs: new Set(reports.map(({ run }) => run)).size,
    executions: await executions(),
    completed: reports.map(({ entries }) => entries.completed),
    mostTimesAsked: Math.max(...timesAsked(service.batchesOf(address)).values()),
  }
}

const oneRun = {
  said: ['Joined', 'Started'],
  runs: 1,
  executions: 1,
  completed: [RECORDS, RECORDS],
  mostTimesAsked: 1,
}

async function executions(): Promise<number> {
  const connection = await Connection.connect({ address: stack.temporalAddress })
  try {
    const { count } = await new TemporalClient({ connection }).workflow.count(
      `WorkflowId = 'match-project/${project}'`,
    )
    return count
  } finally {
    await connection.close()
  }
}

describe('two starts of one project that are pending', () => {
  it('while the server stands still for 20 s are one run', async () => {
    const starts = await twoHeldStarts()
    freeze()
    await locking.query('commit')
    await sleep(AWAY_MS)
    thaw()
    expect(await resultOf(starts)).toEqual(oneRun)
  })

  it('while the server is killed and starts again are one run', async () => {
    const starts = await twoHeldStarts()
    await cli.kill('temporal')
    await locking.query('commit')
    expect(await resultOf(starts)).toEqual(oneRun)
  })
})

it('a match in full swing survives more than a minute in which the server stands still', async () => {
  const match = cli.start('start-match', ...flags, '-o', 'json')
  await service.until(() => service.batchesOf(address).length >= 15)
  freeze()
  await sleep(LONG_AWAY_MS)
  thaw()
  const thawedAtMs = Date.now()
  const { code, stdout } = await match.ended
  report(`done ${Date.now() - thawedAtMs} ms after the server was back`)
  expect(code).toBe(0)
  expect(JSON.parse(stdout).entries).toMatchObject({ completed: RECORDS, failed: 0 })
  expect(Math.max(...timesAsked(service.batchesOf(address)).values())).toBeLessThanOrEqual(2)
})

it('a start that finds no server says so within seconds and ends with 4', async () => {
  freeze()
  try {
    const { code, stdout, stderr } = await cli.run('start-match', ...flags)
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toContain('[temporal_unreachable]')
  } finally {
    thaw()
  }
  expect((await cli.run('start-match', ...flags)).code).toBe(0)
})
