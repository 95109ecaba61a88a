/** An answer for which PostgreSQL has no room (53100), which no server of a test has so little of when it is wanted. */
import { DefaultLogger } from '@temporalio/worker'
import { MockActivityEnvironment } from '@temporalio/testing'
import { beforeEach, expect, it, vi } from 'vitest'
import { assertRoom, onceStored } from '../../../src/activities/once-stored.ts'

const warn = vi.fn<(bindings: unknown, message?: string) => void>()
const roomFound = (tryRoom: () => Promise<void>) => assertRoom(tryRoom, { warn })
beforeEach(() => warn.mockReset())

const diskFull = Object.assign(new Error('could not extend file'), { code: '53100' })

it('is held until there is some, and the log says so once', async () => {
  const told: string[] = []
  const logger = new DefaultLogger('WARN', ({ message }) => told.push(message))
  const store = vi.fn<() => Promise<string>>().mockResolvedValue('stored')
  store.mockRejectedValueOnce(diskFull).mockRejectedValueOnce(diskFull)
  const environment = new MockActivityEnvironment({}, { logger })
  expect(await environment.run(() => onceStored(store))).toBe('stored')
  expect(store).toHaveBeenCalledTimes(3)
  expect(told).toEqual(['PostgreSQL has no room: an answer is held until there is some.'])
})

it('is given up where its activity is cancelled', async () => {
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') })
  const held = environment.run(() => onceStored(() => Promise.reject(diskFull)))
  environment.cancel('CANCELLED')
  await expect(held).rejects.toMatchObject({ name: 'CancelledFailure' })
})

/** An answer that finds no room; returns once it is held. */
async function holdAnswer() {
  const told = vi.fn<() => void>()
  const logger = new DefaultLogger('WARN', told)
  const environment = new MockActivityEnvironment({}, { logger })
  const held = environment.run(() => onceStored(() => Promise.reject(diskFull)))
  await vi.waitFor(() => expect(told).toHaveBeenCalled())
  return { environment, held }
}

it('nobody is asked anything until a try has found room again', async () => {
  const { environment, held } = await holdAnswer()
  const tryRoom = vi.fn<() => Promise<void>>().mockRejectedValue(diskFull)
  const asked = [roomFound(tryRoom), roomFound(tryRoom)]
  expect(await Promise.allSettled(asked)).toMatchObject([
    { reason: diskFull },
    { reason: diskFull },
  ])
  expect(tryRoom).toHaveBeenCalledTimes(1)
  environment.cancel('CANCELLED')
  await expect(held).rejects.toMatchObject({ name: 'CancelledFailure' })
  await expect(roomFound(tryRoom)).rejects.toBe(diskFull)
  await roomFound(() => Promise.resolve())
  await roomFound(tryRoom)
  expect(tryRoom).toHaveBeenCalledTimes(2)
})

it('where it cannot be tried, answers find out: a worker that may not try does not stand still for ever', async () => {
  const { environment, held } = await holdAnswer()
  const notAllowed = Object.assign(new Error('permission denied to create temporary tables'), {
    code: '42501',
  })
  await roomFound(() => Promise.reject(notAllowed))
  expect(warn).toHaveBeenCalledWith(
    { err: notAllowed },
    'Whether PostgreSQL has room again cannot be tried.',
  )
  const again = vi.fn<() => Promise<void>>()
  await roomFound(again)
  expect(again).not.toHaveBeenCalled()
  environment.cancel('CANCELLED')
  await expect(held).rejects.toMatchObject({ name: 'CancelledFailure' })
})
