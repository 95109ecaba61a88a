import { expect, it } from 'vitest'
import { createGate } from '../../../src/activities/gate.ts'

/** Work that ends when it is told to. */
function heldWork() {
  const { promise, resolve, reject } = withResolvers()
  return { work: () => promise, end: resolve, fail: reject }
}

function withResolvers() {
  let resolve: () => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<void>((onEnd, onFailure) => {
    resolve = onEnd
    reject = onFailure
  })
  return { promise, resolve, reject }
}

it('lets so many through at a time, the others as they came, also behind one that fails', async () => {
  const gate = createGate(2)
  const started: number[] = []
  const held = [heldWork(), heldWork(), heldWork(), heldWork()]
  const all = held.map(({ work }, index) =>
    gate(() => {
      started.push(index)
      return work()
    }),
  )
  const failure = new Error('page lost')
  await Promise.resolve()
  expect(started).toEqual([0, 1])
  held[1]?.fail(failure)
  await expect(all[1]).rejects.toBe(failure)
  expect(started).toEqual([0, 1, 2])
  held[2]?.end()
  await all[2]
  expect(started).toEqual([0, 1, 2, 3])
  held[0]?.end()
  held[3]?.end()
  await Promise.all([all[0], all[3]])
  // All places are free again.
  expect(await gate(() => Promise.resolve('through'))).toBe('through')
})
