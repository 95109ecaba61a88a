import { expect, test } from 'vitest'
import { shiftedClock, VirtualClock } from '../../../../bench/limiter/virtual-clock.ts'

test('timers run in the order of their instants, those of one instant in the order they were set', async () => {
  const clock = new VirtualClock()
  const ran: string[] = []
  for (const [name, ms] of [
    ['c', 30],
    ['a', 10],
    ['b', 10],
    ['d', 500],
  ] as const) {
    clock.after(ms, () => ran.push(`${name}@${clock.nowMs()}`))
  }
  await clock.runUntil(100)
  expect(ran).toEqual(['a@10', 'b@10', 'c@30'])
  expect(clock.nowMs()).toBe(100)
})

test('a timer that was cancelled does not run, and one set by another does', async () => {
  const clock = new VirtualClock()
  const ran: number[] = []
  const cancel = clock.after(10, () => ran.push(10))
  clock.after(5, () => {
    cancel()
    clock.after(7, () => ran.push(clock.nowMs()))
  })
  await clock.runUntil(50)
  expect(ran).toEqual([12])
})

test('everything that follows from a timer has happened before the next one runs', async () => {
  const clock = new VirtualClock()
  const ran: string[] = []
  clock.after(1, () => {
    void longChain(50).then(() => ran.push('chain'))
  })
  clock.after(1, () => ran.push('timer'))
  await clock.runUntil(2)
  expect(ran).toEqual(['chain', 'timer'])
})

test('ten thousand timers in any order run in order', async () => {
  const clock = new VirtualClock()
  const ran: number[] = []
  for (let i = 0; i < 10_000; i += 1)
    clock.after((i * 7_919) % 10_007, () => ran.push(clock.nowMs()))
  await clock.runUntil(20_000)
  expect(ran).toHaveLength(10_000)
  expect(ran).toEqual(ran.toSorted((a, b) => a - b))
})

test('an error of a timer is not swallowed', async () => {
  const clock = new VirtualClock()
  clock.after(1, () => {
    throw new Error('broken')
  })
  await expect(clock.runUntil(2)).rejects.toThrow('broken')
})

test('a shifted clock stands elsewhere and runs as fast', async () => {
  const clock = new VirtualClock()
  const shifted = shiftedClock(clock, -3_600_000)
  let rangMs = 0
  shifted.after(1_000, () => {
    rangMs = shifted.nowMs()
  })
  await clock.runUntil(2_000)
  expect(rangMs).toBe(-3_599_000)
})

async function longChain(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
}
