import { MockActivityEnvironment } from '@temporalio/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withHeartbeat } from '../../../src/activities/heartbeat.ts'

interface Running {
  readonly beats: () => number
  readonly cancel: () => void
  readonly end: () => Promise<void>
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('withHeartbeat', () => {
  it('says nothing of what is over within a second', async () => {
    const quick = start()
    await vi.advanceTimersByTimeAsync(999)
    await quick.end()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(quick.beats()).toBe(0)
  })

  it('says every second that each of a few lives', async () => {
    const few = Array.from({ length: 6 }, start)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(few.map(({ beats }) => beats())).toEqual([5, 5, 5, 5, 5, 5])
    await endAll(few)
  })

  it('lets many speak in turn: six a second, and nobody is silent for more than three seconds', async () => {
    const some = Array.from({ length: 18 }, start)
    for (let second = 1; second <= 12; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000)
      expect(total(some)).toBe(6 * second)
      for (const { beats } of some) expect(beats()).toBeGreaterThanOrEqual(Math.floor(second / 3))
    }
    await endAll(some)
    const crowd = Array.from({ length: 100 }, start)
    for (let second = 1; second <= 12; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000)
      for (const { beats } of crowd) expect(beats()).toBeGreaterThanOrEqual(Math.floor(second / 3))
    }
    expect(total(crowd)).toBeLessThanOrEqual(100 * 5)
    await endAll(crowd)
  })

  it('lets all speak after the process was blocked', async () => {
    const many = Array.from({ length: 18 }, start)
    await vi.advanceTimersByTimeAsync(500)
    // The clock goes on while no timer runs, as it does for a blocked process.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_000)
    await vi.advanceTimersByTimeAsync(500)
    vi.restoreAllMocks()
    expect(many.map(({ beats }) => beats())).toEqual(many.map(() => 1))
    await endAll(many)
  })

  it('lets all ask as soon as one hears that it is cancelled', async () => {
    const many = Array.from({ length: 24 }, start)
    await vi.advanceTimersByTimeAsync(500)
    many[7]?.cancel()
    const others = many.filter((_, index) => index !== 7)
    expect(others.map(({ beats }) => beats())).toEqual(others.map(() => 1))
    await endAll(many)
  })
})

function start(): Running {
  const environment = new MockActivityEnvironment()
  let beats = 0
  environment.on('heartbeat', () => {
    beats += 1
  })
  let finish = (): void => undefined
  const body = new Promise<void>((resolve) => {
    finish = resolve
  })
  const running = environment.run(() => withHeartbeat(() => body))
  return {
    beats: () => beats,
    cancel: () => environment.cancel(),
    async end() {
      finish()
      await running
    },
  }
}

async function endAll(all: readonly Running[]): Promise<void> {
  await Promise.all(all.map(({ end }) => end()))
}

function total(all: readonly Running[]): number {
  return all.reduce((sum, { beats }) => sum + beats(), 0)
}
