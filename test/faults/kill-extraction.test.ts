/** kill -9 of the worker again and again in the middle of an extraction, which goes on by itself. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cli, createCli } from '../support/cli.ts'
import { countedItems, type FakeSource, startFakeSource } from '../support/fake-source.ts'
import { report } from './report.ts'

const ITEMS = 1_000
const WORKERS = 4
const KILLS = 5

let cli: Cli
let source: FakeSource
beforeAll(async () => {
  cli = createCli()
  source = await startFakeSource({ items: countedItems(ITEMS) })
  source.api.instead = async () => {
    await new Promise((resolve) => setTimeout(resolve, 200))
    return undefined
  }
})
afterAll(async () => {
  await source.close()
  await cli.remove()
})

it('case 24: each page is stored once, and none is asked again that was stored', async () => {
  const { origin } = new URL(source.service.url)
  const type = { name: 'items', path: '/list/offset', paginator: { kind: 'offset' } }
  const profile = cli.file(
    'profile.json',
    JSON.stringify({ name: 'killed', baseUrl: origin, types: [type] }),
  )
  const options = `--dataset items --batch-size 10 --workers ${WORKERS} -o json`
  const running = cli.start('extract', 'start', '--profile', profile, ...options.split(' '))
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const before = source.listRequests().length
    await source.service.until(() => source.listRequests().length >= before + 12)
    await cli.kill('worker')
  }
  const { code, stdout, stderr } = await running.ended
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'completed',
    types: [{ rows: ITEMS, items: ITEMS, landed: { new: ITEMS, absent: 0 } }],
  })
  const times = new Map<string, number>()
  for (const query of source.listRequests()) times.set(query, (times.get(query) ?? 0) + 1)
  const again = [...times.values()].reduce((sum, count) => sum + count - 1, 0)
  // What was on its way when the worker died.
  expect(again).toBeLessThanOrEqual(KILLS * WORKERS)
  report(`${again} of ${times.size} pages asked again after ${KILLS} kills`)
})
