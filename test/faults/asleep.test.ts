/** A laptop that is closed in the middle of a match: every process stands still, and then all go on. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type BrandService,
  importBrands,
  startBrandService,
  timesAsked,
} from '../support/brands.ts'
import { type Cli, createCli } from '../support/cli.ts'
import { report } from './report.ts'

const RECORDS = 300
/** Longer than any heartbeat, lease or workflow task may be late. */
const ASLEEP_MS = 45_000

let cli: Cli
let service: BrandService
beforeAll(async () => {
  cli = createCli()
  service = await startBrandService({ delayMs: 80 })
})
afterAll(async () => {
  await service.close()
  await cli.remove()
})

let project = 40
async function startedMatch() {
  project += 1
  const address = service.ownAddress()
  await importBrands(cli, project, address, RECORDS)
  const match = cli.start('start-match', '--project', String(project), '-o', 'json')
  await service.until(() => service.batchesOf(address).length >= 30)
  return { address, match }
}

it('the machine asleep: nothing fails, and the match goes on by itself', async () => {
  const { address, match } = await startedMatch()
  cli.signalEverything('SIGSTOP')
  await sleep(ASLEEP_MS)
  cli.signalEverything('SIGCONT')
  const awakeAtMs = Date.now()
  const { code, stdout, stderr } = await match.ended
  report(`machine asleep: done ${Date.now() - awakeAtMs} ms after it woke up`)
  expect(`${code} ${code === 0 ? '' : stderr}`).toBe('0 ')
  expect(JSON.parse(stdout).entries).toMatchObject({ completed: RECORDS, failed: 0 })
  expect(Math.max(...timesAsked(service.batchesOf(address)).values())).toBeLessThanOrEqual(2)
})

it('only the worker stands still: Temporal takes it for dead, and what it does afterwards does no harm', async () => {
  const { address, match } = await startedMatch()
  const worker = cli.processes().worker?.pid ?? 0
  process.kill(worker, 'SIGSTOP')
  await sleep(ASLEEP_MS)
  process.kill(worker, 'SIGCONT')
  const { code, stdout, stderr } = await match.ended
  expect(`${code} ${code === 0 ? '' : stderr}`).toBe('0 ')
  expect(JSON.parse(stdout).entries).toMatchObject({ completed: RECORDS, failed: 0 })
  expect(Math.max(...timesAsked(service.batchesOf(address)).values())).toBeLessThanOrEqual(2)
})
