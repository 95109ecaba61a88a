import { afterEach, describe, expect, it } from 'vitest'
import { watchIdleness, type IdleWatch } from '../../../src/client/stack/idle-watch.ts'
import { stopRequest } from '../../../src/client/stack/stop-request.ts'

describe('the wish to end', () => {
  it('is that of who came first; a second signal makes it urgent', async () => {
    const stop = stopRequest()
    expect(stop.stopping.aborted).toBe(false)
    stop.request('down')
    stop.request('idle')
    expect(stop.stopping.aborted).toBe(true)
    expect(stop.urgent.aborted).toBe(false)
    stop.request('signal')
    expect(stop.urgent.aborted).toBe(true)
    expect(await stop.requested).toBe('down')
  })

  it('is not urgent at the first signal, but is when the home is gone', () => {
    const first = stopRequest()
    first.request('signal')
    expect(first.urgent.aborted).toBe(false)
    const gone = stopRequest()
    gone.request('home gone')
    expect(gone.urgent.aborted).toBe(true)
  })
})

describe('the idle watch', () => {
  let watch: IdleWatch | undefined
  afterEach(() => watch?.stop())

  it('tells once when nothing was busy for so long, and never while something is', async () => {
    let busy = true
    let looks = 0
    let told = 0
    const isBusy = async () => {
      looks++
      return busy
    }
    watch = watchIdleness(40, isBusy, () => told++)
    await expect.poll(() => looks).toBeGreaterThan(8)
    expect(told).toBe(0)
    busy = false
    await expect.poll(() => told).toBe(1)
    const looksThen = looks
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect([told, looks]).toEqual([1, looksThen])
  })
})
