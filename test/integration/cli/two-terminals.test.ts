/** One match and several terminals: the real command line in front of the real embedded servers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BrandService, importBrands, startBrandService } from '../../support/brands.ts'
import { type Cli, createCli } from '../../support/cli.ts'

const RECORDS = 60
/** Twelve tasks of five names each, and then the one alias of each. */
const BATCHES = 24
/** After a pause nothing is sent any more (`match pause --help`). */
const PAUSE_LIMIT_MS = 5_000

let cli: Cli
let service: BrandService
beforeAll(async () => {
  cli = createCli()
  service = await startBrandService()
  await cli.data('up', '--background')
})
afterAll(async () => {
  await service.close()
  await cli.remove()
})

let project = 700
let address: string
let flags: readonly string[]
beforeEach(async () => {
  service.letGo()
  project += 1
  flags = ['--project', String(project)]
  address = service.ownAddress()
  await importBrands(cli, project, address, RECORDS)
})

const asked = () => service.batchesOf(address).length

it('Ctrl-C leaves the run going and says how to come back; the same command joins it to its end', async () => {
  service.holdAfter(3)
  const first = cli.start('start-match', ...flags)
  await first.until('Started.')
  await service.until(() => asked() > 3)
  first.interrupt()
  const left = await first.ended
  expect(left.code).toBe(130)
  expect(left.stdout).toBe('')
  expect(left.stderr).toContain(
    `follow it again: ./record-linker status --project ${project} --watch`,
  )
  expect(left.stderr).toContain(`stop it: ./record-linker cancel-match --project ${project}`)

  const second = cli.start('start-match', ...flags, '-o', 'json')
  await second.until('Joined the run that is going on.')
  service.letGo()
  const { code, stdout } = await second.ended
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    project,
    status: 'completed',
    entries: { total: RECORDS, completed: RECORDS, failed: 0, cancelled: 0 },
  })
  expect(asked()).toBe(BATCHES)
})

it('a start with other settings than those of the running match is refused, both shown', async () => {
  service.holdAfter(0)
  await cli.data('start-match', ...flags, '--detach')
  await service.until(() => asked() > 0)
  const other = await cli.run('start-match', ...flags, '--max-attempts', '7')
  expect(other).toMatchObject({ code: 2, stdout: '' })
  expect(other.stderr).toMatch(/running: settings revision 1, all records, 3 attempts/)
  expect(other.stderr).toMatch(/asked: +settings revision 1, all records, 7 attempts/)
  service.letGo()
  expect((await cli.run('status', ...flags, '--wait')).code).toBe(0)
})

it('a paused match sends nothing, says so everywhere, and goes on after resume', async () => {
  service.holdAfter(3)
  const watching = cli.start('start-match', ...flags)
  await service.until(() => asked() > 3)
  const paused = await cli.run('pause-match', ...flags, '-o', 'json')
  expect(JSON.parse(paused.stdout)).toEqual({ project, status: 'paused', reason: 'by user' })
  const pausedAtMs = Date.now()
  service.letGo()
  const status = await cli.run('status', ...flags, '-o', 'json')
  expect(JSON.parse(status.stdout)).toMatchObject({
    status: 'running',
    paused: { reason: 'by user', since: expect.stringMatching(/^20.*Z$/) },
    progress: { records: RECORDS },
  })
  expect(status.stderr).toContain('PAUSED: by user')
  expect((await cli.run('status', ...flags)).stdout).toContain('run 1: paused (by user)')
  const all = JSON.parse((await cli.run('status', '-o', 'json')).stdout) as { project: number }[]
  expect(all.find((row) => row.project === project)).toMatchObject({
    run: 1,
    status: 'running',
    paused: { reason: 'by user' },
  })
  expect((await cli.run('pause-match', ...flags)).stderr).toContain('It was paused already')
  const joined = cli.start('start-match', ...flags)
  await joined.until(`resume-match --project ${project}`)
  await sleep(pausedAtMs + PAUSE_LIMIT_MS - Date.now())
  const sent = asked()
  await sleep(2_000)
  expect(asked()).toBe(sent)

  const resumed = await cli.run('resume-match', ...flags, '-o', 'json')
  expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'running', reason: null })
  expect((await watching.ended).code).toBe(0)
  expect((await joined.ended).code).toBe(0)
  expect(asked()).toBe(BATCHES)
})

it('a match that its service turns away ends every command that follows it, and goes on after resume', async () => {
  service.answerBatches({ status: 401, json: {} })
  const started = await cli.run('start-match', ...flags, '-o', 'json')
  expect(started.code).toBe(1)
  expect(started.stderr).toContain(`./record-linker resume-match --project ${project}`)
  const { status, paused } = JSON.parse(started.stdout)
  expect([status, paused.reason]).toEqual(['running', expect.stringContaining('unauthorised')])
  expect((await cli.run('status', ...flags, '--wait')).code).toBe(1)
  expect((await cli.run('start-match', ...flags)).code).toBe(1)
  service.letGo()
  await cli.data('resume-match', ...flags)
  expect((await cli.run('status', ...flags, '--wait')).code).toBe(0)
})

it('an extraction without its secret ends its command, which says how it goes on', async () => {
  const profile = cli.file(
    'closed.json',
    JSON.stringify({
      name: 'closed',
      baseUrl: address,
      auth: { kind: 'bearer' },
      types: [{ name: 'things', path: '/things', id: 'id', paginator: { kind: 'offset' } }],
    }),
  )
  const started = await cli.run('extract', 'start', '--profile', profile, '--dataset', 'closed')
  expect(started.stderr).toMatch(/\.\/record-linker extract resume \d+/)
  expect(started.stdout).toMatch(/paused \(credentials_missing/)
  expect(started.code).toBe(1)
})

it('cancel-match ends a match whose service hangs; decided records stay, the next start does the rest', async () => {
  service.holdAfter(4)
  const watching = cli.start('start-match', ...flags, '-o', 'json')
  await service.until(() => asked() > 6)
  const cancel = await cli.run('cancel-match', ...flags, '-o', 'json')
  expect(cancel.code).toBe(0)
  const { entries, status } = JSON.parse(cancel.stdout)
  expect(status).toBe('cancelled')
  expect(entries.completed + entries.cancelled).toBe(RECORDS)
  expect(entries.failed).toBe(0)
  expect(entries.completed).toBeGreaterThan(0)
  expect(entries.cancelled).toBeGreaterThan(0)
  const watched = await watching.ended
  expect(watched.code).toBe(1)
  expect(JSON.parse(watched.stdout)).toMatchObject({ status: 'cancelled', entries })
  const sent = service.requests.length

  const nothing = await cli.run('cancel-match', ...flags)
  expect(nothing).toMatchObject({ code: 2, stdout: '' })
  expect(nothing.stderr).toContain('[no_open_run]')
  expect(service.requests.length).toBe(sent)

  service.letGo()
  const again = await cli.run('start-match', ...flags, '-o', 'json')
  expect(again.stderr).toContain(`${entries.cancelled} cancelled before`)
  expect(JSON.parse(again.stdout)).toMatchObject({ entries: { completed: RECORDS, cancelled: 0 } })
})

describe('for scripts', () => {
  it('--detach returns at once, and status --wait ends with the exit code of the match', async () => {
    service.holdAfter(3)
    const detached = await cli.run('start-match', ...flags, '--detach', '-o', 'json')
    expect(detached.code).toBe(0)
    expect(JSON.parse(detached.stdout)).toMatchObject({ project, status: 'running' })
    const waiting = cli.start('status', ...flags, '--wait', '-o', 'json')
    await service.until(() => asked() > 3)
    service.letGo()
    const { code, stdout, stderr } = await waiting.ended
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' })
    expect(stderr).not.toContain('/s ·')
  })

  it('the exit code is 3 when records failed, and retry-failed mends them', async () => {
    service.refuseEveryTenth()
    const failed = await cli.run('start-match', ...flags, '-o', 'json')
    expect(failed.code).toBe(3)
    expect(JSON.parse(failed.stdout)).toMatchObject({
      status: 'completed',
      entries: { failed: 6, completed: 54 },
    })
    expect(failed.stderr).toContain(`./record-linker retry-failed --project ${project}`)
    expect((await cli.run('start-match', ...flags)).stderr).toContain('6 failed ones wait')
    service.letGo()
    const retried = await cli.run('retry-failed', ...flags, '-o', 'json')
    expect(retried.code).toBe(0)
    expect(JSON.parse(retried.stdout)).toMatchObject({ entries: { completed: RECORDS, failed: 0 } })
  })

  it('--sample 20 --seed 3 decides 20 records, shows each with its match, and is marked as a sample', async () => {
    const { code, stdout, stderr } = await cli.run(
      'start-match',
      ...flags,
      '--sample',
      '20',
      '--seed',
      '3',
    )
    expect(code).toBe(0)
    expect(stderr).toContain('Started.')
    const table = stdout.slice(stdout.indexOf('\nname ')).trim().split('\n')
    expect(table).toHaveLength(21)
    expect(table[0]).toMatch(/^name +match +label +reason$/)
    expect(stdout).toMatch(/run 1 \(sample\): completed/)
    expect(stdout).toMatch(/not started +40/)
  })
})

it('a project that there is not ends with 2 and says how to see which there are', async () => {
  const commands = ['start-match', 'cancel-match', 'status', 'export']
  const ends = await Promise.all(commands.map((name) => cli.run(name, '--project', '99999')))
  expect(ends.map(({ code, stdout }) => [code, stdout])).toEqual(commands.map(() => [2, '']))
  for (const { stderr } of ends) {
    expect(stderr).toContain('[unknown_project]')
    expect(stderr).toContain('./record-linker project list')
  }
})
