/** Large files are hashed by a thread while they come, and it makes no difference to what is found. */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFileHasher, type FileHasher } from '../../../src/http/download/file-hasher.ts'
import { type FetchSite, openFetchSite } from '../../support/fetch-site.ts'
import { type FileOrigin, sha256, someBytes, startFileOrigin } from '../../support/file-origin.ts'

const file = someBytes(900_000)
const etag = '"first"'
const md5 = createHash('md5').update(file).digest('hex')
const limits = { hashAsideFromBytes: 100_000, chunkBytes: 65_536, keepPartFromBytes: 200_000 }

let origin: FileOrigin
let hasher: FileHasher
/** Paths that were handed to the thread. */
let aside: string[]
let site: FetchSite
beforeEach(async () => {
  origin = await startFileOrigin()
  const threaded = createFileHasher()
  aside = []
  hasher = {
    ...threaded,
    begin(path, algorithms) {
      aside.push(path)
      return threaded.begin(path, algorithms)
    },
  }
  site = await openFetchSite(limits, { hasher, isSealing: true })
})
afterEach(async () => {
  await site.close()
  await hasher.close()
  await origin.close()
})

const url = () => origin.url('/large')
const withMd5 = (hex: string) => ({
  url: url(),
  expected: { digests: [{ algorithm: 'md5', hex }] } as const,
})

it('has the same digests, of ours and of the host, and a small file is hashed without the thread', async () => {
  origin.serve('/large', { body: file })
  origin.serve('/small', { body: file.subarray(0, 50_000) })
  expect((await site.get(withMd5(md5))).sha256).toBe(sha256(file))
  expect(aside).toHaveLength(1)
  const small = await site.get({ url: origin.url('/small') })
  expect(small.sha256).toBe(sha256(small.content))
  expect(aside).toHaveLength(1)
})

it('finds a wrong digest, and nothing of the file is left', async () => {
  origin.serve('/large', { body: file })
  expect((await site.failure(withMd5('0'.repeat(32)))).reason).toBe('checksum-mismatch')
  expect(await readdir(site.dir)).toEqual([])
})

it('many at the same time each have their own', async () => {
  const bodies = Array.from({ length: 6 }, (_, nth) => someBytes(400_000 + nth, `file ${nth}`))
  bodies.forEach((body, nth) => origin.serve(`/${nth}`, { body }))
  const got = await Promise.all(bodies.map((_, nth) => site.get({ url: origin.url(`/${nth}`) })))
  expect(got.map((one) => one.sha256)).toEqual(bodies.map((body) => sha256(body)))
})

it('is right after a break that was gone on with, and after one that began anew', async () => {
  const headers = { etag }
  origin.script('/large', [
    { body: file, headers, cutAfter: 500_000 },
    { body: file, headers },
  ])
  const resumed = await site.get({ url: url() })
  expect(resumed).toMatchObject({ sha256: sha256(file), resumes: 1 })
  const other = someBytes(700_000, 'other')
  origin.script('/other', [
    { body: file, cutAfter: 500_000 },
    { body: other, headers: { etag: '"second"' } },
  ])
  const anew = await site.get({ url: origin.url('/other') })
  expect(anew).toMatchObject({ sha256: sha256(other), restarts: 1 })
})

it('what came is noted with its hash, by which the next attempt goes on', async () => {
  const impatient = await openFetchSite({ ...limits, maxResumes: 0, maxRestarts: 0 }, { hasher })
  const headers = { etag }
  origin.script('/large', [
    { body: file, headers, cutAfter: 500_000 },
    { body: file, headers },
  ])
  await impatient.failure({ url: url() })
  const got = await impatient.get({ url: url() })
  expect(got.sha256).toBe(sha256(file))
  expect(origin.requests('/large').at(-1)?.headers.range).toMatch(/^bytes=[2-5]\d{5}-$/)
  expect(await impatient.files()).toHaveLength(1)
  await impatient.close()
})

it('a thread that breaks while the file comes is done without', async () => {
  origin.serve('/large', { body: file, drip: { bytes: 100_000, everyMs: 20 } })
  const onProgress = (bytes: number): void => {
    if (bytes > 400_000) void hasher.close()
  }
  const got = await site.get({ url: url() }, { onProgress })
  expect(aside).toHaveLength(1)
  expect(got.sha256).toBe(sha256(file))
  origin.serve('/again', { body: file })
  expect((await site.get({ url: origin.url('/again') })).sha256).toBe(sha256(file))
})

it('a transfer that is called off while it is hashed has noted what came, and nothing hangs', async () => {
  const headers = { etag }
  origin.script('/large', [
    { body: file, headers, drip: { bytes: 100_000, everyMs: 20 } },
    { body: file, headers },
  ])
  const called = new AbortController()
  const onProgress = (bytes: number): void => {
    if (bytes > 400_000) called.abort(new Error('called off'))
  }
  const fetching = site.fetch({ url: url() }, { signal: called.signal, onProgress })
  await expect(fetching).rejects.toThrow('called off')
  expect((await site.get({ url: url() })).sha256).toBe(sha256(file))
  expect(origin.requests('/large').at(-1)?.headers.range).toMatch(/^bytes=[45]\d{5}-$/)
  expect(await readdir(site.dir)).toHaveLength(1)
})
