import { getEventListeners } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'
import { linkAbort } from '../../../src/http/linked-abort.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('aborts with its first source, or at its time, and says which', () => {
  vi.useFakeTimers()
  const source = new AbortController()
  const bySource = linkAbort([source.signal], 1_000)
  const byTime = linkAbort([], 1_000)
  source.abort()
  expect([bySource.signal.aborted, byTime.signal.aborted]).toEqual([true, false])
  vi.advanceTimersByTime(1_000)
  expect([bySource.timedOut(), byTime.timedOut()]).toEqual([false, true])
  expect(linkAbort([source.signal], 1_000).signal.aborted).toBe(true)
})

it('leaves neither timer nor listener behind', () => {
  vi.useFakeTimers()
  const source = new AbortController()
  const linked = linkAbort([source.signal], 1_000)
  linked.release()
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(source.signal, 'abort')).toEqual([])
})
