import { expect, it, vi } from 'vitest'
import { repeatUndone } from '../../../src/db/repeat-undone.ts'

const diskFull = withCode('53100')

function withCode(code: string): Error {
  return Object.assign(new Error(`state ${code}`), { code })
}

function failing(error: Error, times: number) {
  const work = vi.fn<() => Promise<string>>().mockResolvedValue('done')
  for (let time = 0; time < times; time += 1) work.mockRejectedValueOnce(error)
  return work
}

function waiting() {
  return vi.fn<() => Promise<void>>().mockResolvedValue()
}

it.each(['40P01', '40001'])(
  'what was undone for others (%s) is done again, at once',
  async (code) => {
    const wait = waiting()
    await expect(repeatUndone(failing(withCode(code), 9), wait)).resolves.toBe('done')
    expect(wait).not.toHaveBeenCalled()
  },
)

it('who is undone for others again and again is told', async () => {
  await expect(repeatUndone(failing(withCode('40P01'), 10))).rejects.toThrow('40P01')
})

it('what found no room is stored once there is some, after a wait each time', async () => {
  const wait = waiting()
  await expect(repeatUndone(failing(diskFull, 59), wait)).resolves.toBe('done')
  expect(wait).toHaveBeenCalledTimes(59)
})

it('a deadlock of many who find room at once costs none of them what it held', async () => {
  const work = failing(diskFull, 30).mockRejectedValueOnce(withCode('40P01'))
  await expect(repeatUndone(work, waiting())).resolves.toBe('done')
})

it('a disk that stays full is told in the end', async () => {
  await expect(repeatUndone(failing(diskFull, 60), waiting())).rejects.toBe(diskFull)
})

it('who cannot wait is told of a full disk at once', async () => {
  await expect(repeatUndone(failing(diskFull, 1))).rejects.toBe(diskFull)
})

it('any other trouble is told at once', async () => {
  await expect(repeatUndone(failing(withCode('57P01'), 1), waiting())).rejects.toThrow('57P01')
})

it('what ends the wait is told in the place of the full disk', async () => {
  const wait = waiting().mockRejectedValue(new Error('cancelled'))
  await expect(repeatUndone(failing(diskFull, 1), wait)).rejects.toThrow('cancelled')
})
