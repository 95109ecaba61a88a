/** The end of a run and schedules in front of the real embedded servers, as people use them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type BrandService, importBrands, startBrandService } from '../../support/brands.ts'
import { type Cli, createCli } from '../../support/cli.ts'

/** Of a minute; a stack without work ends after it. */
const IDLE_MINUTES = '0.05'
const WELL_IDLE_MS = 12_000
const SOON = { timeout: 60_000, interval: 500 }

let cli: Cli
let service: BrandService
beforeAll(async () => {
  cli = createCli({ RECORD_LINKER_IDLE_MINUTES: IDLE_MINUTES })
  service = await startBrandService()
  service.letGo()
  await importBrands(cli, 700, service.ownAddress(), 10)
})
afterAll(async () => {
  await service.close()
  await cli.remove()
})

const flags = ['--project', '700']

it('a command gets the report that start-match prints, in the folder where it was typed', async () => {
  const place = cli.file('place.txt', '')
  const onEnd = ['--on-end', 'cat > report.json']
  const printed = JSON.parse(await cli.data('start-match', ...flags, ...onEnd, '-o', 'json'))
  const file = join(place, '..', 'report.json')
  await vi.waitFor(() => expect(existsSync(file) && readFileSync(file, 'utf8')).toBeTruthy(), SOON)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(printed)
})

it('a command that fails changes nothing of the run, and status says so', async () => {
  const again = ['--refresh-older-than', '0d', '--on-end', 'echo no room >&2; exit 9']
  await cli.data('start-match', ...flags, ...again)
  await vi.waitFor(async () => {
    const { code, stderr } = await cli.run('status', ...flags)
    expect(code).toBe(0)
    expect(stderr).toContain(
      'The command at its end failed: It ended with code 9. It said: no room',
    )
  }, SOON)
})

it('what failed is listed with the way out, and the named record is asked again', async () => {
  await importBrands(cli, 701, service.ownAddress(), 10)
  const other = ['--project', '701']
  service.refuseEveryTenth()
  const first = await cli.run('start-match', ...other)
  service.letGo()
  expect(first.code).toBe(3)
  expect(first.stderr).toContain('./record-linker failures --project 701')
  const failed = JSON.parse(await cli.data('failures', ...other, '-o', 'json'))
  expect(failed).toMatchObject([{ code: 'bad_request', count: 1 }])
  const [{ example }] = failed as [{ example: { entry: string } }]
  const again = await cli.run('retry-failed', ...other, '--entry', example.entry)
  expect(again.code).toBe(0)
  expect(again.stderr).toContain('1 record is due: 1 that failed before.')
  expect(again.stderr).toContain('Taken up of the failed: 1 bad_request.')
})

it('the servers stay up for a schedule, and end when it is gone', async () => {
  await cli.data('schedule', ...flags, '--cron', '* * * * * * *')
  await vi.waitFor(async () => {
    const [row] = JSON.parse(await cli.data('schedule', 'list', '-o', 'json'))
    expect(row).toMatchObject({ project: 700, status: 'active', lastOutcome: 'nothing_due' })
  }, SOON)
  await new Promise((resolve) => setTimeout(resolve, WELL_IDLE_MS))
  expect(cli.processes()).toHaveProperty('keeper')
  await cli.data('schedule', 'remove', ...flags)
  await vi.waitFor(() => expect(cli.processes()).toEqual({}), SOON)
})
