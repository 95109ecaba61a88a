/** Waits that a server asks for and that are longer than anybody watches. */
import { describe, expect, it } from 'vitest'
import { SimulatedDomain } from './simulated-domain.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const REFUSED = 40

/** Refuses the 40th request, and whatever comes before `untilMs` after it. */
function refusing(retryAfterMs: number, forMs = 0): SimulatedDomain {
  let refusedAtMs = Infinity
  return new SimulatedDomain({
    policy: { maxRps: 20, maxInFlight: 1 },
    answer: (nowMs, earlier) => {
      if (earlier === REFUSED) refusedAtMs = nowMs
      const isShut = earlier >= REFUSED && nowMs <= refusedAtMs + forMs
      return isShut ? { kind: 'throttled', retryAfterMs } : { kind: 'ok', latencyMs: 100 }
    },
  })
}

/** @returns When the refusal was heard. */
async function startAndWait(domain: SimulatedDomain, processes = 1, callers = 6): Promise<number> {
  for (let name = 0; name < processes; name += 1) {
    const permits = domain.process(`p${name}`)
    for (let caller = 0; caller < callers; caller += 1) domain.caller(permits)
  }
  while (domain.sentAtMs.length <= REFUSED) await domain.clock.pass(10)
  await domain.clock.pass(200)
  return (domain.sentAtMs[REFUSED] ?? 0) + 100
}

describe('a wait of hours', () => {
  it('is obeyed by every process over its whole length, then sending goes on', async () => {
    const domain = refusing(3 * HOUR_MS)
    const heardMs = await startAndWait(domain, 2, 2)
    await domain.clock.pass(3 * HOUR_MS + 3 * MINUTE_MS)
    // The other process learns of it with its next message, or when its lease ends.
    expect(domain.sentBetween(heardMs + 4300, heardMs + 3 * HOUR_MS)).toBe(0)
    expect(
      domain.sentBetween(heardMs + 3 * HOUR_MS, heardMs + 3 * HOUR_MS + 2 * MINUTE_MS),
    ).toBeGreaterThan(500)
  })

  it('keeps no caller asleep longer than a minute, and costs three messages a minute', async () => {
    const domain = refusing(DAY_MS)
    await startAndWait(domain)
    const before = domain.messages.acquire
    domain.turnedAway.length = 0
    await domain.clock.pass(HOUR_MS)
    expect(domain.turnedAway.length).toBeGreaterThan(3 * 60)
    expect(Math.max(...domain.turnedAway)).toBeLessThan(MINUTE_MS)
    expect(domain.messages.acquire - before).toBeLessThanOrEqual(3 * 65)
  })

  it('is shown with its whole length', async () => {
    const domain = refusing(DAY_MS)
    const permits = domain.process('onlooker')
    domain.caller(permits)
    while (domain.sentAtMs.length <= REFUSED) await domain.clock.pass(10)
    await domain.clock.pass(HOUR_MS)
    const [status] = permits.snapshot()
    expect(status?.hold).toBe('retry_after')
    expect(status?.holdForMs).toBeGreaterThan(22.9 * HOUR_MS)
    expect(status?.holdForMs).toBeLessThanOrEqual(23 * HOUR_MS + 1000)
  })
})

it('a wait of a month is obeyed without a timer longer than one can be', async () => {
  const domain = refusing(30 * DAY_MS)
  const delaysMs: number[] = []
  const after = domain.clock.after.bind(domain.clock)
  domain.clock.after = (delayMs, callback) => {
    delaysMs.push(delayMs)
    return after(delayMs, callback)
  }
  await startAndWait(domain, 1, 1)
  await domain.clock.pass(10 * MINUTE_MS)
  expect(Math.max(...delaysMs)).toBeLessThan(2 ** 31)
})

describe('an operator ends it', () => {
  it('and every process sends again within a minute', async () => {
    const domain = refusing(DAY_MS)
    await startAndWait(domain, 2)
    await domain.clock.pass(HOUR_MS)
    const resumedMs = domain.clock.nowMs()
    domain.say({ kind: 'resume' })
    await domain.clock.pass(2 * MINUTE_MS)
    expect(domain.sentBetween(0, resumedMs)).toBeLessThan(REFUSED + 100)
    expect(domain.sentBetween(resumedMs + MINUTE_MS, resumedMs + 2 * MINUTE_MS)).toBeGreaterThan(
      450,
    )
  })

  it('but a limiter that has lost its memory cannot: the wait holds for those who heard it', async () => {
    const domain = refusing(DAY_MS)
    const heardMs = await startAndWait(domain)
    await domain.clock.pass(10_000)
    domain.forgetLimiter()
    const before = domain.messages.acquire
    await domain.clock.pass(10 * MINUTE_MS)
    expect(domain.sentBetween(heardMs + 1, heardMs + 10 * MINUTE_MS)).toBe(0)
    // It is asked three times a minute, and then told that what it granted is not used.
    expect(domain.messages.acquire - before).toBeLessThanOrEqual(2 * 31)
  })
})

it('a shorter cap set by command during the run holds for the process that was refused', async () => {
  const domain = refusing(DAY_MS)
  const permits = domain.process('a')
  for (let caller = 0; caller < 6; caller += 1) domain.caller(permits)
  await domain.clock.pass(1000)
  domain.say({ kind: 'policy', policy: { ...domain.policy, retryAfterCapMs: 20_000 } })
  while (domain.sentAtMs.length <= REFUSED) await domain.clock.pass(10)
  const heardMs = (domain.sentAtMs[REFUSED] ?? 0) + 100
  await domain.clock.pass(2 * MINUTE_MS)
  expect(domain.sentBetween(heardMs + 1, heardMs + 20_000)).toBe(0)
  expect(domain.sentBetween(heardMs + 20_000, heardMs + 60_000)).toBeGreaterThan(250)
})

it.each([
  ['slower', { maxRps: 2 }, 2],
  ['faster', { maxRps: 40 }, 40],
] as const)('a rate set by command makes a process %s within one lease', async (_, set, rps) => {
  const domain = new SimulatedDomain({ policy: { maxRps: 10, maxInFlight: 20 } })
  const permits = domain.process('a')
  for (let caller = 0; caller < 30; caller += 1) domain.caller(permits)
  await domain.clock.pass(20_000)
  domain.say({ kind: 'policy', policy: { ...domain.policy, ...set } })
  // A lease is two seconds long, and its successor is asked for in the middle of it.
  await domain.clock.pass(4000)
  expect(permits.snapshot()[0]?.rate).toBeCloseTo(rps, 5)
  const fromMs = domain.clock.nowMs()
  await domain.clock.pass(20_000)
  const sent = domain.sentBetween(fromMs, fromMs + 20_000)
  expect(sent).toBeGreaterThan(0.9 * rps * 20 - 2)
  expect(sent).toBeLessThanOrEqual(rps * 20 + 2)
})

it('a cap on requests under way, set by command, holds within one lease', async () => {
  const domain = new SimulatedDomain({
    policy: { maxRps: 20, maxInFlight: 8 },
    latencyMs: 1000,
  })
  const permits = domain.process('a')
  for (let caller = 0; caller < 12; caller += 1) domain.caller(permits)
  await domain.clock.pass(20_000)
  expect(domain.mostInFlight).toBe(8)
  domain.say({ kind: 'policy', policy: { ...domain.policy, maxInFlight: 2 } })
  await domain.clock.pass(4000)
  domain.mostInFlight = 0
  await domain.clock.pass(20_000)
  expect(domain.mostInFlight).toBe(2)
})
