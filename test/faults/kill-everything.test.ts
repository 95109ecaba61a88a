/** kill -9 of all processes at once in the middle of a match, and the same command again. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type BrandService,
  exportedTable,
  importBrands,
  startBrandService,
  timesAsked,
} from '../support/brands.ts'
import { type Cli, createCli } from '../support/cli.ts'
import { report } from './report.ts'

const RECORDS = 300
const PROJECT = 7

let service: BrandService
let undisturbed: string
beforeAll(async () => {
  service = await startBrandService({ delayMs: 80 })
  await withCli(async (cli) => {
    await importBrands(cli, PROJECT, service.ownAddress(), RECORDS)
    await cli.data('start-match', '--project', String(PROJECT))
    undisturbed = await exportedTable(cli, PROJECT)
  })
})
afterAll(() => service.close())

it('case 32: ends with the table of an undisturbed run, and asks each question once more at most', async () => {
  await withCli(async (cli) => {
    const address = service.ownAddress()
    await importBrands(cli, PROJECT, address, RECORDS)
    const first = cli.start('start-match', '--project', String(PROJECT))
    await service.until(() => service.batchesOf(address).length >= 40)
    await cli.killEverything()
    expect((await first.ended).code).toBeNull()

    const again = await cli.run('start-match', '--project', String(PROJECT), '-o', 'json')
    expect(again.code).toBe(0)
    expect(again.stderr).toContain('Joined the run that is going on.')
    expect(JSON.parse(again.stdout)).toMatchObject({
      status: 'completed',
      entries: { total: RECORDS, completed: RECORDS, failed: 0, cancelled: 0 },
    })
    expect(await exportedTable(cli, PROJECT)).toBe(undisturbed)
    const times = timesAsked(service.batchesOf(address))
    expect(times.size).toBe(RECORDS + RECORDS / 5)
    expect(Math.max(...times.values())).toBeLessThanOrEqual(2)
    const twice = [...times.values()].filter((count) => count > 1).length
    report(`${twice} of ${times.size} questions asked twice; done ${again.tookMs} ms after`)
  })
})

it('does so also when it happens at four moments of one run, from planning to the last records', async () => {
  await withCli(async (cli) => {
    const address = service.ownAddress()
    await importBrands(cli, PROJECT, address, RECORDS)
    for (const batches of [0, 15, 70, 110]) {
      const match = cli.start('start-match', '--project', String(PROJECT))
      await match.until(/Started\.|Joined/)
      await service.until(() => service.batchesOf(address).length >= batches)
      await cli.killEverything()
    }
    const last = await cli.run('start-match', '--project', String(PROJECT))
    expect(last.code).toBe(0)
    expect(await exportedTable(cli, PROJECT)).toBe(undisturbed)
    expect(Math.max(...timesAsked(service.batchesOf(address)).values())).toBeLessThanOrEqual(5)
  })
})

it('does so with the sample project, whose service is killed too', async () => {
  const tables: string[] = []
  for (const isKilled of [false, true]) {
    await withCli(async (cli) => {
      const args = ['start-match', '--project', '123', '--entries-per-task', '4']
      if (isKilled) {
        const first = cli.start(...args)
        await first.until('Started.')
        await untilFinished(cli, 100)
        await cli.killEverything()
      }
      await cli.data(...args)
      tables.push(await exportedTable(cli, 123))
    })
  }
  expect(tables[1]).toBe(tables[0])
})

async function untilFinished(cli: Cli, records: number): Promise<void> {
  for (;;) {
    const {
      matched,
      review,
      no_candidate: noCandidate,
    } = JSON.parse(await cli.data('status', '-o', 'json'))[0]
    if (matched + review + noCandidate >= records) return
  }
}

async function withCli(use: (cli: Cli) => Promise<void>): Promise<void> {
  const cli = createCli()
  try {
    await use(cli)
  } finally {
    await cli.remove()
  }
}
