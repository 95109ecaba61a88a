/** What only a store on S3 has: conditions, refusals, another try. */
import { existsSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { blobPath } from '../../../src/core/download/blob-path.ts'
import { rehashBlob } from '../../../src/store/rehash-blob.ts'
import { hashOf, openS3Scene, staged } from '../../support/stores.ts'

let scene: Awaited<ReturnType<typeof openS3Scene>>
beforeEach(async () => {
  scene = await openS3Scene()
})
afterEach(() => scene.close())

const puts = () => scene.stub.requests.filter(({ method }) => method === 'PUT')

it('a file goes there whole with its length and type, only if it is not there, without checksums of its own', async () => {
  const file = staged(scene.store, 'an object')
  await scene.store.put(file)
  const [put] = puts()
  expect(put?.key).toBe(`some/prefix/${blobPath(file.sha256)}`)
  expect(put?.headers).toMatchObject({
    'content-length': '9',
    'content-type': 'text/plain',
    'if-none-match': '*',
  })
  expect(put?.headers['content-encoding']).toBeUndefined()
  expect(Object.keys(put?.headers ?? {}).filter((name) => name.includes('checksum'))).toEqual([])
})

it('a content that is there is not sent again', async () => {
  await scene.store.put(staged(scene.store, 'once'))
  await scene.store.put(staged(scene.store, 'once'))
  expect(puts()).toHaveLength(1)
})

it('a store without conditional writes is asked without, and not with them again', async () => {
  scene.stub.refuse = ({ headers }) =>
    headers['if-none-match'] === undefined ? undefined : { status: 501, code: 'NotImplemented' }
  await scene.store.put(staged(scene.store, 'first'))
  await scene.store.put(staged(scene.store, 'second'))
  expect(puts().map(({ headers }) => headers['if-none-match'])).toEqual(['*', undefined, undefined])
  expect(await rehashBlob(scene.store, hashOf('second'))).toBe('whole')
})

it('one that fails for a moment gets the whole file again', async () => {
  let failures = 2
  scene.stub.refuse = ({ method }) => {
    if (method !== 'PUT' || failures === 0) return undefined
    failures -= 1
    return { status: 503, code: 'SlowDown' }
  }
  await scene.store.put(staged(scene.store, 'again and again'))
  expect(puts()).toHaveLength(3)
  expect(await rehashBlob(scene.store, hashOf('again and again'))).toBe('whole')
})

it.each([
  { status: 507, code: 'XMinioStorageFull', kind: 'disk', told: 'disk_full' },
  { status: 403, code: 'QuotaExceeded', kind: 'disk', told: 'disk_full' },
  { status: 403, code: 'AccessDenied', kind: 'permanent', told: 'store_failed' },
  { status: 500, code: 'InternalError', kind: 'transient', told: 'store_failed' },
])('$status $code is trouble of the kind $kind', async ({ status, code, kind, told }) => {
  scene.stub.refuse = ({ method }) => (method === 'PUT' ? { status, code } : undefined)
  const file = staged(scene.store, 'refused')
  await expect(scene.store.put(file)).rejects.toMatchObject({ kind, code: told })
  expect(existsSync(file.path)).toBe(false)
  expect(scene.stub.objects.size).toBe(0)
})
