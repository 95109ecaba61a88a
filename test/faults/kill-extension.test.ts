/** kill -9 of all processes at once in the middle of an extension, and the same command again. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BrandService, importBrands, startBrandService } from '../support/brands.ts'
import { type Cli, createCli } from '../support/cli.ts'
import { extensionIn } from '../support/fake-extension.ts'
import { report } from './report.ts'

const RECORDS = 300
const PROJECT = 7

let cli: Cli
let service: BrandService
beforeAll(async () => {
  cli = createCli()
  service = await startBrandService({ delayMs: 80 })
  await importBrands(cli, PROJECT, service.ownAddress(), RECORDS)
  await cli.data('start-match', '--project', String(PROJECT))
})
afterAll(async () => {
  await service.close()
  await cli.remove()
})

const timesAsked = (property: string) => {
  const times = new Map<string, number>()
  const batches = asked().filter(({ properties }) => properties.some(({ id }) => id === property))
  for (const id of batches.flatMap(({ ids }) => ids)) times.set(id, (times.get(id) ?? 0) + 1)
  return times
}
const asked = () => service.requests.flatMap((request) => extensionIn(request) ?? [])
const extend = ['extend', '--project', String(PROJECT), '-o', 'json', '--property', 'P1,Len']

it('keeps every answer: nothing is asked twice but what was under way', async () => {
  const first = cli.start(...extend)
  await service.until(() => asked().length >= 15)
  await cli.killEverything()
  expect((await first.ended).code).toBeNull()

  const again = await cli.run(...extend)
  expect([again.code, again.code === 0 ? '' : again.stderr]).toEqual([0, ''])
  const { items, missing, failed } = JSON.parse(again.stdout)
  expect([missing, failed]).toEqual([0, 0])
  const times = timesAsked('P1')
  expect(times.size).toBe(items)
  const twice = [...times.values()].filter((count) => count > 1).length
  // One request is under way at a time, with five items.
  expect(twice).toBeLessThanOrEqual(5)
  report(`${twice} of ${items} items asked twice; done ${again.tookMs} ms after`)

  const sent = asked().length
  expect((await cli.run(...extend)).stderr).toContain('nobody was asked')
  expect(asked()).toHaveLength(sent)
})

it('that is left with Ctrl-C goes on, and the same command joins it', async () => {
  const other = [...extend.slice(0, -1), 'P2']
  const before = asked().length
  const first = cli.start(...other)
  await service.until(() => asked().length >= before + 3)
  first.interrupt()
  const { code, stdout, stderr } = await first.ended
  expect([code, stdout]).toEqual([130, ''])
  expect(stderr).toContain('the same command joins it again')

  const { missing, failed } = JSON.parse(await cli.data(...other))
  expect([missing, failed]).toEqual([0, 0])
  expect(Math.max(...timesAsked('P2').values())).toBe(1)
})
