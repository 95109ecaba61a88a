import { describe, expect, it } from 'vitest'
import type { Permit } from '../../../src/core/limiter/permit.ts'
import { OutsideCallError } from '../../../src/errors.ts'
import type { PermitBroker } from '../../../src/limiter/permit-broker.ts'
import { DOMAIN, SimulatedDomain } from './simulated-domain.ts'

const never = new AbortController().signal

/** Asks now and keeps the outcome, whenever it comes. */
function ask(permits: PermitBroker, signal = never, project = '1') {
  const asked: { permit?: Permit; error?: unknown } = {}
  permits.acquire({ domain: DOMAIN, project, signal }).then(
    (permit) => Object.assign(asked, { permit }),
    (error: unknown) => Object.assign(asked, { error }),
  )
  return asked
}

describe('one busy process', () => {
  it('sends at the whole rate without a gap', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 20, maxInFlight: 8 } })
    const permits = domain.process('a')
    for (let caller = 0; caller < 12; caller += 1) domain.caller(permits)
    await domain.clock.pass(60_000)
    expect(domain.sentBetween(10_000, 60_000)).toBeGreaterThanOrEqual(0.97 * 20 * 50)
    expect(domain.sentBetween(10_000, 60_000)).toBeLessThanOrEqual(20 * 50 + 1)
    const gaps = domain.sentAtMs.slice(1).map((atMs, index) => atMs - (domain.sentAtMs[index] ?? 0))
    expect(Math.max(...gaps.slice(40))).toBeLessThan(150)
  })

  it('sends about two messages a slot, whatever it sends', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 100, maxInFlight: 20 } })
    const permits = domain.process('a')
    for (let caller = 0; caller < 30; caller += 1) domain.caller(permits)
    await domain.clock.pass(60_000)
    expect(domain.sentAtMs.length).toBeGreaterThan(5000)
    expect(domain.messages.acquire).toBeLessThan(60)
  })

  it('sends as few where it needs a small part of a known rate', async () => {
    const domain = new SimulatedDomain({
      policy: { maxRps: 1000, maxInFlight: 50 },
      latencyMs: 100,
    })
    const permits = domain.process('a')
    for (let caller = 0; caller < 5; caller += 1) domain.caller(permits)
    await domain.clock.pass(60_000)
    expect(domain.sentAtMs.length).toBeGreaterThan(2000)
    expect(domain.messages.acquire).toBeLessThan(100)
  })

  it('makes way within two slots for another one that needs more', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 100, maxInFlight: 50 }, latencyMs: 100 })
    const modest = domain.process('a')
    domain.caller(modest)
    await domain.clock.pass(20_000)
    const busy = domain.process('b')
    for (let caller = 0; caller < 30; caller += 1) domain.caller(busy, { project: '2' })
    await domain.clock.pass(30_000)
    const ofBusy = domain.sentAtMs.filter((_, index) => domain.sentBy[index] === '2')
    expect(ofBusy[0]).toBeLessThan(24_000)
    expect(ofBusy.length).toBeGreaterThan(30 * 40)
    expect(domain.sentBetween(20_000, 50_000)).toBeLessThanOrEqual(30 * 100 + 27)
  })
})

describe.each([1, 3])('%i processes', (processes) => {
  it.each([0.5, 2, 20, 60])(
    'never exceed %f requests a second, nor the in-flight cap',
    async (maxRps) => {
      const policy = { maxRps, maxInFlight: 6 }
      const domain = new SimulatedDomain({ policy, latencyMs: 30 })
      for (let name = 0; name < processes; name += 1) {
        const permits = domain.process(`p${name}`)
        for (let caller = 0; caller < 20; caller += 1) domain.caller(permits)
      }
      const seconds = 45
      await domain.clock.pass(seconds * 1000)
      // One leading permit per process, and a quarter of a second that may be caught up.
      const slack = processes * (1 + maxRps / 4)
      for (let from = 0; from < seconds - 10; from += 1) {
        const sent = domain.sentBetween(from * 1000, (from + 10) * 1000)
        expect(sent).toBeLessThanOrEqual(maxRps * 10 + slack)
      }
      expect(domain.sentBetween(15_000, 45_000)).toBeGreaterThan(0.9 * 30 * maxRps - 4)
      expect(domain.mostInFlight).toBeLessThanOrEqual(policy.maxInFlight)
    },
  )
})

it('processes that come, send one request and end do not add up to more than the rate', async () => {
  const domain = new SimulatedDomain({ policy: { maxRps: 0.2, maxInFlight: 4 } })
  for (let turn = 0; turn < 20; turn += 1) {
    const permits = domain.process(`p${turn}`)
    const asked = ask(permits)
    await domain.clock.pass(2000)
    if (asked.permit !== undefined) void domain.send(asked.permit, '1')
    await domain.clock.pass(200)
    const closing = permits.close()
    await domain.clock.pass(500)
    await closing
  }
  expect(domain.sentAtMs.length).toBeGreaterThan(4)
  const gapsMs = domain.sentAtMs.slice(1).map((atMs, i) => atMs - (domain.sentAtMs[i] ?? 0))
  expect(Math.min(...gapsMs)).toBeGreaterThan(0.9 * 5000)
})

describe('callers', () => {
  it('wait in a line of eight, and the others are turned away at once with distinct delays', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 10, maxInFlight: 8 } })
    const permits = domain.process('a')
    const asked = Array.from({ length: 30 }, () => ask(permits))
    await domain.clock.pass(1)
    const errors = asked.flatMap(({ error }) => (error instanceof OutsideCallError ? [error] : []))
    expect(errors).toHaveLength(22)
    for (const error of errors) {
      expect(error).toMatchObject({ kind: 'throttled', code: 'no_permit_soon' })
    }
    const delays = errors.map((error) => error.retryAfterMs ?? 0)
    expect(new Set(delays).size).toBe(22)
    expect(Math.min(...delays)).toBeGreaterThan(800)
    expect(Math.max(...delays)).toBeLessThan(4000)
    await domain.clock.pass(2000)
    expect(asked.filter(({ permit }) => permit !== undefined)).toHaveLength(8)
  })

  it('never wait longer than two seconds', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 2, maxInFlight: 2 } })
    const permits = domain.process('a')
    const asked = Array.from({ length: 8 }, () => ask(permits))
    await domain.clock.pass(2001)
    expect(asked.every(({ permit, error }) => permit !== undefined || error !== undefined)).toBe(
      true,
    )
    expect(asked.filter(({ permit }) => permit !== undefined)).toHaveLength(2)
  })

  it('that were turned away and never return do not hold up those who come later', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 2, maxInFlight: 8 } })
    const permits = domain.process('a')
    const stop = new AbortController()
    const first = Array.from({ length: 60 }, () => ask(permits, stop.signal))
    await domain.clock.pass(500)
    stop.abort()
    for (const { permit } of first) permit?.giveBack()
    await domain.clock.pass(2500)
    ask(permits)
    await domain.clock.pass(2500)
    const later = Array.from({ length: 9 }, () => ask(permits))
    await domain.clock.pass(1)
    const delays = later.flatMap(({ error }) =>
      error instanceof OutsideCallError ? [error.retryAfterMs ?? 0] : [],
    )
    expect(delays.length).toBeGreaterThan(0)
    expect(Math.max(...delays)).toBeLessThan(6000)
  })

  it('of a small project are not crowded out by a large one', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 10, maxInFlight: 8 } })
    const permits = domain.process('a')
    for (let caller = 0; caller < 40; caller += 1) domain.caller(permits, { project: 'large' })
    await domain.clock.pass(5000)
    for (let caller = 0; caller < 8; caller += 1) domain.caller(permits, { project: 'small' })
    await domain.clock.pass(30_000)
    const late = domain.sentBy.slice(-200)
    const small = late.filter((project) => project === 'small').length
    expect(small / late.length).toBeGreaterThan(0.4)
    expect(small / late.length).toBeLessThan(0.6)
  })

  it('somebody waits for are served before those who can wait, who keep one in ten', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 20, maxInFlight: 8 } })
    const permits = domain.process('a')
    for (let caller = 0; caller < 20; caller += 1) {
      domain.caller(permits, { project: 'slow', priority: 'background' })
      domain.caller(permits, { project: 'fast', priority: 'interactive' })
    }
    await domain.clock.pass(40_000)
    const late = domain.sentBy.slice(-200)
    const patient = late.filter((project) => project === 'slow').length
    expect(patient / late.length).toBeGreaterThanOrEqual(0.08)
    expect(patient / late.length).toBeLessThan(0.3)
  })

  it('that cancel leave the line, and their permits serve others', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 2, maxInFlight: 2 } })
    const permits = domain.process('a')
    const stop = new AbortController()
    const gone = Array.from({ length: 3 }, () => ask(permits, stop.signal))
    await domain.clock.pass(100)
    expect(gone[0]?.permit).toBeDefined()
    stop.abort(new Error('cancelled by the user'))
    gone[0]?.permit?.giveBack()
    const other = ask(permits)
    await domain.clock.pass(1)
    expect(gone[1]?.error).toEqual(new Error('cancelled by the user'))
    expect(other.permit).toBeDefined()
    expect(permits.snapshot()).toMatchObject([{ waiting: 0, inFlight: 1 }])
  })

  it('that cancel in the very moment their permit comes leave it to the next', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 2, maxInFlight: 1 } })
    const permits = domain.process('a')
    const stop = new AbortController()
    // The broker stops listening for a cancellation just before it hands the permit over.
    const { signal } = stop
    const stopListening = signal.removeEventListener.bind(signal)
    const removeEventListener = (...listener: Parameters<typeof stopListening>) => {
      stopListening(...listener)
      stop.abort(new Error('cancelled by the user'))
    }
    Object.assign(signal, { removeEventListener })
    const gone = ask(permits, signal)
    const next = ask(permits)
    await domain.clock.pass(100)
    expect(gone.error).toEqual(new Error('cancelled by the user'))
    expect(next.permit).toBeDefined()
    expect(permits.snapshot()).toMatchObject([{ waiting: 0, inFlight: 1 }])
  })

  it('that were cancelled before they asked get the reason', async () => {
    const domain = new SimulatedDomain()
    const permits = domain.process('a')
    const asked = ask(permits, AbortSignal.abort(new Error('too late')))
    await domain.clock.pass(1)
    expect(asked.error).toEqual(new Error('too late'))
  })
})

describe('a quiet process', () => {
  it('gives back what it does not use, so that another has the whole rate', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 10, maxInFlight: 8 } })
    const first = domain.process('a')
    const permit = ask(first)
    await domain.clock.pass(500)
    permit.permit?.report({ kind: 'ok', latencyMs: 10 })
    await domain.clock.pass(4000)
    expect(domain.messages.release).toBe(1)
    const second = domain.process('b')
    for (let caller = 0; caller < 10; caller += 1) domain.caller(second)
    await domain.clock.pass(10_000)
    expect(domain.sentBetween(5500, 14_500)).toBeGreaterThan(85)
  })

  it('says nothing more', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 10, maxInFlight: 8 } })
    const permits = domain.process('a')
    const asked = ask(permits)
    await domain.clock.pass(500)
    asked.permit?.report({ kind: 'ok', latencyMs: 10 })
    await domain.clock.pass(10_000)
    const { acquire, release } = domain.messages
    await domain.clock.pass(3_600_000)
    expect(domain.messages).toMatchObject({ acquire, release })
  })

  it('with a request on its way says every two seconds that it is there', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 10, maxInFlight: 1 } })
    const slow = domain.process('slow')
    const asked = ask(slow)
    await domain.clock.pass(100)
    expect(asked.permit).toBeDefined()
    const other = domain.process('other')
    for (let caller = 0; caller < 3; caller += 1) domain.caller(other)
    await domain.clock.pass(30_000)
    expect(domain.sentAtMs).toEqual([])
    asked.permit?.report({ kind: 'ok', latencyMs: 30_000 })
    await domain.clock.pass(8000)
    expect(domain.sentAtMs.length).toBeGreaterThan(10)
  })
})

it('closing turns callers away and gives the share back at once', async () => {
  const domain = new SimulatedDomain({ policy: { maxRps: 10, maxInFlight: 8 } })
  const first = domain.process('a')
  const stop = new AbortController()
  for (let caller = 0; caller < 10; caller += 1) domain.caller(first, { signal: stop.signal })
  await domain.clock.pass(5000)
  stop.abort()
  const closing = first.close()
  await domain.clock.pass(200)
  await closing
  const late = ask(first)
  const second = domain.process('b')
  for (let caller = 0; caller < 10; caller += 1) domain.caller(second)
  await domain.clock.pass(2000)
  expect(late.error).toMatchObject({ code: 'no_permit_soon' })
  expect(domain.sentBetween(5300, 7200)).toBeGreaterThan(15)
})

it('a permit reported twice counts once', async () => {
  const domain = new SimulatedDomain({ policy: { maxRps: 10, maxInFlight: 8 } })
  const permits = domain.process('a')
  const asked = ask(permits)
  await domain.clock.pass(100)
  asked.permit?.report({ kind: 'ok', latencyMs: 10 })
  asked.permit?.report({ kind: 'ok', latencyMs: 10 })
  asked.permit?.giveBack()
  expect(permits.snapshot()).toMatchObject([{ inFlight: 0 }])
})
