/** What people are told of runs: while they are held, and right after they have ended. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type BrandService, importBrands, startBrandService } from '../../support/brands.ts'
import { type Cli, createCli } from '../../support/cli.ts'
import type { RunningCommand } from '../../support/running-command.ts'

// A dozen commands, also on a machine that does much else.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 })

const RECORDS = 20
const SOON_MS = 60_000

let cli: Cli
let service: BrandService
beforeAll(async () => {
  cli = createCli({}, { sharesProcesses: true })
  service = await startBrandService()
  await cli.data('up', '--background')
})
afterAll(async () => {
  await cli.remove()
  await service.close()
})

let project = 900
let flags: readonly string[]
beforeEach(() => {
  service.letGo()
  project += 1
  flags = ['--project', String(project)]
})

const newMatch = () => importBrands(cli, project, service.ownAddress(), RECORDS)
const totals = async () => JSON.parse(await cli.data('limits', '-o', 'json'))

/** What a look at the run says, as soon as it holds. */
async function statusThat(holds: (text: string) => boolean): Promise<string> {
  const deadlineMs = performance.now() + SOON_MS
  for (;;) {
    const { stderr } = await cli.run('status', ...flags)
    if (holds(stderr)) return stderr
    if (performance.now() > deadlineMs) throw new Error(`still: ${stderr}`)
  }
}

async function endsWell(command: RunningCommand): Promise<string> {
  const { code, stderr } = await command.ended
  expect(code).toBe(0)
  return stderr
}

it('a run that has just ended shows all its requests in limits', async () => {
  for (let round = 1; round <= 3; round += 1) {
    project += 1
    flags = ['--project', String(project)]
    await newMatch()
    await cli.data('start-match', ...flags)
    expect((await totals()).totalRequests).toBe(service.requests.length)
  }
})

describe('a run whose server asks for two hours', () => {
  it('says until when it waits, that this is parked, and is let go by limits resume', async () => {
    const { domain } = service
    await newMatch()
    service.answerBatches({ status: 429, headers: { 'retry-after': '7200' }, json: {} })
    await cli.data('start-match', ...flags, '--detach')
    const waits = `waiting for ${domain} until `
    const seen = await statusThat((text) => text.includes(waits))
    expect(seen).toMatch(/until (\d+ \w+, )?\d\d:\d\d:\d\d \(it asked us to wait; parked\)/)
    expect(seen).toContain(`./record-linker limits resume ${domain}`)

    expect(await cli.data('status')).toContain(`open, ${waits}`)
    const { stdout, stderr } = await cli.run('limits')
    expect(stdout).toMatch(/in (119 min|1 h \d+ min|2 h) \(the server asked to wait, parked\)/)
    expect(stderr).toContain(`./record-linker limits resume ${domain}`)

    const waiting = cli.start('status', ...flags, '--wait')
    await waiting.until(waits)
    service.letGo()
    await cli.data('limits', 'resume', domain)
    const told = await endsWell(waiting)
    expect(told.split(waits)).toHaveLength(2)
  })
})

it('status --wait on a paused run says that it is paused, why, and how it goes on', async () => {
  await newMatch()
  service.holdAfter(1)
  await cli.data('start-match', ...flags, '--detach')
  await cli.data('pause-match', ...flags)
  const waiting = cli.start('status', ...flags, '--wait')
  await waiting.until('It is paused: by user')
  await waiting.until(`./record-linker resume-match ${flags.join(' ')}`)
  service.letGo()
  await cli.data('resume-match', ...flags)
  const told = await endsWell(waiting)
  expect(told.split('It is paused')).toHaveLength(2)
})
