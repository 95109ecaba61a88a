import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { defaultPolicy, type DomainPolicy } from '../../../../src/core/limiter/policy.ts'
import {
  checkOverride,
  conflictsOf,
  fitPolicy,
  policyFields,
  problemText,
} from '../../../../src/core/limiter/policy-bounds.ts'

const unknownServer = defaultPolicy('example.org')

it.each(['example.org', 'www.wikidata.org', 'query.wikidata.org', '127.0.0.1:80', 'localhost'])(
  'the policy shipped for %s is within all bounds and fits as it is',
  (domain) => {
    const shipped = defaultPolicy(domain)
    expect(checkOverride({ ...shipped })).toEqual({ good: shipped, problems: [] })
    expect(fitPolicy(shipped)).toEqual(shipped)
    expect(Object.keys(shipped).sort()).toEqual([...policyFields].sort())
  },
)

it('has every field of the source document’s RateLimitConfig under its name and unit, but for three with a reason in docs/limits.md', () => {
  const fields: Readonly<Record<string, string>> = {
    InitialRPS: 'initialRps',
    MinRPS: 'minRps',
    MaxRPS: 'maxRps',
    TokenBucketCapacity: 'tokenBucketCapacity',
    AIMDIncrease: 'aimdIncrease',
    AIMDDecrease: 'aimdDecrease',
    LatencyTarget: 'latencyTargetMs',
    LatencyDegradeFactor: 'latencyDegradeFactor',
    ErrorRateThreshold: 'errorRateThreshold',
    MinSamplesToTrip: 'minSamplesToTrip',
    ConsecutiveFailThreshold: 'consecutiveFailThreshold',
    OpenStateDuration: 'openStateDurationMs',
    HalfOpenProbes: 'halfOpenProbes',
    RetryBaseDelay: 'retryBaseDelayMs',
    RetryMaxDelay: 'retryMaxDelayMs',
    StatsWindow: 'statsWindowMs',
    StatsBucket: 'statsBucketMs',
    DomainStateTTL: 'domainStateTtlMs',
  }
  expect(policyFields).toEqual(expect.arrayContaining(Object.values(fields)))
  const reasons = readFileSync(join(import.meta.dirname, '../../../../docs/limits.md'), 'utf8')
  for (const field of ['Enabled', 'RetryMaxAttempts', 'Shards']) {
    expect(reasons).toContain(`| \`${field}\``)
  }
})

it('names every violation at once, with what was found and expected, and keeps the rest', () => {
  const { good, problems } = checkOverride({
    maxRps: 0,
    minRps: 0.5,
    strategy: 'fast',
    maxInFlight: 1.5,
    maxRsp: 3,
    speed: 1,
    aimdDecrease: 1,
    costPerSecond: null,
    costBurst: null,
    latencyDegradeFactor: Number.NaN,
  })
  expect(good).toEqual({ minRps: 0.5, costPerSecond: null })
  expect(problems.map(problemText)).toEqual([
    'maxRps: found 0, expected a number from 0.0001 to 10000',
    'strategy: found "fast", expected one of adaptive, aimd, multiplier, cubic, fixed',
    'maxInFlight: found 1.5, expected a whole number from 1 to 1000',
    'maxRsp: is no field, expected maxRps',
    expect.stringContaining('speed: is no field, expected one of strategy, initialRps, '),
    'aimdDecrease: found 1, expected a number above 0, below 1',
    'costBurst: found null, expected a number from 0 to 1000000',
    'latencyDegradeFactor: found null, expected a number above 1, at most 100',
  ])
})

it.each(['__proto__', 'constructor', 'toString'])('%s is no field', (name) => {
  expect(checkOverride(JSON.parse(`{"${name}": 1}`)).problems).toHaveLength(1)
})

it('lets what nobody named give way to the highest rate', () => {
  expect(fitPolicy({ ...unknownServer, maxRps: 0.01 })).toMatchObject({
    maxRps: 0.01,
    minRps: 0.01,
    initialRps: 0.01,
  })
  expect(conflictsOf(unknownServer, { maxRps: 0.01 })).toEqual([])
})

it('refuses two named values that cannot stand beside each other', () => {
  const told = (override: Partial<DomainPolicy>) =>
    conflictsOf(unknownServer, override).map(problemText)
  expect(told({ maxRps: 5, minRps: 6 })).toEqual([
    'minRps: found 6, expected at most 5, to fit maxRps 5',
  ])
  expect(told({ minRps: 30 })).toEqual(['minRps: found 30, expected at most 20, to fit maxRps 20'])
  expect(told({ minRps: 2, initialRps: 1 })).toEqual([
    'initialRps: found 1, expected at least 2, to fit minRps 2 and maxRps 20',
  ])
  expect(told({ costPerSecond: 5, costBurst: 1 })).toEqual([
    'costBurst: found 1, expected at least 5, to fit costPerSecond 5',
  ])
  expect(told({ statsWindowMs: 64_000, statsBucketMs: 100 })).toEqual([
    'statsBucketMs: found 100, expected at least 2000, to fit statsWindowMs 64000',
  ])
})

it('whatever is said, a fitted policy is in order, and fitting it again changes nothing', () => {
  const rate = fc.double({ min: 0.0001, max: 10_000, noNaN: true })
  const ms = fc.integer({ min: 100, max: 3_600_000 })
  const override = fc.record(
    {
      minRps: rate,
      initialRps: rate,
      maxRps: rate,
      retryBaseDelayMs: ms,
      retryMaxDelayMs: ms,
      statsWindowMs: ms.map((value) => Math.max(1_000, value)),
      statsBucketMs: ms,
      costPerSecond: fc.option(rate),
      costBurst: fc.nat(100),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(override, (values) => {
      const policy = fitPolicy({ ...unknownServer, ...values })
      expect(policy.minRps).toBeLessThanOrEqual(policy.initialRps)
      expect(policy.initialRps).toBeLessThanOrEqual(policy.maxRps)
      expect(policy.maxRps).toBe(values.maxRps ?? unknownServer.maxRps)
      expect(policy.retryBaseDelayMs).toBeLessThanOrEqual(policy.retryMaxDelayMs)
      expect(policy.statsWindowMs / policy.statsBucketMs).toBeLessThanOrEqual(32)
      expect(policy.costPerSecond === null || policy.costBurst >= 1).toBe(true)
      expect(checkOverride({ ...policy }).problems).toEqual([])
      expect(fitPolicy(policy)).toEqual(policy)
    }),
  )
})
