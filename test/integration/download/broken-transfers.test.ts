import { stat } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type FetchSite, openFetchSite } from '../../support/fetch-site.ts'
import {
  type FileOrigin,
  sha256,
  someBytes,
  somePdf,
  startFileOrigin,
} from '../../support/file-origin.ts'

let origin: FileOrigin
let site: FetchSite
const file = someBytes(300_000)
const etag = '"v1"'
const young = 'Tue, 02 Jan 2024 00:00:00 GMT'
const long = { 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' }

beforeEach(async () => {
  origin = await startFileOrigin()
  site = await openFetchSite()
})
afterEach(async () => {
  await site.close()
  await origin.close()
})

it('case 1: a host that ignores the range sends the whole again, which replaces the part', async () => {
  const cut = { body: file, headers: { etag }, cutAfter: 120_000 }
  origin.script('/a', [cut, { body: file, headers: { etag }, ranges: false }])
  const got = await site.get({ url: origin.url('/a') })
  expect(got.content.equals(file)).toBe(true)
  expect([got.sha256, got.bytes, got.restarts]).toEqual([sha256(file), file.length, 1])
  expect(origin.requests('/a')).toHaveLength(2)
  expect(origin.requests('/a')[1]?.headers['if-range']).toBe(etag)
})

it.each([
  'bytes 0-299999/300000',
  'bytes 100000-299999/300000',
  'bytes 120000-299998/299999',
  'nonsense',
])('case 2: a slice that is not the one asked for (%s) is not appended', async (contentRange) => {
  const cut = { body: file, headers: { etag }, cutAfter: 120_000 }
  const slice = {
    status: 206,
    headers: { etag, 'content-range': contentRange },
    body: 'x'.repeat(9),
  }
  origin.script('/a', [cut, slice, { body: file, headers: { etag } }])
  const got = await site.get({ url: origin.url('/a') })
  expect(got.content.equals(file)).toBe(true)
  expect(origin.requests('/a').map(({ headers }) => headers.range !== undefined)).toEqual([
    false,
    true,
    false,
  ])
})

it('case 3: a part that is all of the file ends it when the rest is refused (416); the page of the refusal is not in it', async () => {
  const cut = { body: file, headers: { etag }, chunked: true, cutAfter: file.length }
  const refusal = {
    status: 416,
    headers: { 'content-range': `bytes */${file.length}` },
    body: '<html>no</html>',
  }
  origin.script('/a', [cut, refusal])
  const digests = [{ algorithm: 'sha256', hex: sha256(file) }] as const
  const got = await site.get({ url: origin.url('/a'), expected: { digests } })
  expect(got.content.equals(file)).toBe(true)
  expect(origin.requests('/a')).toHaveLength(2)
})

it('case 3: a refused rest of a file of another length begins it anew, and not for ever', async () => {
  const cut = { body: file, headers: { etag }, chunked: true, cutAfter: 1_000 }
  const refusal = {
    status: 416,
    headers: { 'content-range': 'bytes */77' },
    body: '<html>no</html>',
  }
  origin.script('/a', [cut, refusal, { body: file }])
  const got = await site.get({ url: origin.url('/a') })
  expect(got.content.equals(file)).toBe(true)
  origin.script('/b', [cut, refusal, cut, refusal, cut, refusal, { body: file }])
  expect((await site.failure({ url: origin.url('/b') })).kind).toBe('transient')
  expect(origin.requests('/b')).toHaveLength(6)
})

it.each([
  ['no validator', {}],
  ['a weak entity tag', { etag: 'W/"v1"' }],
  ['a date as young as the answer', { 'last-modified': young, date: young }],
  ['a host that takes no ranges', { etag, 'accept-ranges': 'none' }],
])(
  'case 4 and rule 19: with %s nothing is resumed, so two states never meet in a file',
  async (_, headers) => {
    const changed = someBytes(300_000, 'changed')
    origin.script('/a', [
      { body: file, headers, cutAfter: 150_000 },
      { body: changed, headers },
    ])
    const got = await site.get({ url: origin.url('/a') })
    expect(got.sha256).toBe(sha256(changed))
    expect(origin.requests('/a')[1]?.headers.range).toBeUndefined()
  },
)

it('case 4: a file that changed behind another entity tag is fetched whole', async () => {
  const changed = someBytes(300_000, 'changed')
  const cut = { body: file, headers: { etag }, cutAfter: 150_000 }
  const slice = {
    status: 206,
    headers: { etag: '"v2"', 'content-range': 'bytes 150000-299999/300000' },
    body: changed.subarray(150_000),
  }
  origin.script('/a', [cut, slice, { body: changed, headers: { etag: '"v2"' } }])
  expect((await site.get({ url: origin.url('/a') })).sha256).toBe(sha256(changed))
})

it('a break is resumed by an old date as well, and counted', async () => {
  origin.script('/a', [
    { body: file, headers: long, cutAfter: 100_000 },
    { body: file, headers: long },
  ])
  const got = await site.get({ url: origin.url('/a') })
  expect([got.sha256, got.resumes, got.restarts]).toEqual([sha256(file), 1, 0])
  expect(origin.requests('/a')[1]?.bytes).toBe(file.length - 100_000)
})

it('resumes begin at the first address again (rule 9)', async () => {
  origin.serve('/start', () => ({ status: 302, headers: { location: '/signed?key=1' } }))
  const cut = { body: file, headers: { etag }, cutAfter: 100_000 }
  origin.script('/signed', [cut, { body: file, headers: { etag } }])
  const got = await site.get({ url: origin.url('/start') })
  expect(got.sha256).toBe(sha256(file))
  expect(origin.requests('/start')).toHaveLength(2)
  expect(got.finalUrl).toBe(origin.url('/signed'))
})

it('gives up after five resumes that bring nothing, and leaves nothing behind', async () => {
  const cut = { body: file, headers: { etag }, cutAfter: 100_000 }
  const nothing = { status: 503 }
  origin.script('/a', [cut, nothing])
  expect((await site.failure({ url: origin.url('/a') })).reason).toBe('server-error')
  expect(origin.requests('/a')).toHaveLength(6)
  expect(await site.files()).toEqual([])
})

it('gives the original bytes whatever is cut, and whether ranges are honoured or not', async () => {
  const body = someBytes(20_000)
  const cuts = fc.array(
    fc.record({ cutAfter: fc.integer({ min: 0, max: 19_999 }), ranges: fc.boolean() }),
    { maxLength: 6 },
  )
  let run = 0
  const details = await fc.check(
    fc.asyncProperty(cuts, fc.constantFrom({ etag }, long, {}), async (pattern, headers) => {
      const path = `/p${(run += 1)}`
      origin.script(path, [
        ...pattern.map((cut) => ({ ...cut, body, headers })),
        { body, headers, ranges: true },
      ])
      // It may give up, but a file is never wrong.
      const got = await site.get({ url: origin.url(path) }).catch(() => undefined)
      const mayGiveUp = pattern.length > 2
      return got === undefined ? mayGiveUp : got.sha256 === sha256(body)
    }),
    { numRuns: 25 },
  )
  expect(details.counterexample).toBeNull()
  expect(details.numRuns).toBe(25)
}, 120_000)

it.each([{ chunked: true }, {}])(
  'case 5: a gzip body that is cut short, though HTTP is whole, is truncated (%o)',
  async (framing) => {
    const cut = gzipSync(file).subarray(0, 100_000)
    origin.serve('/a', { ...framing, body: cut, headers: { 'content-encoding': 'gzip', etag } })
    const failure = await site.failure({ url: origin.url('/a') })
    expect([failure.reason, failure.kind]).toEqual(['truncated', 'transient'])
    expect(await site.files()).toEqual([])
  },
)

it('rule 1: asks for no encoding, and decodes one that comes all the same', async () => {
  origin.serve('/a.txt', { body: gzipSync(file), headers: { 'content-encoding': 'gzip' } })
  const got = await site.get({ url: origin.url('/a.txt') })
  expect(got.content.equals(file)).toBe(true)
  expect(got.wireBytes).toBe(gzipSync(file).length)
  expect(origin.requests()[0]?.headers['accept-encoding']).toBe('identity')
  expect(await site.files()).toHaveLength(1)
})

it('case 6: an archive that is labelled as encoded stays as it was published', async () => {
  const archive = gzipSync(file)
  const digests = [{ algorithm: 'sha256', hex: sha256(archive) }] as const
  origin.serve('/a.tar.gz', { body: archive, headers: { 'content-encoding': 'gzip' } })
  const got = await site.get({ url: origin.url('/a.tar.gz'), expected: { digests } })
  expect(got.content.equals(archive)).toBe(true)
  const twice = { body: gzipSync(archive), headers: { 'content-encoding': 'gzip' } }
  origin.serve('/b.tar.gz', twice)
  const decoded = await site.get({ url: origin.url('/b.tar.gz'), expected: { digests } })
  expect(decoded.content.equals(archive)).toBe(true)
})

it('rule 2 and 3: a body that ends early by its length is truncated; without a length the format decides', async () => {
  const pdf = somePdf(5_000)
  origin.serve('/short', { body: pdf, headers: { 'content-length': '6000' }, cutAfter: 5_000 })
  expect((await site.failure({ url: origin.url('/short') })).reason).toBe('truncated')
  origin.serve('/open', { body: pdf, untilClose: true })
  expect(await site.get({ url: origin.url('/open') })).toMatchObject({ lengthUnknown: true })
  origin.serve('/open-cut', { body: pdf.subarray(0, 3_000), untilClose: true })
  expect((await site.failure({ url: origin.url('/open-cut') })).reason).toBe('truncated')
  origin.serve('/open-raw', { body: file, untilClose: true })
  const raw = { url: origin.url('/open-raw') }
  expect(await site.get(raw)).toMatchObject({ lengthUnknown: true, sha256: sha256(file) })
  const failure = await site.failure({ ...raw, expected: { mustEndComplete: true } })
  expect(failure.reason).toBe('unproven-end')
})

it('rule 21: a file of an attempt is its owner’s alone', async () => {
  origin.serve('/a', { body: file })
  const { tempPath } = await site.get({ url: origin.url('/a') })
  expect((await stat(tempPath)).mode & 0o777).toBe(0o600)
})

it('a host that closes its connection while nobody reads harms nothing', async () => {
  const headers = { connection: 'close' }
  origin.serve('/a', { body: file, headers })
  origin.serve('/b', { body: file, headers, cutAfter: 200_000 })
  const takeSlots = async (): Promise<() => void> => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    return () => {}
  }
  for (let n = 0; n < 3; n++) {
    const got = await site.get({ url: origin.url('/a') }, { takeSlots })
    expect(got.sha256).toBe(sha256(file))
  }
  origin.script('/c', [
    { body: file, headers: { etag }, cutAfter: 200_000 },
    { body: file, headers: { etag } },
  ])
  expect((await site.get({ url: origin.url('/c') }, { takeSlots })).sha256).toBe(sha256(file))
  expect((await site.failure({ url: origin.url('/b') }, { takeSlots })).kind).toBe('transient')
})
