/** `cancel-match` from a second terminal, in whatever state the match and its service are. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BrandService, importBrands, startBrandService } from '../support/brands.ts'
import { type Cli, createCli } from '../support/cli.ts'
import { report } from './report.ts'

const RECORDS = 300
/** What the command promises. */
const LIMIT_MS = 5_000
const TRIES = 3

let cli: Cli
let service: BrandService
beforeAll(async () => {
  cli = createCli()
  await cli.data('up', '--background')
})
afterAll(() => cli.remove())
// What a service has asked us to wait holds for its host and port, whatever project asks.
beforeEach(async () => {
  service = await startBrandService({ delayMs: 50 })
  await newProject()
})
afterEach(() => service.close())

let project = 20
let flags: readonly string[]
let address: string
async function newProject(): Promise<void> {
  service.letGo()
  project += 1
  flags = ['--project', String(project)]
  address = service.ownAddress()
  await importBrands(cli, project, address, RECORDS)
}

const batches = () => service.batchesOf(address)
const hanging = () => batches().filter(({ answered, aborted }) => !answered && !aborted)

it('case 33: stops a match whose service hangs within 5 s; no request reaches the service afterwards', async () => {
  const stoppedAfterMs: number[] = []
  const commandMs: number[] = []
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (attempt > 0) await newProject()
    service.holdAfter(10)
    const match = cli.start('start-match', ...flags, '-o', 'json')
    await service.until(() => hanging().length >= 8)

    const typedAtMs = Date.now()
    const cancelling = cli.run('cancel-match', ...flags, '-o', 'json')
    await service.until(() => hanging().length === 0)
    stoppedAfterMs.push(Date.now() - typedAtMs)
    const cancelled = await cancelling
    commandMs.push(cancelled.tookMs)
    const endedAtMs = Date.now()
    expect(cancelled.code).toBe(0)
    expect((await match.ended).code).toBe(1)

    const { entries } = JSON.parse(cancelled.stdout)
    expect(entries.failed).toBe(0)
    expect(entries.completed).toBeGreaterThan(0)
    expect(entries.completed + entries.cancelled).toBe(RECORDS)
    await sleep(LIMIT_MS)
    expect(service.requests.filter(({ atMs }) => atMs > endedAtMs)).toEqual([])

    service.letGo()
    const again = await cli.run('start-match', ...flags, '-o', 'json')
    expect(JSON.parse(again.stdout).entries).toMatchObject({ completed: RECORDS, cancelled: 0 })
  }
  report(
    `last call aborted after ${stoppedAfterMs.join(', ')} ms, command took ${commandMs.map(Math.round).join(', ')} ms`,
  )
  expect(median(commandMs)).toBeLessThan(LIMIT_MS)
})

it('is finished by the next worker when the worker dies over it', async () => {
  service.holdAfter(10)
  await cli.data('start-match', ...flags, '--detach')
  await service.until(() => hanging().length >= 8)
  await cli.data('cancel-match', ...flags, '--detach')
  await cli.kill('worker')
  const sent = batches().length
  const ended = await cli.run('status', ...flags, '--wait', '-o', 'json')
  report(`cancelled ${Math.round(ended.tookMs)} ms after the worker died`)
  expect(ended.code).toBe(1)
  const { status, entries } = JSON.parse(ended.stdout)
  expect(status).toBe('cancelled')
  expect(entries.failed).toBe(0)
  expect(entries.completed + entries.cancelled).toBe(RECORDS)
  expect(batches().length).toBe(sent)
})

describe('is as quick', () => {
  const states: Record<string, () => Promise<void>> = {
    'asks us to come back in an hour': async () => {
      service.answerBatches({ status: 429, headers: { 'retry-after': '3600' }, json: {} })
      await service.until(() => batches().length > 0)
    },
    'refuses every connection': async () => {
      await service.until(() => batches().length > 5)
      await service.stop()
      await sleep(3_000)
    },
    'turns us away, so that the match is paused': async () => {
      service.answerBatches({ status: 401, json: {} })
      await sleep(3_000)
    },
    'fails in the middle of each answer': async () => {
      service.answerBatches({ json: { q0: { result: [] } }, drop: 'in_body' })
      await sleep(3_000)
    },
    'has just been asked for its manifest': () => service.until(() => service.requests.length > 0),
  }
  it.each(Object.entries(states))('while the service %s', async (_, bring) => {
    const match = cli.start('start-match', ...flags)
    await match.until('Started.')
    await bring()
    const cancel = cli.start('cancel-match', ...flags)
    await cancel.until('Cancelling')
    const askedAtMs = Date.now()
    expect((await cancel.ended).code).toBe(0)
    const tookMs = Date.now() - askedAtMs
    report(`cancelled ${tookMs} ms after it was asked`)
    expect(tookMs).toBeLessThan(LIMIT_MS)
    expect((await match.ended).code).toBe(1)
    const [row] = JSON.parse(await cli.data('status', '-o', 'json')).filter(
      (one: { project: number }) => one.project === project,
    )
    expect(row.failed).toBe(0)
    expect([row.run, row.state]).toEqual([1, 'cancelled'])
  })
})

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity
}
