/** The engines that `bench:engine` compares with do the same work: each task once, so many at a time. */
import { expect, it } from 'vitest'
import { peers } from '../../../bench/engine/peers/catalogue.ts'
import { createBlankDatabase } from '../../support/temp-database.ts'

const TASKS = 40
const CONCURRENCY = 8

/** BullMQ needs a Redis on this machine. */
const missing = await Promise.all(peers.map((peer) => peer.missing()))
const present = peers.filter((_, index) => missing[index] === null)

it.each(present)('$name does each task once and keeps to the concurrency', async (peer) => {
  const database = await createBlankDatabase()
  const times = new Map<number, number>()
  let [inFlight, most] = [0, 0]
  try {
    const tookMs = await peer.run({
      databaseUrl: database.url,
      tasks: TASKS,
      concurrency: CONCURRENCY,
      async work(task) {
        times.set(task, (times.get(task) ?? 0) + 1)
        inFlight += 1
        most = Math.max(most, inFlight)
        await new Promise((resolve) => setTimeout(resolve, 20))
        inFlight -= 1
      },
    })
    expect(tookMs).toBeGreaterThan(0)
  } finally {
    await database.drop()
  }
  expect(times.size).toBe(TASKS)
  expect([...times.values()].every((count) => count === 1)).toBe(true)
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(CONCURRENCY)
})
