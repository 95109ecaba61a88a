/** kill -9 of one process of the stack in the middle of a match: nobody has to do anything. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type BrandService,
  exportedTable,
  importBrands,
  startBrandService,
  timesAsked,
} from '../support/brands.ts'
import { type Cli, createCli, type StackProcess } from '../support/cli.ts'
import { report } from './report.ts'

const RECORDS = 300

let cli: Cli
let service: BrandService
let undisturbed: string
let project = 10
beforeAll(async () => {
  cli = createCli()
  service = await startBrandService({ delayMs: 80 })
  await importBrands(cli, project, service.ownAddress(), RECORDS)
  await cli.data('start-match', '--project', String(project))
  undisturbed = await exportedTable(cli, project)
})
afterAll(async () => {
  await service.close()
  await cli.remove()
})

const parts: readonly StackProcess[] = ['worker', 'temporal', 'postgres', 'keeper']

it.each(parts)('case 15: the run goes on by itself after the death of its %s', async (part) => {
  project += 1
  const address = service.ownAddress()
  await importBrands(cli, project, address, RECORDS)
  const match = cli.start('start-match', '--project', String(project), '-o', 'json')
  await service.until(() => service.batchesOf(address).length >= 30)
  const before = cli.processes()[part]
  await cli.kill(part)
  const killedAtMs = Date.now()
  const sent = service.requests.length
  await service.until(() => service.requests.length > sent)
  const pauseMs = (service.requests[sent]?.atMs ?? 0) - killedAtMs
  const { code, stdout, stderr } = await match.ended
  report(`${part}: next request after ${pauseMs} ms, done after ${Date.now() - killedAtMs} ms`)

  expect([code, stderr.split('\n').filter((line) => /error/.test(line))]).toEqual([0, []])
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'completed',
    entries: { total: RECORDS, completed: RECORDS, failed: 0, cancelled: 0 },
  })
  expect(await exportedTable(cli, project)).toBe(undisturbed)
  expect(Math.max(...timesAsked(service.batchesOf(address)).values())).toBeLessThanOrEqual(2)
  expect(cli.processes()[part]).toBeDefined()
  expect(cli.processes()[part]).not.toEqual(before)
})

it('the run ends well when its parts die one after the other, and while others start again', async () => {
  project += 1
  const address = service.ownAddress()
  await importBrands(cli, project, address, RECORDS)
  const match = cli.start('start-match', '--project', String(project), '-o', 'json')
  const deaths = ['postgres', 'worker', 'temporal', 'postgres', 'sampleService', 'worker'] as const
  for (const [index, part] of deaths.entries()) {
    await service.until(() => service.batchesOf(address).length >= 10 + 5 * index)
    await expect.poll(() => cli.processes()[part], { timeout: 60_000 }).toBeDefined()
    await cli.kill(part)
  }
  const { code, stdout } = await match.ended
  expect(code).toBe(0)
  expect(JSON.parse(stdout).entries).toMatchObject({ completed: RECORDS, failed: 0 })
  expect(await exportedTable(cli, project)).toBe(undisturbed)
})

it('a match whose servers are stopped by `down` says so and goes on at the next start', async () => {
  project += 1
  const address = service.ownAddress()
  await importBrands(cli, project, address, RECORDS)
  const match = cli.start('start-match', '--project', String(project), '-o', 'json')
  await service.until(() => service.batchesOf(address).length >= 30)
  await cli.data('down')
  const { code, stdout, stderr } = await match.ended
  expect([code, stdout]).toEqual([4, ''])
  expect(stderr).toContain('[stack_stopped]')

  const again = await cli.run('start-match', '--project', String(project), '-o', 'json')
  expect(again.stderr).toContain('Joined the run that is going on.')
  expect(JSON.parse(again.stdout)).toMatchObject({ entries: { completed: RECORDS, failed: 0 } })
  expect(await exportedTable(cli, project)).toBe(undisturbed)
  expect(Math.max(...timesAsked(service.batchesOf(address)).values())).toBe(1)
})
