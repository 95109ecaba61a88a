/** Two minutes without a network, for real. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BrandService, importBrands, startBrandService } from '../support/brands.ts'
import { type Cli, createCli } from '../support/cli.ts'
import { report } from './report.ts'

const RECORDS = 300
const OFFLINE_MS = 120_000
const BACK_WITHIN_MS = 60_000

let cli: Cli
let service: BrandService
beforeAll(async () => {
  cli = createCli()
  service = await startBrandService({ delayMs: 50 })
})
afterAll(async () => {
  await service.close()
  await cli.remove()
})

it('fails no record while every connection is refused, and sends again within a minute of its return', async () => {
  await importBrands(cli, 7, service.ownAddress(), RECORDS)
  const match = cli.start('start-match', '--project', '7', '-o', 'json')
  await service.until(() => service.requests.length >= 30)
  await service.stop()
  const sent = service.requests.length
  await sleep(OFFLINE_MS)
  const during = await cli.run('status', '--project', '7', '-o', 'json')
  expect(JSON.parse(during.stdout)).toMatchObject({ status: 'running', entries: { failed: 0 } })
  expect(during.stderr).toMatch(/waiting for the service since (1 min|2 min|1\d\d s)/)
  await service.restart()
  const backAtMs = Date.now()
  await service.until(() => service.requests.length > sent)
  report(`sent again ${Date.now() - backAtMs} ms after the return`)
  expect(Date.now() - backAtMs).toBeLessThan(BACK_WITHIN_MS)

  const { code, stdout } = await match.ended
  report(`done ${Date.now() - backAtMs} ms after the return`)
  expect(code).toBe(0)
  expect(JSON.parse(stdout).entries).toMatchObject({ completed: RECORDS, failed: 0 })
})
