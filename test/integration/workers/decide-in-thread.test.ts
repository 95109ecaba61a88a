/** The thread that decides records, when something goes wrong in it. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RunSettings } from '../../../src/activities/run-settings.ts'
import { isPostgresAway } from '../../../src/db/is-postgres-away.ts'
import { createThreadDecider, type ThreadDecider } from '../../../src/workers/decide-in-thread.ts'

const ENDS = 13
const HANGS = 14
const NO_DATABASE = 15
const WAITS = 16

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this thread does not look at it
const run = {} as RunSettings
const entry = new URL('../../support/breakable-thread.mjs', import.meta.url)
const forever = new AbortController().signal

let decider: ThreadDecider
beforeEach(() => {
  const log = { warn: () => undefined }
  decider = createThreadDecider({
    databaseUrl: '',
    maxConnections: 1,
    log,
    entry,
    silentSeconds: 2,
  })
})
afterEach(() => decider.close())

const decide = (task: number, signal = forever) => decider.decide({ runId: 1, task }, run, signal)

it('decides several tasks at a time, and answers each with its own', async () => {
  expect(await Promise.all([decide(3), decide(1), decide(2)])).toEqual([3, 1, 2])
})

it('what was under way when a thread ended is tried again, by the next thread', async () => {
  const ended = { type: 'decider_ended', nonRetryable: false, category: 'BENIGN' }
  const waiting = decide(WAITS)
  await expect(decide(ENDS)).rejects.toMatchObject(ended)
  await expect(waiting).rejects.toMatchObject(ended)
  expect(await decide(2)).toBe(2)
})

it('a thread that computes for ever is stopped', async () => {
  await expect(decide(HANGS)).rejects.toMatchObject({ type: 'decider_ended' })
  expect(await decide(2)).toBe(2)
}, 60_000)

it('a database that is away is known as such on this side', async () => {
  const error = await decide(NO_DATABASE).catch((thrown: unknown) => thrown)
  expect(isPostgresAway(error)).toBe(true)
})

it('a task that is cancelled ends with the reason of its cancellation, and others go on', async () => {
  const controller = new AbortController()
  const cancelled = decide(WAITS, controller.signal)
  const reason = new Error('cancelled')
  controller.abort(reason)
  await expect(cancelled).rejects.toBe(reason)
  expect(await decide(2)).toBe(2)
})

it('begins nothing for a task that was cancelled before, and closes when nothing was ever decided', async () => {
  const reason = new Error('cancelled')
  await expect(decide(1, AbortSignal.abort(reason))).rejects.toBe(reason)
})

it('runs before its first task when it is woken, once', async () => {
  const alive = `
    import { parentPort } from 'node:worker_threads'
    parentPort.postMessage({ kind: 'stored', counts: { matched: 1 } })
    parentPort.on('message', () => parentPort.close())`
  const onDecided = vi.fn<() => void>()
  const woken = createThreadDecider({
    databaseUrl: '',
    maxConnections: 1,
    log: { warn: () => undefined },
    entry: new URL(`data:text/javascript,${encodeURIComponent(alive)}`),
    onDecided,
  })
  woken.wake()
  woken.wake()
  await vi.waitFor(() => expect(onDecided).toHaveBeenCalled(), { timeout: 20_000 })
  await woken.close()
  expect(onDecided).toHaveBeenCalledTimes(1)
})
