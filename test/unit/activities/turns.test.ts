import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTurns } from '../../../src/activities/turns.ts'

const never = new AbortController().signal

it('the two that were begun first take turns, and the third waits for the end of one of them', async () => {
  const turns = createTurns(1)
  const done: string[] = []
  const task = async (name: string, pages: number): Promise<void> => {
    const place = turns.place()
    for (let page = 1; page <= pages; page += 1) {
      await turns.take(place, never, async () => void done.push(`${name}${page}`))
    }
  }
  await Promise.all([task('a', 3), task('b', 2), task('c', 2), task('d', 1)])
  // Whoever ends a page asks for the next one a moment later: meanwhile the other one goes.
  expect(done).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'c1', 'd1', 'c2'])
})

it('a place that is taken anew is behind all others', async () => {
  const turns = createTurns(1)
  const [first, second] = [turns.place(), turns.place()]
  const later = turns.place()
  const done: number[] = []
  const turn = (place: number) => turns.take(place, never, async () => void done.push(place))
  await Promise.all([turn(first), turn(later), turn(second)])
  expect(done).toEqual([first, second, later])
})

it('never runs more than it may, and comes to an end, whatever fails', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ place: fc.nat(5), fails: fc.boolean() }), { maxLength: 30 }),
      async (width, works) => {
        const turns = createTurns(width)
        let running = 0
        let most = 0
        const ends = await Promise.allSettled(
          works.map(({ place, fails }) =>
            turns.take(place, never, async () => {
              running += 1
              most = Math.max(most, running)
              await Promise.resolve()
              running -= 1
              if (fails) throw new Error('as told')
            }),
          ),
        )
        expect(ends.map(({ status }) => status === 'rejected')).toEqual(
          works.map(({ fails }) => fails),
        )
        expect(most).toBeLessThanOrEqual(width)
      },
    ),
  ))

it('who is told to stop leaves the line at once, and holds up nobody', async () => {
  const turns = createTurns(1)
  let end = (): void => undefined
  const first = turns.take(1, never, () => new Promise<void>((resolve) => (end = resolve)))
  const stopping = new AbortController()
  const stopped = turns.take(2, stopping.signal, () => Promise.resolve('begun'))
  const third = turns.take(3, never, () => Promise.resolve('done'))
  stopping.abort(new Error('cancelled'))
  await expect(stopped).rejects.toThrow('cancelled')
  end()
  await first
  expect(await third).toBe('done')
  const late = turns.take(4, stopping.signal, () => Promise.resolve('begun'))
  await expect(late).rejects.toThrow('cancelled')
  expect(await turns.take(5, never, () => Promise.resolve('done'))).toBe('done')
})
