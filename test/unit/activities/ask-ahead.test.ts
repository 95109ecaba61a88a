import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type AskAhead, createAskAhead } from '../../../src/activities/ask-ahead.ts'

const never = new AbortController().signal
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A piece of work that begins and ends when it is told to. */
function heldWork() {
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const work = { hasBegun: false, end: () => end(), go: () => ((work.hasBegun = true), ended) }
  return work
}

function begin(ahead: AskAhead, runId = 1, signal = never) {
  const [asks, decides] = [heldWork(), heldWork()]
  return { asks, decides, ended: ahead.run(runId, signal, { ask: asks.go, decide: decides.go }) }
}
type Task = ReturnType<typeof begin>
const begun = (tasks: readonly Task[]) => tasks.filter(({ asks }) => asks.hasBegun).length

async function askedBy(tasks: readonly Task[]): Promise<void> {
  for (const { asks } of tasks) asks.end()
  await settle()
}
async function finish(tasks: readonly Task[]): Promise<void> {
  for (const { asks, decides } of tasks) {
    asks.end()
    decides.end()
  }
  await Promise.all(tasks.map(({ ended }) => ended))
}

it('while next to nothing is to be decided, whoever comes asks at once', async () => {
  const ahead = createAskAhead()
  const tasks = Array.from({ length: 50 }, () => begin(ahead))
  await settle()
  expect(begun(tasks)).toBe(50)
  await finish(tasks)
})

it('each that is decided lets in the one that came first; while more than enough are left, none', async () => {
  const ahead = createAskAhead()
  const first = Array.from({ length: 12 }, () => begin(ahead))
  await askedBy(first)
  const later = Array.from({ length: 5 }, () => begin(ahead))
  await settle()
  expect(begun(later)).toBe(0)
  for (const [index, letIn] of [0, 0, 1, 2].entries()) {
    first[index]?.decides.end()
    await settle()
    expect(later.map(({ asks }) => asks.hasBegun)).toEqual(later.map((_, nth) => nth < letIn))
  }
  await finish([...first, ...later])
})

it('once next to nothing is left to decide, all that wait ask', async () => {
  const ahead = createAskAhead()
  const first = Array.from({ length: 3 }, () => begin(ahead))
  await askedBy(first)
  const later = Array.from({ length: 5 }, () => begin(ahead))
  await finish(first.slice(0, 2))
  await settle()
  expect(begun(later)).toBe(5)
  await finish([...first, ...later])
})

it('another run does not wait for it', async () => {
  const ahead = createAskAhead()
  const first = Array.from({ length: 12 }, () => begin(ahead))
  await askedBy(first)
  const other = begin(ahead, 2)
  await settle()
  expect(begun([other])).toBe(1)
  await finish([...first, other])
})

it('a task that is cancelled while it waits leaves with its reason, and holds nobody up', async () => {
  const ahead = createAskAhead()
  const first = Array.from({ length: 3 }, () => begin(ahead))
  await askedBy(first)
  const controller = new AbortController()
  const left = begin(ahead, 1, controller.signal)
  const stays = begin(ahead)
  controller.abort(new Error('cancelled'))
  await expect(left.ended).rejects.toThrow('cancelled')
  await expect(begin(ahead, 1, controller.signal).ended).rejects.toThrow('cancelled')
  await finish(first)
  await finish([stays])
  expect(begun([left, stays])).toBe(1)
})

it('when the worker is told to end, all that wait go on, and are turned away where they ask', async () => {
  const stopping = new AbortController()
  const ahead = createAskAhead(stopping.signal)
  const first = Array.from({ length: 12 }, () => begin(ahead))
  await askedBy(first)
  const later = [begin(ahead), begin(ahead)]
  stopping.abort()
  later.push(begin(ahead))
  await settle()
  expect(begun(later)).toBe(3)
  await finish([...first, ...later])
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
  asksFor: fc.nat(5),
  decidesFor: fc.nat(5),
  fails: fc.constantFrom<keyof typeof endings>('no', 'asking', 'deciding', 'waiting'),
})

it('all come to their end, whatever fails or is cancelled', () =>
  fc.assert(
    fc.asyncProperty(fc.array(task, { maxLength: 60 }), async (tasks) => {
      const ahead = createAskAhead()
      const takes = async (ticks: number, fails: boolean): Promise<void> => {
        for (let tick = 0; tick < ticks; tick += 1) await settle()
        if (fails) throw new Error('as told')
      }
      const ends = await Promise.allSettled(
        tasks.map(({ run, asksFor, decidesFor, fails }) => {
          const controller = new AbortController()
          if (fails === 'waiting') setImmediate(() => controller.abort(new Error('cancelled')))
          return ahead.run(run, controller.signal, {
            ask: () => takes(asksFor, fails === 'asking'),
            decide: () => takes(decidesFor, fails === 'deciding'),
          })
        }),
      )
      const told = ends.map((end) => (end.status === 'rejected' ? String(end.reason) : 'done'))
      expect(tasks.filter(({ fails }, nth) => !endings[fails].includes(told[nth] ?? ''))).toEqual(
        [],
      )
    }),
    { numRuns: 40 },
  ))
