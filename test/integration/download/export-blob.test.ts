import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exportBlob } from '../../../src/store/export-blob.ts'
import { hashOf, staged, storeKinds, type StoreScene } from '../../support/stores.ts'

describe.each(Object.entries(storeKinds))('exported from a store of the kind: %s', (kind, open) => {
  let scene: StoreScene
  let folder: string
  beforeEach(async () => {
    scene = await open()
    folder = mkdtempSync(join(tmpdir(), 'exported-'))
    for (const content of ['one', 'two']) await scene.store.put(staged(scene.store, content))
  })
  afterEach(async () => {
    await scene.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const exported = (content: string, name: string, taken = new Set<string>(), isCopy = false) => {
    const blob = { sha256: hashOf(content), bytes: content.length }
    return exportBlob(scene.store, blob, name, { folder, taken, isCopy })
  }
  const text = (name: string) => readFileSync(join(folder, name), 'utf8')

  it('a file has its name, and a second one of that name a number', async () => {
    const taken = new Set<string>()
    const how = kind === 'S3' ? 'copied' : 'linked'
    expect(await exported('one', 'a.txt', taken)).toEqual({ name: 'a.txt', how })
    expect(await exported('two', 'a.txt', taken)).toEqual({ name: 'a-2.txt', how })
    expect([text('a.txt'), text('a-2.txt')]).toEqual(['one', 'two'])
    expect(readdirSync(folder).sort()).toEqual(['a-2.txt', 'a.txt'])
  })

  it('exporting again changes nothing', async () => {
    await exported('one', 'a.txt')
    expect(await exported('one', 'a.txt')).toEqual({ name: 'a.txt', how: 'kept' })
    expect(readdirSync(folder)).toEqual(['a.txt'])
  })

  it('what is there with another content stays, links are not followed', async () => {
    writeFileSync(join(folder, 'a.txt'), 'mine')
    writeFileSync(join(folder, 'target'), 'one')
    symlinkSync(join(folder, 'target'), join(folder, 'b.txt'))
    expect(await exported('one', 'a.txt')).toMatchObject({ name: 'a-2.txt' })
    expect(await exported('one', 'b.txt')).toMatchObject({ name: 'b-2.txt' })
    expect([text('a.txt'), text('a-2.txt'), text('b-2.txt')]).toEqual(['mine', 'one', 'one'])
  })

  it('a copy has nothing to do with the store', async () => {
    expect(await exported('one', 'a.txt', new Set(), true)).toMatchObject({ how: 'copied' })
    expect(statSync(join(folder, 'a.txt')).nlink).toBe(1)
  })

  it('a path is no name, and a missing content no file', async () => {
    for (const name of ['../a.txt', '/a.txt', '..', '']) {
      await expect(exported('one', name)).rejects.toThrow('one part of a path')
    }
    await expect(exported('nobody has it', 'a.txt')).rejects.toMatchObject({ code: 'store_failed' })
    expect(readdirSync(folder)).toEqual([])
  })
})
