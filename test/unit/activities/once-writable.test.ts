import { expect, it, vi } from 'vitest'
import { onceWritable } from '../../../src/activities/once-writable.ts'

const never = new AbortController().signal
const diskFull = Object.assign(new Error('could not extend file'), { code: '53100' })

it('what found no room is written once there is some', async () => {
  const write = vi.fn<() => Promise<string>>()
  write.mockRejectedValueOnce(diskFull).mockRejectedValueOnce(diskFull).mockResolvedValue('written')
  await expect(onceWritable(never, write, 1)).resolves.toBe('written')
  expect(write).toHaveBeenCalledTimes(3)
})

it('a disk that stays full is told in the end', async () => {
  const write = vi.fn<() => Promise<string>>().mockRejectedValue(diskFull)
  await expect(onceWritable(never, write, 1)).rejects.toBe(diskFull)
  expect(write).toHaveBeenCalledTimes(61)
})

it('any other trouble is told at once', async () => {
  const lost = Object.assign(new Error('terminating connection'), { code: '57P01' })
  const write = vi.fn<() => Promise<string>>().mockRejectedValue(lost)
  await expect(onceWritable(never, write, 1)).rejects.toBe(lost)
  expect(write).toHaveBeenCalledTimes(1)
})

it('a cancel ends the wait with its reason', async () => {
  const controller = new AbortController()
  const write = vi.fn<() => Promise<string>>().mockRejectedValue(diskFull)
  const written = onceWritable(controller.signal, write, 60_000)
  setImmediate(() => controller.abort(new Error('cancelled')))
  await expect(written).rejects.toThrow('cancelled')
})
