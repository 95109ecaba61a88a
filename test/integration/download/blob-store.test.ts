/** What holds of every kind of store. */
import { existsSync, readdirSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StoredBlob } from '../../../src/store/blob-store.ts'
import { rehashBlob } from '../../../src/store/rehash-blob.ts'
import { hashOf, staged, storeKinds, type StoreScene } from '../../support/stores.ts'

describe.each(Object.entries(storeKinds))('a store of the kind: %s', (_kind, open) => {
  let scene: StoreScene
  beforeEach(async () => {
    scene = await open()
  })
  afterEach(() => scene.close())

  const listed = async () => {
    const blobs: StoredBlob[] = []
    for await (const blob of scene.store.list()) blobs.push(blob)
    return blobs
  }

  it('has what was put, byte for byte, and the file that it came in is gone', async () => {
    const { store } = scene
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 256))
    const file = staged(store, content)
    expect(await store.has(file.sha256)).toBeUndefined()
    await store.put(file)
    expect(await store.has(file.sha256)).toEqual({ bytes: 300_000 })
    expect(await buffer(store.open(file.sha256))).toEqual(content)
    expect(existsSync(file.path)).toBe(false)
    expect(readdirSync(store.tempDir)).toEqual([])
  })

  it('rule 36: takes the same content again, at the same time too, and an empty one', async () => {
    const { store } = scene
    await store.put(staged(store, 'twice'))
    await Promise.all(Array.from({ length: 5 }, () => store.put(staged(store, 'twice'))))
    await Promise.all(Array.from({ length: 5 }, () => store.put(staged(store, 'at once'))))
    await store.put(staged(store, ''))
    expect(await buffer(store.open(hashOf('twice')))).toEqual(Buffer.from('twice'))
    expect(await rehashBlob(store, hashOf('at once'), 7)).toBe('whole')
    expect(await rehashBlob(store, hashOf(''), 0)).toBe('whole')
    expect(readdirSync(store.tempDir)).toEqual([])
    expect(await listed()).toHaveLength(3)
  })

  it('replaces what cannot be whole, by its size, and leaves what can', async () => {
    const { store, plant } = scene
    await store.put(staged(store, 'whole'))
    plant(hashOf('whole'), Buffer.from('who'))
    expect(await rehashBlob(store, hashOf('whole'), 5)).toBe('broken')
    await store.put(staged(store, 'whole'))
    expect(await rehashBlob(store, hashOf('whole'), 5)).toBe('whole')
  })

  it('tells whole, broken and missing contents apart', async () => {
    const { store, plant } = scene
    await store.put(staged(store, 'right'))
    await store.put(staged(store, 'other'))
    plant(hashOf('other'), Buffer.from('0ther'))
    expect(await rehashBlob(store, hashOf('right'))).toBe('whole')
    expect(await rehashBlob(store, hashOf('other'), 5)).toBe('broken')
    expect(await rehashBlob(store, hashOf('nobody has it'))).toBe('missing')
  })

  it('lists everything in order of its hash, with sizes, and nothing else', async () => {
    const { store } = scene
    const contents = Array.from({ length: 8 }, (_, at) => 'x'.repeat(at))
    for (const content of contents) await store.put(staged(store, content))
    staged(store, 'on its way')
    const blobs = await listed()
    const expected = contents.map((content) => ({ sha256: hashOf(content), bytes: content.length }))
    expect(blobs.map(({ sha256, bytes }) => ({ sha256, bytes }))).toEqual(
      expected.sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1)),
    )
    for (const { storedAtMs } of blobs) {
      expect(Math.abs(Date.now() - storedAtMs)).toBeLessThan(600_000)
    }
  })

  it('removes a content, also one that is not there', async () => {
    const { store } = scene
    await store.put(staged(store, 'to go'))
    await store.remove(hashOf('to go'))
    await store.remove(hashOf('to go'))
    expect(await store.has(hashOf('to go'))).toBeUndefined()
    await expect(buffer(store.open(hashOf('to go')))).rejects.toThrow(/./)
  })

  it('refuses a file that is not as it was checked, and removes it', async () => {
    const { store } = scene
    const file = staged(store, 'cut off')
    await expect(store.put({ ...file, bytes: 100 })).rejects.toMatchObject({
      code: 'staged_file_changed',
      kind: 'transient',
    })
    await expect(store.put(file)).rejects.toMatchObject({ code: 'staged_file_changed' })
    expect(readdirSync(store.tempDir)).toEqual([])
    expect(await listed()).toEqual([])
  })

  it('never makes a path of what is no hash', async () => {
    const { store } = scene
    for (const name of ['../../etc/passwd', 'ABC', `${'a'.repeat(63)}/`]) {
      await expect(store.put({ ...staged(store, 'x'), sha256: name })).rejects.toThrow(
        'hexadecimal',
      )
      await expect(Promise.resolve().then(() => store.has(name))).rejects.toThrow('hexadecimal')
    }
    expect(await listed()).toEqual([])
  })

  it('says beforehand when there is no room, and asks for a tenth more than the file', async () => {
    const { store } = scene
    await store.ensureSpace(1)
    await expect(store.ensureSpace(2 ** 62)).rejects.toMatchObject({
      kind: 'disk',
      code: 'disk_full',
    })
  })
})
