import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { blobPath } from '../../../src/core/download/blob-path.ts'
import type { Disk } from '../../../src/store/disk.ts'
import { openFileStore } from '../../../src/store/file-blob-store.ts'
import { rehashBlob } from '../../../src/store/rehash-blob.ts'
import { StoreError } from '../../../src/store/store-error.ts'
import { hashOf, staged } from '../../support/stores.ts'
import { breakableDisk, diskError } from '../../support/breakable-disk.ts'

const CONTENT = 'what an artifact is made of'
/** More steps than a put has. */
const MANY = 40
/** A put has fewer that can find the disk full. */
const MOST = 16

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (disk?: Disk) =>
  openFileStore(folder, { reserveBytes: 0, ...(disk === undefined ? {} : { disk }) })

async function statesOfAll(): Promise<readonly string[]> {
  const store = open()
  const states: string[] = []
  for await (const { sha256 } of store.list()) states.push(await rehashBlob(store, sha256))
  return states
}

/** What is there when a put begins, and how the volume is. */
const scenes = {
  'of a new content': { isThere: false, isOtherVolume: false },
  'of a content that is there': { isThere: true, isOtherVolume: false },
  'from another volume': { isThere: false, isOtherVolume: true },
} as const

describe.each(Object.entries(scenes))('a put %s', (_name, { isThere, isOtherVolume }) => {
  /** Fails as told, and as another volume does: only the first rename is across. */
  const diskThat = (before: (step: number, name: keyof Disk) => void) => {
    let renames = 0
    return breakableDisk((step, name) => {
      before(step, name)
      if (name !== 'rename') return
      renames += 1
      if (isOtherVolume && renames === 1) throw diskError('EXDEV')
    })
  }

  it('that dies at any of its statements leaves no partial blob, and the next one works', async () => {
    let deaths = 0
    for (let last = 1; last <= MANY; last += 1) {
      rmSync(folder, { recursive: true, force: true })
      if (isThere) await open().put(staged(open(), CONTENT))
      const disk = diskThat((step) => {
        // Nothing happens any more, no cleaning up either.
        if (step >= last) throw diskError('EIO')
      })
      const store = open(disk)
      const died = await store.put(staged(store, CONTENT)).then(
        () => false,
        () => true,
      )
      if (died) deaths += 1
      expect((await statesOfAll()).filter((state) => state !== 'whole')).toEqual([])
      const next = open()
      await next.put(staged(next, CONTENT))
      expect(await rehashBlob(next, hashOf(CONTENT))).toBe('whole')
      if (!died) break
    }
    expect(deaths).toBeGreaterThanOrEqual(isThere ? 4 : 8)
  })

  it('that finds the disk full at any of its statements says so, and leaves nothing', async () => {
    const refusals: unknown[] = []
    for (let full = 1; full <= MOST; full += 1) {
      rmSync(folder, { recursive: true, force: true })
      if (isThere) await open().put(staged(open(), CONTENT))
      const disk = diskThat((step, name) => {
        if (step === full && name !== 'remove')
          throw diskError(full % 2 === 0 ? 'ENOSPC' : 'EDQUOT')
      })
      const store = open(disk)
      const file = staged(store, CONTENT)
      await store.put(file).catch((error: unknown) => refusals.push(error))
      expect(existsSync(file.path)).toBe(false)
      expect(readdirSync(store.tempDir)).toEqual([])
      expect((await statesOfAll()).filter((state) => state !== 'whole')).toEqual([])
    }
    expect(refusals.length).toBeGreaterThanOrEqual(isThere ? 4 : 7)
    const full = { kind: 'disk', code: 'disk_full' }
    expect(refusals.filter((error) => !isLike(error, full))).toEqual([])
  })
})

function isLike(error: unknown, { kind, code }: { kind: string; code: string }): boolean {
  return error instanceof StoreError && error.kind === kind && error.code === code
}

it('rule 22: a file is on the disk before it has its name, and the name before put returns', async () => {
  const steps: string[] = []
  const store = open(breakableDisk((_step, name) => void steps.push(name)))
  await store.put(staged(store, CONTENT))
  const told = steps.filter((name) => name !== 'sizeOf')
  expect(told[0]).toBe('sync')
  expect(told.indexOf('rename')).toBeGreaterThan(told.indexOf('makeFolder'))
  expect(told.slice(told.indexOf('rename'))).toEqual(['rename', 'sync'])
  // Two new folders are two names in the folders above.
  expect(told.slice(told.indexOf('makeFolder'), told.indexOf('setMode'))).toEqual([
    'makeFolder',
    'sync',
    'sync',
  ])
})

it('a file that is sealed is not waited for again; its name is', async () => {
  const steps: string[] = []
  const store = open(breakableDisk((_step, name) => void steps.push(name)))
  await store.put({ ...staged(store, CONTENT), isSealed: true })
  const told = steps.filter((name) => name !== 'sizeOf')
  expect(told[0]).toBe('makeFolder')
  expect(told.slice(told.indexOf('rename'))).toEqual(['rename', 'sync'])
})

it('nobody writes into a blob by accident', async () => {
  const store = open()
  await store.put(staged(store, CONTENT))
  expect(statSync(join(folder, blobPath(hashOf(CONTENT)))).mode & 0o777).toBe(0o444)
})

it('a content that is put again counts as stored just now', async () => {
  const store = open()
  await store.put(staged(store, CONTENT))
  const touched: string[] = []
  const again = open(breakableDisk((_step, name) => void touched.push(name)))
  await again.put(staged(again, CONTENT))
  expect(touched).toContain('touch')
  expect(touched).not.toContain('rename')
})

it('room for a file is its size, a tenth more and the reserve', async () => {
  const disk: Disk = { ...breakableDisk(() => undefined), freeBytes: async () => 1_500 }
  const store = openFileStore(folder, { reserveBytes: 400, disk })
  await store.ensureSpace(1_000)
  await store.ensureSpace(null)
  await expect(store.ensureSpace(1_001)).rejects.toMatchObject({ kind: 'disk' })
})

it('a folder that cannot be made is told with the place', () => {
  const file = staged({ tempDir: folder }, 'a file')
  expect(() => openFileStore(file.path)).toThrow(/failed on making its folder|ENOTDIR|EEXIST/)
})
