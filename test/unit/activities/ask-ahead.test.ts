import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createAskAhead, mostAsking } from '../../../src/activities/ask-ahead.ts'

const never = new AbortController().signal
/** A piece of work that ends when it is told to. */
const held = () => {
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { ended, end: () => end() }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

it('while little is to be decided, whoever comes asks at once', async () => {
  const ahead = createAskAhead()
  const works = Array.from({ length: 50 }, held)
  let asking = 0
  const all = works.map(({ ended }) =>
    ahead.ask(1, never, () => {
      asking += 1
      return ended
    }),
  )
  await settle()
  expect(asking).toBe(50)
  for (const { end } of works) end()
  await Promise.all(all)
})

it('with ten to be decided nobody asks until one of them is, and then who came first', async () => {
  const ahead = createAskAhead()
  const works = Array.from({ length: 10 }, held)
  const decided = works.map(({ ended }) => ahead.decide(1, () => ended))
  const order: string[] = []
  const later = ['a', 'b', 'c'].map((name) =>
    ahead.ask(1, never, async () => void order.push(name)),
  )
  await settle()
  expect(order).toEqual([])
  works[0]?.end()
  await Promise.all(later)
  expect(order).toEqual(['a', 'b', 'c'])
  for (const { end } of works) end()
  await Promise.all(decided)
})

it('another run does not wait for it', async () => {
  const ahead = createAskAhead()
  const { ended, end } = held()
  const decided = Array.from({ length: 10 }, () => ahead.decide(1, () => ended))
  expect(await ahead.ask(2, never, async () => 'asked')).toBe('asked')
  end()
  await Promise.all(decided)
})

it('a task that is cancelled while it waits leaves with its reason, and holds nobody up', async () => {
  const ahead = createAskAhead()
  const { ended, end } = held()
  const decided = Array.from({ length: 10 }, () => ahead.decide(1, () => ended))
  const controller = new AbortController()
  const left = ahead.ask(1, controller.signal, async () => 'asked')
  const stays = ahead.ask(1, never, async () => 'asked')
  controller.abort(new Error('cancelled'))
  await expect(left).rejects.toThrow('cancelled')
  await expect(ahead.ask(1, controller.signal, async () => 'asked')).rejects.toThrow('cancelled')
  end()
  expect(await stays).toBe('asked')
  await Promise.all(decided)
})

/** How a task may end. A cancel may come when it asks already. */
const endings: Record<'no' | 'asking' | 'deciding' | 'waiting', readonly string[]> = {
  no: ['done'],
  asking: ['Error: as told'],
  deciding: ['Error: as told'],
  waiting: ['done', 'Error: cancelled'],
}

const task = fc.record({
  run: fc.constantFrom(1, 2),
  ticks: fc.nat(5),
  fails: fc.constantFrom<keyof typeof endings>('no', 'asking', 'deciding', 'waiting'),
})

it('never more ask than may, and all come to their end, whatever fails or is cancelled', () =>
  fc.assert(
    fc.asyncProperty(fc.array(task, { maxLength: 60 }), async (tasks) => {
      const ahead = createAskAhead()
      const now = { asking: [0, 0, 0], deciding: [0, 0, 0] }
      const during = async (what: 'asking' | 'deciding', run: number, ticks: number) => {
        now[what][run] = (now[what][run] ?? 0) + 1
        for (let tick = 0; tick < ticks; tick += 1) await settle()
        now[what][run] = (now[what][run] ?? 0) - 1
      }
      const play = async ({ run, ticks, fails }: (typeof tasks)[number]) => {
        const controller = new AbortController()
        if (fails === 'waiting') setImmediate(() => controller.abort(new Error('cancelled')))
        await ahead.ask(run, controller.signal, async () => {
          expect(now.asking[run]).toBeLessThan(mostAsking(now.deciding[run] ?? 0))
          await during('asking', run, ticks)
          if (fails === 'asking') throw new Error('as told')
        })
        await ahead.decide(run, async () => {
          await during('deciding', run, ticks)
          if (fails === 'deciding') throw new Error('as told')
        })
      }
      const ends = await Promise.allSettled(tasks.map(play))
      const told = ends.map((end) => (end.status === 'rejected' ? String(end.reason) : 'done'))
      expect(
        tasks.filter(({ fails }, index) => !endings[fails].includes(told[index] ?? '')),
      ).toEqual([])
      expect(now).toEqual({ asking: [0, 0, 0], deciding: [0, 0, 0] })
    }),
    { numRuns: 40 },
  ))
