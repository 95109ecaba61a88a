/**
 * A laptop that is closed in the middle of a match, and has no network yet when it is opened again.
 *
 *   npm run test:faults -- test/faults/asleep-then-offline.test.ts     asleep 10 min, offline 2 min
 *   RECORD_LINKER_ASLEEP_S=20 RECORD_LINKER_OFFLINE_S=15 …             shorter
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { durationText } from '../../src/core/work-rate.ts'
import { type BrandService, importBrands, startBrandService } from '../support/brands.ts'
import { type Cli, createCli } from '../support/cli.ts'
import { report } from './report.ts'

const RECORDS = 300
const ASLEEP_MS = 1_000 * Number(process.env['RECORD_LINKER_ASLEEP_S'] ?? 600)
const OFFLINE_MS = 1_000 * Number(process.env['RECORD_LINKER_OFFLINE_S'] ?? 120)
const BACK_WITHIN_MS = 60_000
/** Awake again, the program first has to find out that there is no network; and it takes a moment to answer. */
const NOTICED_WITHIN_MS = 60_000

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

it(
  'fails no record, says since when it is offline, and sends again within a minute of the return',
  async () => {
    await importBrands(cli, 7, service.ownAddress(), RECORDS)
    const match = cli.start('start-match', '--project', '7', '-o', 'json')
    await service.until(() => service.requests.length >= 30)
    cli.signalEverything('SIGSTOP')
    await service.stop()
    await sleep(ASLEEP_MS)
    const sent = service.requests.length
    cli.signalEverything('SIGCONT')
    const awakeAtMs = Date.now()
    await sleep(OFFLINE_MS)

    const during = await cli.run('status', '--project', '7', '-o', 'json')
    const offlineMs = Date.now() - awakeAtMs
    expect(JSON.parse(during.stdout)).toMatchObject({ status: 'running', entries: { failed: 0 } })
    const [said, sinceText] =
      /waiting for the service since ([\d.]+ (?:min|s|h))/.exec(during.stderr) ?? []
    report(`offline for ${durationText(offlineMs)}: ${said}`)
    expect(sinceText).toBeDefined()
    expect(sinceMs(sinceText ?? '')).toBeLessThanOrEqual(ASLEEP_MS + offlineMs + NOTICED_WITHIN_MS)
    expect(sinceMs(sinceText ?? '')).toBeGreaterThanOrEqual(offlineMs - NOTICED_WITHIN_MS)

    await service.restart()
    const backAtMs = Date.now()
    await service.until(() => service.requests.length > sent)
    report(`sent again ${Date.now() - backAtMs} ms after the return`)
    expect(Date.now() - backAtMs).toBeLessThan(BACK_WITHIN_MS)

    const { code, stdout } = await match.ended
    report(`done ${Date.now() - backAtMs} ms after the return`)
    expect(code).toBe(0)
    expect(JSON.parse(stdout).entries).toMatchObject({ completed: RECORDS, failed: 0 })
  },
  ASLEEP_MS + OFFLINE_MS + 600_000,
)

function sinceMs(text: string): number {
  const [amount = '', unit = ''] = text.split(' ')
  return Number(amount) * { s: 1_000, min: 60_000, h: 3_600_000 }[unit as 's' | 'min' | 'h']
}
