import { afterEach, expect, test } from 'vitest'
import {
  startLoopbackOrigin,
  type LoopbackOrigin,
} from '../../../../bench/origin/loopback-origin.ts'

let origin: LoopbackOrigin | undefined
afterEach(() => origin?.close())

const ask = (url: string) =>
  fetch(url, { headers: { 'user-agent': 'record-linker/1 (worker-2@bench.example) undici/7' } })

test('accepts one second of its rate at once, then refuses, and logs who came', async () => {
  origin = await startLoopbackOrigin(2)
  const { url, arrivals, log } = origin
  const statuses = []
  for (let request = 0; request < 3; request += 1) statuses.push((await ask(url)).status)
  expect(statuses.slice(0, 2)).toEqual([200, 200])
  expect(arrivals.map(({ worker }) => worker)).toEqual(['worker-2', 'worker-2', 'worker-2'])
  expect(log.accepted.length + log.refusedMs.length).toBe(3)
})

test('answers only 503 while it is broken, and knows how much it could accept when', async () => {
  origin = await startLoopbackOrigin(20)
  origin.setBroken(true)
  expect((await ask(origin.url)).status).toBe(503)
  origin.setBroken(false)
  expect((await ask(origin.url)).status).toBe(200)
  const beforeMs = -1
  origin.setRps(5)
  expect([origin.model.rateAt(beforeMs), origin.model.rateAt(origin.nowMs())]).toEqual([20, 5])
})
