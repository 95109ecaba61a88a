import { expect, it } from 'vitest'
import { inBatches } from '../../../src/core/in-batches.ts'

it('what comes while a batch is under way waits for the next, and each gets its own result', async () => {
  const batches: (readonly number[])[] = []
  const double = inBatches<number, number>(async (items) => {
    batches.push(items)
    await new Promise((resolve) => setImmediate(resolve))
    return items.map((item) => item * 2)
  }, 100)
  const first = [double(1), double(2)]
  await Promise.resolve()
  await Promise.resolve()
  const later = [double(3), double(4), double(5)]
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10])
  expect(batches).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
})

it('a batch has no more items than allowed', async () => {
  const sizes: number[] = []
  const same = inBatches<number, number>(async (items) => {
    sizes.push(items.length)
    return items
  }, 2)
  await Promise.all([1, 2, 3, 4, 5].map(same))
  expect(sizes).toEqual([2, 2, 1])
})

it('a result that is an error is thrown to its caller alone; what breaks a batch, to all of it, and the next is made', async () => {
  let isBroken = false
  const work = inBatches<string, string>(async (items) => {
    if (isBroken) throw new Error('broken')
    return items.map((item) => (item === 'bad' ? new Error('bad one') : item))
  }, 10)
  const [good, bad] = await Promise.allSettled([work('good'), work('bad')])
  expect([good, bad]).toMatchObject([
    { status: 'fulfilled', value: 'good' },
    { status: 'rejected', reason: { message: 'bad one' } },
  ])
  isBroken = true
  const broken = await Promise.allSettled([work('a'), work('b')])
  expect(broken.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  expect(await work('c')).toBe('c')
})
