import { expect, test } from 'vitest'
import { simulate } from '../../../../bench/limiter/simulate.ts'
import { findStory } from '../../../../bench/limiter/stories/catalogue.ts'

test('three processes find the rate of an unknown server and keep to what they were granted', async () => {
  const { metrics, log } = await simulate({ origin: 'O3', seed: 7, minutes: 4, workers: 3 })
  expect(metrics.to90S).toBeLessThan(60)
  expect(metrics.use).toBeGreaterThan(90)
  expect(metrics.refusedInAll).toBeGreaterThan(0)
  expect(metrics.sentWithoutLease).toBe(0)
  expect(metrics.mostLeased).toBeLessThan(1.001)
  expect(log.accepted.length + log.refusedMs.length).toBeLessThanOrEqual(log.sentMs.length)
})

test('the same seed is the same run, another seed another', async () => {
  const run = async (seed: number) =>
    (await simulate({ origin: 'O4', seed, minutes: 2, workers: 2, callers: 10 })).log.sentMs
  const first = await run(1)
  expect(await run(1)).toEqual(first)
  expect(await run(2)).not.toEqual(first)
})

test('while the limiter is away only safe mode sends', async () => {
  const measures = await findStory('limiter-away-20')?.run({
    strategy: 'fixed',
    seed: 1,
    policy: { initialRps: 5, maxRps: 5 },
  })
  const valueOf = (name: string) => measures?.find((measure) => measure.name === name)?.value
  expect(valueOf('sent in safe mode')).toBeGreaterThan(0)
  expect(valueOf('sent without lease')).toBe(0)
})
