/** `limits` in front of the real embedded servers, with a real server behind the domain it is about. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { limiterId } from '../../../src/core/workflow-ids.ts'
import { type BrandService, importBrands, startBrandService } from '../../support/brands.ts'
import { type Cli, createCli } from '../../support/cli.ts'

const RECORDS = 30
/** Two rounds of six batches of five names each. */
const BATCHES = 12
/** What a domain that is paused has leased is over by then. */
const SETTLED_MS = 5_000
const SOON_MS = 60_000

let cli: Cli
let service: BrandService
let domain: string
let connection: Connection
let client: Client
beforeAll(async () => {
  cli = createCli({}, { sharesProcesses: true })
  service = await startBrandService()
  domain = new URL(service.url).host
  const { temporalAddress } = JSON.parse(await cli.data('up', '--background', '-o', 'json'))
  connection = await Connection.connect({ address: temporalAddress })
  client = new Client({ connection })
})
afterAll(async () => {
  await connection?.close()
  await service.close()
  await cli.remove()
})

let project = 800
let flags: readonly string[]
beforeEach(async () => {
  service.letGo()
  project += 1
  flags = ['--project', String(project)]
  address = service.ownAddress()
})

let address: string
const asked = () => service.batchesOf(address).length
const startMatch = async () => {
  await importBrands(cli, project, address, RECORDS)
  await cli.data('start-match', ...flags, '--detach')
}
// Right after the start: its worker may not have opened the run yet.
const finishMatch = async () => {
  expect((await cli.run('status', ...flags, '--wait')).code).toBe(0)
}
const report = async (name = domain) => JSON.parse(await cli.data('limits', name, '-o', 'json'))

/** Asks again until it holds: what a command starts may take a moment to be seen. */
async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const deadlineMs = performance.now() + SOON_MS
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    if (performance.now() > deadlineMs) throw new Error(`still ${JSON.stringify(value)}`)
    await sleep(200)
  }
}

/** Whatever was leased is given back or over. */
const untilSpent = () => until(report, ({ workers }) => workers === 0)

/** As after ten idle minutes, but what it learned is lost. A worker that had something left to say would start it again. */
const endLimiter = async () => {
  await untilSpent()
  await client.workflow.getHandle(limiterId(domain)).terminate()
}

const globalFields = [
  'totalRequests',
  'throttledRequests',
  'denied',
  'retries',
  'openCircuits',
  'halfOpenCircuits',
  'domains',
]
const domainFields = [
  'domain',
  'fillRate',
  'tokens',
  'avgLatency',
  'p95Latency',
  'errorRate',
  'state',
  'consecutiveFails',
  'nextEarliest',
]

describe('limits', () => {
  it('before the first request is empty and says what asks one', async () => {
    const { code, stdout, stderr } = await cli.run('limits', '-o', 'json')
    expect([code, JSON.parse(stdout).domains]).toEqual([0, []])
    expect(stderr).toContain('start-match --project 123')
    const unknown = await cli.run('limits', 'example.org')
    expect(unknown).toMatchObject({ code: 2, stdout: '' })
    expect(unknown.stderr).toContain('[unknown_domain]')
  })

  it('after a match shows its domain, as a table, as the source document’s snapshot, and alone', async () => {
    await startMatch()
    await finishMatch()
    const full = await report()
    expect(full).toMatchObject({ domain, live: true, ageMs: 0, state: 'closed', hold: null })
    expect(full.totalRequests).toBeGreaterThanOrEqual(BATCHES)
    expect(full.policy).toMatchObject({ strategy: 'adaptive', maxRps: 100 })
    expect(full.policySources.maxRps).toBe('shipped')

    const { stdout, stderr } = await cli.run('limits')
    expect(stdout).toMatch(new RegExp(`^${domain.replaceAll('.', '\\.')} +\\d+/s +adaptive`, 'm'))
    expect(stderr).toContain(`./record-linker limits ${domain}`)
    const snapshot = JSON.parse(await cli.data('limits', '-o', 'json'))
    expect(Object.keys(snapshot)).toEqual(globalFields)
    expect(snapshot.totalRequests).toBe(full.totalRequests)
    expect(snapshot.domains.map(Object.keys)).toEqual([domainFields])
    const lines = (await cli.data('limits', '-o', 'jsonl', '--top', '1')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).domain)).toEqual([domain])
  })

  it('of a domain nobody asked ends with 2 and names the known ones', async () => {
    for (const args of [
      ['elsewhere.net'],
      ['resume', 'elsewhere.net'],
      ['reset', 'elsewhere.net'],
    ]) {
      const { code, stdout, stderr } = await cli.run('limits', ...args)
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toContain(domain)
      expect(stderr).toContain('[unknown_domain]')
    }
    const wrong = await cli.run('limits', 'ftp://example.org')
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('limits set', () => {
  it('reaches the limiter of a match that is going on, by the address of a page', async () => {
    service.holdAfter(2)
    await startMatch()
    await service.until(() => asked() > 2)
    const set = await cli.run('limits', 'set', `${address}?x=1`, '--max-rps', '9', '-o', 'json')
    expect(set.code).toBe(0)
    const after = JSON.parse(set.stdout)
    expect(after).toMatchObject({ domain, live: true, policy: { maxRps: 9 } })
    expect(after.policySources.maxRps).toBe('limits set')
    expect(after.fillRate).toBeLessThanOrEqual(9)
    service.letGo()
    await finishMatch()
  })

  it('holds for the next limiter, until it is set back', async () => {
    await endLimiter()
    await startMatch()
    await finishMatch()
    const next = await report()
    expect(next).toMatchObject({ live: true, policy: { maxRps: 9 } })
    expect(next.fillRate).toBeLessThanOrEqual(9)
    const text = await cli.data('limits', 'set', domain, '--reset-to-default')
    expect(text).toContain('maxRps 9 → 100')
    expect((await report()).policySources.maxRps).toBe('shipped')
  })

  it('step 11: slows a running match down to that rate, and shows how many of its requests waited', async () => {
    // What a worker has in hand may be spent at the pace of before.
    const { throttledRequests: before } = await untilSpent()
    await cli.data('limits', 'set', domain, '--max-rps', '2')
    await startMatch()
    await finishMatch()
    const sentMs = service.batchesOf(address).map(({ atMs }) => atMs)
    const tookMs = Math.max(...sentMs) - Math.min(...sentMs)
    // The first goes at once, and a quarter of a second may be caught up.
    expect(tookMs).toBeGreaterThan(((BATCHES - 1) * 1000) / 2 - 500)
    expect((await report()).throttledRequests).toBeGreaterThan(before)
    await cli.data('limits', 'set', domain, '--reset-to-default')
  })

  it('changes nothing when anything is wrong, and names all of it', async () => {
    const args = ['limits', 'set', domain, '--max-rps', '0', '--min-spacing-ms', 'slow']
    const { code, stdout, stderr } = await cli.run(...args, '--max-in-flight', '3')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('--max-rps: found 0, expected')
    expect(stderr).toContain('--min-spacing-ms: found "slow", expected')
    expect((await report()).policySources.maxInFlight).toBe('shipped')
    expect((await cli.run('limits', 'set', domain)).code).toBe(2)
  })
})

describe('the file of limits', () => {
  const path = () => join(cli.home, 'limits.json')

  it('reaches a limiter that runs within seconds; a command wins over it; what is wrong is told', async () => {
    writeFileSync(path(), JSON.stringify({ [domain]: { maxRps: 5, maxInFlight: 0 } }))
    await until(report, ({ fillRate }) => fillRate <= 5)
    const { stdout, stderr } = await cli.run('limits', domain, '-o', 'json')
    expect(JSON.parse(stdout).policySources).toMatchObject({
      maxRps: `limits.json, ${domain}`,
      maxInFlight: 'shipped',
    })
    expect(stderr).toContain('maxInFlight: found 0, expected a whole number')
    await cli.data('limits', 'set', domain, '--max-rps', '6')
    expect(await report()).toMatchObject({ policy: { maxRps: 6 } })
    await cli.data('limits', 'set', domain, '--max-rps', 'default')
    expect(await report()).toMatchObject({ policy: { maxRps: 5 } })
    rmSync(path())
    await until(report, ({ policy }) => policy.maxRps === 100)
  })
})

describe('limits pause', () => {
  it('stops a running match from asking, and resume lets it end', async () => {
    service.holdAfter(2)
    await startMatch()
    await service.until(() => asked() > 2)
    const paused = await cli.run('limits', 'pause', domain, '--reason', 'lunch', '-o', 'json')
    expect(JSON.parse(paused.stdout)).toMatchObject({ hold: 'paused', pausedBecause: 'lunch' })
    expect(paused.stderr).toContain(`./record-linker limits resume ${domain}`)
    // What is leased is spent within this time; meanwhile no answer makes room for another request.
    await sleep(SETTLED_MS)
    const sent = asked()
    expect(sent).toBeLessThan(BATCHES)
    service.letGo()
    expect(await cli.data('limits')).toContain('paused: lunch')
    await sleep(2_000)
    expect(asked()).toBe(sent)
    const resumed = await cli.run('limits', 'resume', domain, '-o', 'json')
    expect(JSON.parse(resumed.stdout)).toMatchObject({ hold: null, pausedBecause: null })
    await finishMatch()
    expect(asked()).toBe(BATCHES)
  })

  it('holds for a limiter that is not running yet', async () => {
    await endLimiter()
    const paused = await cli.run('limits', 'pause', domain, '-o', 'json')
    expect(JSON.parse(paused.stdout)).toMatchObject({ live: false, pausedBecause: 'by user' })
    await startMatch()
    await until(report, ({ live, hold }) => live && hold === 'paused')
    expect(asked()).toBe(0)
    await cli.data('limits', 'resume', domain)
    await finishMatch()
  })

  it('wants a reason that can be shown', async () => {
    const { code, stderr } = await cli.run('limits', 'pause', domain, '--reason', ' ')
    expect(code).toBe(2)
    expect(stderr).toContain('[bad_reason]')
    expect((await report()).pausedBecause).toBeNull()
  })
})

it('limits reset forgets what was learned, of a limiter that runs and of one that does not', async () => {
  await cli.data('limits', 'set', domain, '--max-in-flight', '3')
  expect((await report()).avgLatency).not.toBeNull()
  const reset = await cli.run('limits', 'reset', domain, '-o', 'json')
  expect(JSON.parse(reset.stdout)).toMatchObject({
    live: true,
    avgLatency: null,
    policy: { maxInFlight: 3 },
  })
  await endLimiter()
  await cli.data('limits', 'reset', domain)
  const after = await report()
  expect(after).toMatchObject({ live: false, ageMs: null, policy: { maxInFlight: 3 } })
  expect(after).not.toHaveProperty('fillRate')
})
