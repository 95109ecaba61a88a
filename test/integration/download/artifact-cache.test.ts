import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { blobPath } from '../../../src/core/download/blob-path.ts'
import type { CacheWishes } from '../../../src/core/download/cache-decision.ts'
import type { CacheRequest } from '../../../src/core/download/cache-key.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import {
  lookUp,
  maySubstitute,
  remember,
  revalidated,
  useStored,
} from '../../../src/store/artifact-cache.ts'
import { rehashBlob } from '../../../src/store/rehash-blob.ts'
import { hashOf, openFolderScene, staged } from '../../support/stores.ts'
import { onTempDatabase } from '../../support/on-temp-database.ts'

const NOW_MS = Date.UTC(2026, 5, 1)
const HOUR_MS = 3_600_000
const request: CacheRequest = { url: 'https://example.org/a.pdf?token=hidden' }
const shown = { shownUrl: 'https://example.org/a.pdf', finalUrl: null }
const FRESH = { 'Cache-Control': 'max-age=3600', ETag: '"1"' }

let db: Db
let scene: Awaited<ReturnType<typeof openFolderScene>>
onTempDatabase((url) => (db = connectDatabase(url)))
beforeEach(async () => {
  scene = await openFolderScene()
})
afterEach(async () => {
  await scene.close()
  await db.deleteFrom('blobs').execute()
})

/** A transfer that ended well: content into the store, then the rows. */
async function fetched(
  content: string,
  headers: Record<string, string>,
  { of = request, atMs = NOW_MS, isRedirected = false } = {},
) {
  const { store } = scene
  await store.put(staged(store, content))
  const blob = { sha256: hashOf(content), bytes: content.length, type: 'text/plain' }
  const answer = { status: 200, headers, isRedirected }
  return db
    .transaction()
    .execute((tx) => remember(tx, store, { request: of, answer, nowMs: atMs, ...shown }, blob))
}

const look = (afterMs: number, wishes: CacheWishes = {}, of = request) =>
  lookUp(db, scene.store, { request: of, nowMs: NOW_MS + afterMs }, wishes)

async function entryNow(afterMs: number) {
  const found = await look(afterMs)
  if (found.kind === 'none') throw new Error(`expected a stored answer, found ${found.why}`)
  return found.entry
}

it('an answer is a hit while it is fresh, and a question with conditions afterwards', async () => {
  expect(await look(0)).toEqual({ kind: 'none', why: 'absent' })
  expect(await fetched('first', FRESH)).toBe('stored')
  expect(await look(HOUR_MS - 1)).toMatchObject({
    kind: 'hit',
    isStale: false,
    entry: { sha256: hashOf('first'), bytes: 5, type: 'text/plain' },
  })
  expect(await look(HOUR_MS + 1)).toMatchObject({
    kind: 'revalidate',
    conditional: { 'if-none-match': '"1"' },
  })
  expect(await look(0, { force: true })).toEqual({ kind: 'none', why: 'forced' })
  expect(await look(9 * HOUR_MS, { offline: true })).toMatchObject({ kind: 'hit', isStale: true })
})

it('rule 37: a 304 makes it fresh again, and keeps doing so', async () => {
  await fetched('first', FRESH)
  for (let round = 1; round <= 3; round += 1) {
    const afterMs = round * (HOUR_MS + 1)
    const entry = await entryNow(afterMs)
    const call = { request, answer: { status: 304, headers: FRESH }, nowMs: NOW_MS + afterMs }
    const told = await db
      .transaction()
      .execute((tx) => revalidated(tx, scene.store, { ...call, ...shown }, entry))
    expect(told).toBe('revalidated')
    expect(await look(afterMs + HOUR_MS - 1)).toMatchObject({ kind: 'hit' })
  }
})

it('a 304 of another answer, or from another place, is none', async () => {
  for (const other of [
    { headers: { ETag: '"2"' }, finalUrl: null },
    { headers: FRESH, finalUrl: 'https://example.org/elsewhere' },
  ]) {
    await fetched('first', FRESH, { isRedirected: true })
    await db.updateTable('http_cache').set({ final_url: 'https://example.org/there' }).execute()
    const entry = await entryNow(1)
    const answer = { status: 304, headers: other.headers }
    const call = { request, answer, nowMs: NOW_MS, ...shown, finalUrl: other.finalUrl }
    const told = await db.transaction().execute((tx) => revalidated(tx, scene.store, call, entry))
    expect(told).toBe('refetch')
    expect(await look(1)).toEqual({ kind: 'none', why: 'absent' })
  }
})

describe('case 17: a row whose content is not what it says', () => {
  const spoilt: Readonly<Record<string, (path: string) => void>> = {
    missing: (path) => rmSync(path),
    'cut short': () => scene.plant(hashOf('first'), Buffer.from('fir')),
    'with another byte': () => scene.plant(hashOf('first'), Buffer.from('fIrst')),
  }
  it.each(Object.entries(spoilt))(
    'is none when it is %s: asked without conditions, and right again afterwards',
    async (_name, spoil) => {
      await fetched('first', FRESH)
      spoil(join(scene.folder, blobPath(hashOf('first'))))
      expect(await look(HOUR_MS + 1)).toEqual({ kind: 'none', why: 'blob-lost' })
      expect(await look(HOUR_MS + 1)).toEqual({ kind: 'none', why: 'absent' })
      await fetched('first', FRESH, { atMs: NOW_MS + HOUR_MS + 1 })
      expect(await rehashBlob(scene.store, hashOf('first'), 5)).toBe('whole')
      expect(await look(HOUR_MS + 2)).toMatchObject({ kind: 'hit' })
    },
  )

  it('is none while it is fresh, too', async () => {
    await fetched('first', FRESH)
    rmSync(join(scene.folder, blobPath(hashOf('first'))))
    expect(await look(1)).toEqual({ kind: 'none', why: 'blob-lost' })
  })

  it('is not used when it goes between the look and the use', async () => {
    await fetched('first', FRESH)
    const entry = await entryNow(1)
    rmSync(join(scene.folder, blobPath(hashOf('first'))))
    const use = db.transaction().execute((tx) => useStored(tx, scene.store, entry))
    await expect(use).rejects.toMatchObject({ code: 'blob_collected', kind: 'transient' })
  })
})

it('answers that vary are told apart by what was asked, and the latest wins', async () => {
  const asked = (accept: string) => ({ ...request, headers: { Accept: accept } })
  const vary = { ...FRESH, Vary: 'Accept' }
  await fetched('a picture', vary, { of: asked('image/png') })
  await fetched('a text', vary, { of: asked('text/plain') })
  expect(await look(1, {}, asked('image/png'))).toMatchObject({
    entry: { sha256: hashOf('a picture') },
  })
  expect(await look(1, {}, asked('text/plain'))).toMatchObject({
    entry: { sha256: hashOf('a text') },
  })
  expect(await look(1, {}, asked('audio/ogg'))).toEqual({ kind: 'none', why: 'absent' })
  await fetched('a later picture', vary, { of: asked('image/png'), atMs: NOW_MS + 1 })
  expect(await look(2, {}, asked('image/png'))).toMatchObject({
    entry: { sha256: hashOf('a later picture') },
  })
})

it('an answer that may not be kept replaces none silently: the earlier one is forgotten', async () => {
  await fetched('first', FRESH)
  expect(await fetched('second', { 'Cache-Control': 'no-store' })).toBe('bypass')
  expect(await look(1)).toEqual({ kind: 'none', why: 'absent' })
  expect(await scene.store.has(hashOf('second'))).toEqual({ bytes: 6 })
})

it('an answer stands in for a server that fails when it allows that', async () => {
  await fetched('first', { 'Cache-Control': 'max-age=10, stale-if-error=100', ETag: '"1"' })
  const entry = await entryNow(11_000)
  expect(maySubstitute(entry, 503, NOW_MS + 11_000)).toBe(true)
  expect(maySubstitute(entry, null, NOW_MS + 111_000)).toBe(false)
})

it('no secret of an address or a header reaches the database', async () => {
  const headers = { Authorization: 'Bearer hidden', Cookie: 'hidden', Accept: 'a/b' }
  const answer = { ...FRESH, 'Cache-Control': 'public, max-age=60', Vary: 'Accept' }
  await fetched('first', { ...answer, 'Set-Cookie': 'hidden' }, { of: { ...request, headers } })
  const rows = await db.selectFrom('http_cache').selectAll().execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('hidden')
})
