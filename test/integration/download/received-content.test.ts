import { open, readFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
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
const file = someBytes(200_000)

beforeEach(async () => {
  origin = await startFileOrigin()
  site = await openFetchSite()
})
afterEach(async () => {
  await site.close()
  await origin.close()
})

it('case 7 and rule 15: a page in place of a PDF is told by its bytes, whatever its header says', async () => {
  const page = `  <!DOCTYPE html><title>Sign in</title>${' '.repeat(200_000)}`
  origin.serve('/a', { body: page, headers: { 'content-type': 'application/pdf' } })
  for (const types of [['application/pdf'], undefined]) {
    const expected = types === undefined ? {} : { types }
    const failure = await site.failure({ url: origin.url('/a'), expected })
    expect([failure.reason, failure.kind]).toEqual(['wrong-type', 'permanent'])
    expect(failure.excerpt).toContain('Sign in')
    expect(failure.excerpt?.length).toBeLessThanOrEqual(2_048)
  }
  expect(await site.files()).toEqual([])
})

it('rule 15: a PDF whose mark comes late, and any picture, are what they are', async () => {
  const late = Buffer.concat([Buffer.from('\n'.repeat(500)), somePdf(9_000)])
  origin.serve('/pdf', { body: late, headers: { 'content-type': 'text/html' } })
  const pdf = await site.get({ url: origin.url('/pdf'), expected: { types: ['application/pdf'] } })
  expect([pdf.detectedType, pdf.declaredType]).toEqual(['application/pdf', 'text/html'])
  const png = Buffer.from(
    '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489',
    'hex',
  )
  origin.serve('/png', { body: png })
  const picture = { url: origin.url('/png'), expected: { types: ['image/*'] } }
  expect(await site.get(picture)).toMatchObject({
    detectedType: 'image/png',
    displayName: 'png.png',
  })
})

it('rule 10: empty answers, slices nobody asked for and 304 without a cache are failures', async () => {
  origin.script('/empty', [{ status: 204 }, { body: '' }, { body: '', chunked: true }])
  for (let n = 0; n < 3; n++) {
    expect((await site.failure({ url: origin.url('/empty') })).reason).toBe('empty')
  }
  const allowed = { url: origin.url('/empty'), expected: { allowEmpty: true } }
  expect(await site.get(allowed)).toMatchObject({ bytes: 0 })
  origin.serve('/partial', { status: 206, body: file })
  expect((await site.failure({ url: origin.url('/partial') })).reason).toBe('unexpected-partial')
  origin.serve('/304', { status: 304 })
  const plan = { url: origin.url('/304') }
  expect((await site.failure(plan)).reason).toBe('unexpected-not-modified')
  const conditional = { 'if-none-match': '"v1"' }
  expect(await site.fetch(plan, { conditional })).toMatchObject({ kind: 'not-modified' })
  expect(origin.requests('/304')[1]?.headers['if-none-match']).toBe('"v1"')
  // Of the empty file that was allowed.
  expect(await site.files()).toEqual(['attempt-4.0.part'])
})

it.each([
  [404, 'not-found', 'permanent'],
  [401, 'unauthorised', 'permanent'],
  [410, 'gone', 'permanent'],
  [451, 'legal-reasons', 'permanent'],
  [408, 'request-timeout', 'transient'],
  [425, 'request-timeout', 'transient'],
  [500, 'server-error', 'transient'],
  [503, 'server-error', 'transient'],
  [429, 'throttled', 'throttled'],
])('rule 13: %d is %s, %s', async (status, reason, kind) => {
  origin.serve('/a', { status })
  expect(await site.failure({ url: origin.url('/a') })).toMatchObject({ reason, kind, status })
})

it('rule 17: limits of size hold by the header, on the wire and decoded', async () => {
  const small = await openFetchSite({ maxBytes: 100_000 })
  origin.serve('/told', { body: file })
  origin.serve('/untold', { body: file, chunked: true })
  const bomb = gzipSync(Buffer.alloc(5_000_000))
  origin.serve('/bomb', { body: bomb, headers: { 'content-encoding': 'gzip' } })
  for (const path of ['/told', '/untold', '/bomb']) {
    expect((await small.failure({ url: origin.url(path) })).reason).toBe('too-large')
  }
  expect(await small.files()).toEqual([])
  await small.close()
  const expected = { minBytes: 300_000 }
  expect((await site.failure({ url: origin.url('/told'), expected })).reason).toBe('too-small')
  const other = { bytes: 7 }
  expect((await site.failure({ url: origin.url('/told'), expected: other })).reason).toBe(
    'size-mismatch',
  )
})

it('rule 4: an encoding that nobody asked for and we cannot undo is refused', async () => {
  for (const encoding of ['zstd', 'gzip, gzip, gzip, gzip, gzip, gzip']) {
    origin.serve('/a', { body: file, headers: { 'content-encoding': encoding } })
    expect((await site.failure({ url: origin.url('/a') })).reason).toBe('unknown-encoding')
  }
})

it('case 14 and rule 20: wrong content of the right size is fetched twice more, and never kept', async () => {
  const flipped = Buffer.from(file)
  flipped[1_000] = (flipped[1_000] ?? 0) ^ 1
  origin.serve('/a', { body: flipped })
  const expected = { digests: [{ algorithm: 'sha256', hex: sha256(file) }] } as const
  expect((await site.failure({ url: origin.url('/a'), expected })).reason).toBe('checksum-mismatch')
  expect(origin.requests('/a')).toHaveLength(3)
  expect(await site.files()).toEqual([])
  origin.script('/b', [{ body: flipped }, { body: file }])
  expect((await site.get({ url: origin.url('/b'), expected })).sha256).toBe(sha256(file))
})

it('rule 18: digests of the host are checked, and an entity tag is none', async () => {
  const sha = createHash('sha256').update(file).digest('base64')
  const md5 = createHash('md5').update('other').digest('base64')
  origin.serve('/good', { body: file, headers: { 'repr-digest': `sha-256=:${sha}:`, etag: '"x"' } })
  expect((await site.get({ url: origin.url('/good') })).bytes).toBe(file.length)
  for (const headers of [{ 'content-md5': md5 }, { digest: `md5=${md5}` }]) {
    origin.serve('/bad', { body: file, headers })
    expect((await site.failure({ url: origin.url('/bad') })).reason).toBe('checksum-mismatch')
  }
  for (const algorithm of ['sha512', 'sha1', 'md5'] as const) {
    const hex = createHash(algorithm).update(file).digest('hex')
    const expected = { digests: [{ algorithm, hex }] }
    expect((await site.get({ url: origin.url('/good'), expected })).bytes).toBe(file.length)
  }
})

it('case 13 and rule 29: a body that stands still, or drips, or takes too long is cut off', async () => {
  const limits = { idleMs: 400, windowMs: 1_500, leastBytesPerWindow: 1_000 }
  const hasty = await openFetchSite(limits)
  origin.serve('/stalls', { body: file, stallAfter: 150_000 })
  expect((await hasty.failure({ url: origin.url('/stalls') })).reason).toBe('stalled')
  origin.serve('/drips', { body: file, drip: { bytes: 1, everyMs: 100 } })
  const progress: number[] = []
  const onProgress = (bytes: number): unknown => progress.push(bytes)
  expect((await hasty.failure({ url: origin.url('/drips') }, { onProgress })).reason).toBe(
    'too-slow',
  )
  expect(progress.length).toBeGreaterThan(3)
  expect(hasty.slotsHeld()).toBe(0)
  expect(hasty.permits.map(({ ended }) => ended)).toEqual(['overload', 'overload'])
  expect(await hasty.files()).toEqual([])
  await hasty.close()
  const short = await openFetchSite({ totalMs: 600 })
  expect((await short.failure({ url: origin.url('/drips') })).reason).toBe('total-timeout')
  await short.close()
})

it('rule 29: waiting for a slot takes none of the time', async () => {
  const short = await openFetchSite({ totalMs: 1_000, idleMs: 500 })
  origin.serve('/a', { body: file })
  const takeSlots = async (): Promise<() => void> => {
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    return () => {}
  }
  expect((await short.get({ url: origin.url('/a') }, { takeSlots })).bytes).toBe(file.length)
  await short.close()
})

it('a caller that aborts gets its own reason, and nothing is left', async () => {
  origin.serve('/a', { body: file, stallAfter: 100_000 })
  const abort = new AbortController()
  const reason = new Error('cancelled by a test')
  const onProgress = (): void => abort.abort(reason)
  const outcome = site.fetch({ url: origin.url('/a') }, { signal: abort.signal, onProgress })
  await expect(outcome).rejects.toBe(reason)
  expect(await site.files()).toEqual([])
  expect(site.exchanges.map(({ kind }) => kind)).toEqual(['cancelled'])
})

it('case 9: two attempts at one artifact have a file each; one that ends late takes nothing of the other', async () => {
  let goOn = (): void => {}
  const before = new Promise<void>((resolve) => (goOn = resolve))
  origin.script('/a', [{ body: file, before }, { body: file }])
  const abort = new AbortController()
  const first = site.fetch({ url: origin.url('/a') }, { token: 'first', signal: abort.signal })
  await expect.poll(() => origin.requests('/a').length, { timeout: 30_000 }).toBe(1)
  const second = await site.get({ url: origin.url('/a') }, { token: 'second' })
  goOn()
  abort.abort(new Error('lost its heartbeat'))
  await expect(first).rejects.toThrow('lost its heartbeat')
  expect(sha256(await readFile(second.tempPath))).toBe(sha256(file))
  expect(await site.files()).toEqual(['second.0.part'])
})

it('many transfers at once are no leak of listeners', async () => {
  const warnings: string[] = []
  const warn = ({ name }: Error): void => void warnings.push(name)
  process.on('warning', warn)
  let goOn: () => void = () => undefined
  const before = new Promise<void>((resolve) => (goOn = resolve))
  origin.serve('/a', () => ({ body: file, before }))
  const transfers = Array.from({ length: 12 }, () => site.get({ url: origin.url('/a') }))
  await expect.poll(() => origin.requests('/a').length, { timeout: 30_000 }).toBe(12)
  goOn()
  await Promise.all(transfers)
  process.off('warning', warn)
  expect(warnings).toEqual([])
})

it('case 12 and rule 23: a full disk is no failure of the file: what was written is gone', async () => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const openFile: typeof open = async (path, flags, mode) => {
    const handle = await open(path, flags, mode)
    handle.writev = () => Promise.reject(full)
    return handle
  }
  const cramped = await openFetchSite({}, { openFile })
  origin.serve('/a', { body: file, chunked: true })
  const failure = await cramped.failure({ url: origin.url('/a') })
  expect([failure.reason, failure.kind]).toEqual(['disk-full', 'disk'])
  expect(failure.hint).toContain('resume')
  expect(await cramped.files()).toEqual([])
  await cramped.close()
  const small = await openFetchSite({}, { freeBytes: async () => 210_000 })
  origin.serve('/b', { body: file })
  expect((await small.failure({ url: origin.url('/b') })).kind).toBe('disk')
  expect(await small.files()).toEqual([])
  await small.close()
})

it.each([
  ['attachment; filename="../../x.pdf"', 'x.pdf'],
  ['attachment; filename="..\\\\..\\\\x.exe"', 'x.pdf'],
  ["attachment; filename*=UTF-8''%2e%2e%2f%2e%2e%2fevil.sh", 'evil.pdf'],
  ['attachment; filename="CON.txt"', '_CON.pdf'],
  ['attachment; filename=""', 'fallback.pdf'],
  ["attachment; filename*=UTF-8''a%E2%80%AEfdp.exe", 'afdp.pdf'],
  [`attachment; filename*=UTF-8''${'%C3%A9'.repeat(300)}.pdf`, `${'é'.repeat(97)}.pdf`],
])('case 11 and rule 25: a hostile name is shown safe (%s)', async (disposition, name) => {
  const headers = { 'content-disposition': disposition }
  origin.serve('/fallback.pdf', { body: somePdf(5_000), headers })
  const got = await site.get({ url: origin.url('/fallback.pdf') })
  expect(got.displayName).toBe(name)
  expect(got.tempPath.startsWith(`${site.dir}/attempt-`)).toBe(true)
})
