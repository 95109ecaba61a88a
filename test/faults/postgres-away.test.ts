/** Postgres does not answer for minutes in the middle of a match, then it is back. */
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countProject, countRequests } from '../../src/db/run-progress.repo.ts'
import { latestRun } from '../../src/db/runs.repo.ts'
import {
  type BrandService,
  importBrands,
  startBrandService,
  timesAsked,
} from '../support/brands.ts'
import { type Cli, createCli } from '../support/cli.ts'
import { createTestProject } from '../support/match-project-rows.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { openWorkerSite } from '../support/worker-site.ts'
import { report } from './report.ts'

const RECORDS = 300
/** Longer than any timeout of a client, a lease or a heartbeat. */
const AWAY_MS = 120_000

let service: BrandService
beforeAll(async () => {
  service = await startBrandService({ delayMs: 80 })
})
afterAll(() => service.close())

it('stands still for two minutes: the match waits, a command says why within seconds, nothing fails', async () => {
  const cli = createCli()
  let frozen: readonly number[] = []
  const thaw = () => {
    for (const pid of frozen) process.kill(pid, 'SIGCONT')
    frozen = []
  }
  try {
    const address = service.ownAddress()
    await importBrands(cli, 7, address, RECORDS)
    const match = cli.start('start-match', '--project', '7', '-o', 'json')
    await service.until(() => service.batchesOf(address).length >= 30)
    frozen = freezePostgres(cli)
    const frozenAtMs = Date.now()
    const status = await cli.run('status', '--project', '7')
    expect([status.code, status.stdout]).toEqual([4, ''])
    expect(status.stderr).toContain('[server_unreachable]')
    report(`status said so after ${Math.round(status.tookMs)} ms: ${status.stderr.trim()}`)
    await sleep(Math.max(0, AWAY_MS - (Date.now() - frozenAtMs)))
    thaw()
    const backAtMs = Date.now()
    const { code, stdout, stderr } = await match.ended
    report(`done ${Date.now() - backAtMs} ms after it was back`)
    expect(`${code} ${code === 0 ? '' : stderr}`).toBe('0 ')
    expect(JSON.parse(stdout).entries).toMatchObject({ completed: RECORDS, failed: 0 })
    expect(Math.max(...timesAsked(service.batchesOf(address)).values())).toBeLessThanOrEqual(2)
  } finally {
    thaw()
    await cli.remove()
  }
})

it('refuses every connection for two minutes: the worker lives, waits, and costs no record an attempt', async () => {
  const site = await openWorkerSite()
  const database = new URL(site.databaseUrl)
  const way = await startTcpProxy(Number(database.port))
  database.port = String(way.port)
  try {
    const records = Array.from({ length: RECORDS }, (_, n) => ({ id: `b${n}`, name: `Brand ${n}` }))
    const mapping = { name: 'name', variants: [], properties: [] }
    const address = service.ownAddress()
    const project = await createTestProject(site.db, address, records, { mapping })
    const worker = site.startWith({ env: { DATABASE_URL: database.href } })
    await worker.until('The worker is ready')
    const run = await site.match(project.id)
    await service.until(() => service.batchesOf(address).length >= 20)
    await way.cut()
    await sleep(AWAY_MS)
    await way.mend()
    const backAtMs = Date.now()
    await run.result()
    report(`done ${Date.now() - backAtMs} ms after it was back`)
    expect(await countProject(site.db, project.id)).toMatchObject({ completed: RECORDS, failed: 0 })
    expect(Math.max(...timesAsked(service.batchesOf(address)).values())).toBeLessThanOrEqual(2)
    const runId = (await latestRun(site.db, project.id))?.id ?? 0
    expect(await countRequests(site.db, runId)).toMatchObject({ failed: 0, throttled: 0 })
    process.kill(worker.mark.pid, 'SIGTERM')
    expect((await worker.ended).code).toBe(0)
  } finally {
    await way.close()
    await site.close()
  }
})

/** The server and all its processes; each is a group of its own. @returns their pids */
function freezePostgres(cli: Cli): readonly number[] {
  const server = cli.processes().postgres?.pid ?? 0
  // First, so that it starts no further one.
  process.kill(server, 'SIGSTOP')
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')
  const pids = all.flatMap((line) => {
    const [pid = 0, parent] = line.trim().split(/\s+/).map(Number)
    return parent === server ? [pid] : []
  })
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return [...pids, server]
}
