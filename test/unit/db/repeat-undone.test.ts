import { expect, it, vi } from 'vitest'
import { repeatUndone } from '../../../src/db/repeat-undone.ts'

const never = new AbortController().signal
const diskFull = withCode('53100')

function withCode(code: string): Error {
  return Object.assign(new Error(`state ${code}`), { code })
}

function failing(error: Error, times: number) {
  const work = vi.fn<() => Promise<string>>().mockResolvedValue('done')
  for (let time = 0; time < times; time += 1) work.mockRejectedValueOnce(error)
  return work
}

it.each(['40P01', '40001'])('what was undone for others (%s) is done again', async (code) => {
  const work = failing(withCode(code), 9)
  await expect(repeatUndone(work)).resolves.toBe('done')
  expect(work).toHaveBeenCalledTimes(10)
})

it('who is undone for others again and again is told', async () => {
  const work = failing(withCode('40P01'), 10)
  await expect(repeatUndone(work, never)).rejects.toThrow('40P01')
})

it('what found no room is stored once there is some, asked for every second', async () => {
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  await expect(repeatUndone(failing(diskFull, 59), never, wait)).resolves.toBe('done')
  expect(waits).toEqual(Array.from({ length: 59 }, () => 1_000))
})

it('a disk that stays full is told in the end', async () => {
  const wait = () => Promise.resolve()
  await expect(repeatUndone(failing(diskFull, 60), never, wait)).rejects.toBe(diskFull)
})

it('who cannot be stopped does not wait for room', async () => {
  await expect(repeatUndone(failing(diskFull, 1))).rejects.toBe(diskFull)
})

it('any other trouble is told at once', async () => {
  await expect(repeatUndone(failing(withCode('57P01'), 1), never)).rejects.toThrow('57P01')
})

it('a cancel ends the wait with its reason', async () => {
  const controller = new AbortController()
  const done = repeatUndone(failing(diskFull, 1), controller.signal)
  controller.abort(new Error('cancelled'))
  await expect(done).rejects.toThrow('cancelled')
})
