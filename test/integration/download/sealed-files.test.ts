/** How what comes gets into its file, and the file onto the disk itself. */
import { open } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openFetchSite } from '../../support/fetch-site.ts'
import { type FileOrigin, sha256, someBytes, startFileOrigin } from '../../support/file-origin.ts'

const MIB = 1024 * 1024
const block = someBytes(MIB)
const large = (mib: number) => Buffer.concat(Array.from({ length: mib }, () => block))
const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })

let origin: FileOrigin
beforeEach(async () => {
  origin = await startFileOrigin()
})
afterEach(() => origin.close())

/** Says what is done with each file; `datasync` may fail. */
function watchedOpen(failsAt = Infinity) {
  const done: (number | 'datasync' | 'close')[] = []
  let syncs = 0
  const openFile: typeof open = async (path, flags, mode) => {
    const handle = await open(path, flags, mode)
    const [writev, datasync] = [handle.writev.bind(handle), handle.datasync.bind(handle)]
    const close = handle.close.bind(handle)
    handle.writev = <T extends readonly NodeJS.ArrayBufferView[]>(buffers: T, at?: number) => {
      done.push(buffers.reduce((sum, { byteLength }) => sum + byteLength, 0))
      return writev(buffers, at)
    }
    handle.datasync = async () => {
      done.push('datasync')
      if (++syncs >= failsAt) throw full
      return datasync()
    }
    handle.close = () => {
      done.push('close')
      return close()
    }
    return handle
  }
  return { openFile, done }
}

it('what comes is gathered to the size of a chunk before it is written', async () => {
  const body = block
  origin.serve('/a', { body })
  for (const chunkBytes of [65_536, 400_000]) {
    const { openFile, done } = watchedOpen()
    const site = await openFetchSite({ chunkBytes }, { openFile })
    expect(sha256((await site.get({ url: origin.url('/a') })).content)).toBe(sha256(body))
    await site.close()
    const writes = done.filter((one) => typeof one === 'number')
    expect(Math.min(...writes.slice(0, -1))).toBeGreaterThanOrEqual(chunkBytes)
    expect(writes.reduce((sum, one) => sum + one, 0)).toBe(MIB)
    expect(done).not.toContain('datasync')
  }
})

it('a file that is to be sealed is on the disk itself before it is closed', async () => {
  origin.serve('/a', { body: someBytes(5_000) })
  const { openFile, done } = watchedOpen()
  const site = await openFetchSite({}, { openFile, isSealing: true })
  await site.get({ url: origin.url('/a') })
  await site.close()
  expect(done).toEqual([5_000, 'datasync', 'close'])
})

it('the disk gets a large file while more of it comes', async () => {
  const body = large(70)
  origin.serve('/a', { body })
  const { openFile, done } = watchedOpen()
  const site = await openFetchSite({}, { openFile, isSealing: true })
  expect(sha256((await site.get({ url: origin.url('/a') })).content)).toBe(sha256(body))
  await site.close()
  const lastWrite = done.findLastIndex((one) => typeof one === 'number')
  expect(done.slice(0, lastWrite)).toContain('datasync')
  expect(done.slice(lastWrite + 1).filter((one) => one !== 'close')).toContain('datasync')
})

it.each([1, 2])('a disk that is full when it is waited for (%i) keeps no file', async (failsAt) => {
  origin.serve('/a', { body: large(40) })
  const { openFile } = watchedOpen(failsAt)
  const site = await openFetchSite({}, { openFile, isSealing: true })
  const failure = await site.failure({ url: origin.url('/a') })
  expect([failure.reason, failure.kind]).toEqual(['disk-full', 'disk'])
  expect(await site.files()).toEqual([])
  await site.close()
})
