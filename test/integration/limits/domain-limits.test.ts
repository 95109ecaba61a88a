import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it } from 'vitest'
import { createLimiterActivities } from '../../../src/activities/limiter-activities.ts'
import { initialState } from '../../../src/core/limiter/limiter-state.ts'
import { defaultPolicy } from '../../../src/core/limiter/policy.ts'
import type { LoadedLimiter } from '../../../src/core/limiter/saved-state.ts'
import { snapshotOf } from '../../../src/core/limiter/snapshot.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import {
  changeDomainPolicy,
  findDomainLimit,
  forgetLearned,
  listDomainLimits,
  listDomains,
  listRecentDomains,
  saveSnapshot,
  setDomainPause,
  sumDomainLimits,
} from '../../../src/db/domain-limits.repo.ts'
import { onTempDatabase } from '../../support/on-temp-database.ts'

let db: Db
onTempDatabase((url) => (db = connectDatabase(url)))

const shipped = defaultPolicy('example.org')
const stateOf = (domain: string) => initialState(domain, shipped, 1_000)
const snapshot = (domain: string) => snapshotOf(stateOf(domain))

/** The limiter's activities, as its worker runs them. */
const save = (domain: string, pausedBecause: string | null) => {
  const state = { ...stateOf(domain), pausedBecause }
  const saved = { domain, state, snapshot: snapshotOf(state) }
  const activities = createLimiterActivities({ db })
  return new MockActivityEnvironment().run(() => activities.saveLimiterState(saved))
}
const warnings: object[] = []
const load = (domain: string, policy = shipped): Promise<LoadedLimiter> => {
  const log = { warn: (details: object) => void warnings.push(details) }
  const activities = createLimiterActivities({ db, log })
  return new MockActivityEnvironment().run(() => activities.loadLimiterState(domain, policy))
}
const set = (domain: string, values: object, unset: string[] = [], fromScratch = false) =>
  changeDomainPolicy(db, domain, { set: { ...values }, unset, fromScratch })
const policyOf = async (domain: string) => (await findDomainLimit(db, domain))?.policy

it('a domain nobody knows starts with the policy of its starter', async () => {
  const policy = { ...shipped, maxRps: 7 }
  expect(await load('new.org', policy)).toEqual({ state: null, policy, pausedBecause: null })
})

it('a policy set by command is kept field by field, and wins over the starter’s', async () => {
  await set('set.org', { maxRps: 5, maxInFlight: 2 })
  await set('set.org', { maxRps: 0.5 }, ['maxInFlight'])
  expect(await policyOf('set.org')).toEqual({ maxRps: 0.5 })
  await set('set.org', { minSpacingMs: 100, costPerSecond: null })
  const { policy } = await load('set.org', { ...shipped, maxRps: 7, maxInFlight: 3 })
  expect(policy).toMatchObject({ maxRps: 0.5, initialRps: 0.5, maxInFlight: 3, minSpacingMs: 100 })
  await set('set.org', { maxRps: 1 }, [], true)
  expect(await policyOf('set.org')).toEqual({ maxRps: 1 })
  await set('set.org', {}, ['maxRps'])
  expect(await policyOf('set.org')).toBeNull()
})

it('what another version has stored is left out and told, the rest holds', async () => {
  await set('old.org', { maxRps: 0, formerField: 1, maxInFlight: 2 })
  expect((await load('old.org')).policy).toEqual({ ...shipped, maxInFlight: 2 })
  expect(warnings).toMatchObject([{ domain: 'old.org', found: { length: 2 } }])
})

it('a pause or resume while no limiter runs is what the next one starts with', async () => {
  await setDomainPause(db, 'pause.org', 'lunch')
  expect(await load('pause.org')).toMatchObject({ state: null, pausedBecause: 'lunch' })
  await save('pause.org', 'lunch')
  await setDomainPause(db, 'pause.org', null)
  expect(await load('pause.org')).toMatchObject({
    state: { domain: 'pause.org', pausedBecause: null },
    pausedBecause: null,
  })
})

it('a pause the limiter was told of itself outlives it', async () => {
  await save('signal.org', 'from the Web UI')
  expect(await load('signal.org')).toMatchObject({
    state: { pausedBecause: 'from the Web UI' },
    pausedBecause: 'from the Web UI',
  })
})

it('forgetting what was learned leaves policy and pause', async () => {
  await set('forget.org', { maxRps: 5 })
  await save('forget.org', 'lunch')
  await forgetLearned(db, 'forget.org')
  expect(await load('forget.org')).toMatchObject({
    state: null,
    policy: { maxRps: 5 },
    pausedBecause: 'lunch',
  })
  expect(await findDomainLimit(db, 'forget.org')).toMatchObject({ snapshot: null, ageMs: null })
})

it('domains asked last come first, those never asked last; sums are over all', async () => {
  await db.deleteFrom('domain_limit').execute()
  await set('never.org', { maxRps: 5 })
  const figures = { totalRequests: 10, throttledRequests: 2, denied: 3, retries: 4 }
  const open = { ...figures, state: 'open' } as const
  await saveSnapshot(db, { ...snapshot('first.org'), ...open, nextEarliest: 60_000 })
  await saveSnapshot(db, { ...snapshot('second.org'), ...figures, state: 'half_open' })
  await saveSnapshot(db, { ...snapshot('third.org'), ...figures })
  const order = ['third.org', 'second.org', 'first.org', 'never.org']
  expect(await listDomains(db)).toEqual(order)
  const limits = await listDomainLimits(db, 2)
  expect(limits.map(({ domain }) => domain)).toEqual(order.slice(0, 2))
  expect(limits[0]?.ageMs).toBeGreaterThanOrEqual(0)
  expect(await listRecentDomains(db, 3_600_000)).toHaveLength(3)
  expect(await sumDomainLimits(db)).toEqual({
    totalRequests: 30,
    throttledRequests: 6,
    denied: 9,
    retries: 12,
    openCircuits: 1,
    halfOpenCircuits: 1,
  })
})

it('a breaker whose open time is over counts as half open, also when nobody has asked since', async () => {
  await db.deleteFrom('domain_limit').execute()
  await saveSnapshot(db, { ...snapshot('over.org'), state: 'open', nextEarliest: 0 })
  await saveSnapshot(db, { ...snapshot('open.org'), state: 'open', nextEarliest: 60_000 })
  expect(await sumDomainLimits(db)).toMatchObject({ openCircuits: 1, halfOpenCircuits: 1 })
})
