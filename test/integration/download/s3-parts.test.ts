/** Files that go to a store on S3 in parts. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { BlobStore } from '../../../src/store/blob-store.ts'
import { rehashBlob } from '../../../src/store/rehash-blob.ts'
import { openS3Store } from '../../../src/store/s3-blob-store.ts'
import { loadS3Sdk } from '../../../src/store/s3-client.ts'
import { sizeOfParts } from '../../../src/store/s3-multipart.ts'
import { readS3Uri } from '../../../src/store/s3-uri.ts'
import { someBytes } from '../../support/file-origin.ts'
import { type S3Stub, startS3Stub } from '../../support/s3-stub.ts'
import { hashOf, s3Keys, staged } from '../../support/stores.ts'

const file = someBytes(2_500)
let stub: S3Stub
let store: BlobStore
let stagingDir: string
beforeEach(async () => {
  Object.assign(process.env, s3Keys)
  stub = await startS3Stub()
  stagingDir = mkdtempSync(join(tmpdir(), 'staging-'))
  const place = readS3Uri(`s3://${stub.bucket}/in/parts?endpoint=${stub.endpoint}`)
  const parts = { fromBytes: 1_000, partBytes: 1_000 }
  store = openS3Store(await loadS3Sdk(), place, { stagingDir, reserveBytes: 0, parts })
})
afterEach(async () => {
  store.close()
  await stub.close()
  rmSync(stagingDir, { recursive: true, force: true })
})

const sent = () =>
  stub.requests
    .filter(({ method }) => method === 'PUT')
    .map(({ query, headers }) => [
      new URLSearchParams(query).get('partNumber'),
      headers['content-length'],
    ])

it('a large file goes there in parts, each with its length, and is whole; a small one goes at once', async () => {
  await store.put(staged(store, file))
  expect(sent()).toEqual([
    ['1', '1000'],
    ['2', '1000'],
    ['3', '500'],
  ])
  expect(await rehashBlob(store, hashOf(file))).toBe('whole')
  expect(stub.uploads.size).toBe(0)
  await store.put(staged(store, 'small'))
  expect(sent().at(-1)).toEqual([null, '5'])
})

it('a part that fails for a moment is sent again alone', async () => {
  let failures = 2
  stub.refuse = ({ query }) => {
    if (!query.includes('partNumber=2') || failures === 0) return undefined
    failures -= 1
    return { status: 503, code: 'SlowDown' }
  }
  await store.put(staged(store, file))
  expect(sent().map(([number]) => number)).toEqual(['1', '2', '2', '2', '3'])
  expect(await rehashBlob(store, hashOf(file))).toBe('whole')
})

it('what cannot be ended is given up: nothing is there, and nothing is charged for', async () => {
  stub.refuse = ({ query }) =>
    query.includes('partNumber=3') ? { status: 403, code: 'AccessDenied' } : undefined
  await expect(store.put(staged(store, file))).rejects.toMatchObject({ kind: 'permanent' })
  expect([stub.objects.size, stub.uploads.size]).toEqual([0, 0])
})

it('a full store says so', async () => {
  stub.refuse = ({ query }) =>
    query.includes('partNumber=1') ? { status: 507, code: 'StorageFull' } : undefined
  await expect(store.put(staged(store, file))).rejects.toMatchObject({ kind: 'disk' })
  expect(sent()).toHaveLength(1)
})

it('two that put the same at once end with one whole object', async () => {
  await Promise.all([store.put(staged(store, file)), store.put(staged(store, file))])
  expect(stub.objects.size).toBe(1)
  expect(await rehashBlob(store, hashOf(file))).toBe('whole')
})

it('there are never more parts than a store takes', () => {
  const MIB = 2 ** 20
  expect(sizeOfParts(6 * 2 ** 30, 64 * MIB)).toBe(64 * MIB)
  const huge = 5 * 2 ** 40
  expect(Math.ceil(huge / sizeOfParts(huge, 64 * MIB))).toBeLessThanOrEqual(10_000)
})
