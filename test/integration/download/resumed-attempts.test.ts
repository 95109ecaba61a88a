/** What one attempt leaves of a large file, and what the next one makes of it. */
import { appendFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keptParts } from '../../../src/store/kept-parts.ts'
import { type FetchSite, openFetchSite } from '../../support/fetch-site.ts'
import { type FileOrigin, someBytes, startFileOrigin } from '../../support/file-origin.ts'

const file = someBytes(400_000)
const etag = '"first"'
const headers = { etag, 'set-cookie': 'session=secret' }
/** Breaks off for good in one attempt. */
const broken = { body: file, headers, cutAfter: 250_000 }

let origin: FileOrigin
let site: FetchSite
beforeEach(async () => {
  origin = await startFileOrigin()
  site = await openFetchSite({ keepPartFromBytes: 100_000, maxResumes: 0, maxRestarts: 0 })
})
afterEach(async () => {
  await site.close()
  await origin.close()
})

const url = () => origin.url('/large')
const ranges = () => origin.requests('/large').map(({ headers: asked }) => asked.range)

async function breakOff(): Promise<{ readonly part: string; readonly bytes: number }> {
  origin.script('/large', [broken, { body: file, headers }])
  expect((await site.failure({ url: url() })).reason).toBe('truncated')
  const [note = ''] = (await readdir(site.dir)).filter((name) => name.endsWith('.json'))
  const { part, bytes } = JSON.parse(await readFile(join(site.dir, note), 'utf8')) as {
    part: string
    bytes: number
  }
  return { part: join(site.dir, part), bytes }
}

it('a large file goes on in the next attempt where the one before ended, and nothing of it is left', async () => {
  const { bytes } = await breakOff()
  const got = await site.get({ url: url() })
  expect(got.content.equals(file)).toBe(true)
  expect(ranges()).toEqual([undefined, `bytes=${bytes}-`])
  expect(got.wireBytes).toBe(file.length - bytes)
  expect(await site.files()).toEqual([expect.stringMatching(/^attempt-2\..*part$/)])
})

it('of a process that was killed only what it had noted is believed', async () => {
  const { part, bytes } = await breakOff()
  await appendFile(part, 'what came after the note, and may be anything')
  const got = await site.get({ url: url() })
  expect(got.content.equals(file)).toBe(true)
  expect(ranges().at(-1)).toBe(`bytes=${bytes}-`)
})

it.each(['another byte', 'too short', 'gone'])(
  'a part that is not as noted is fetched anew: %s',
  async (how) => {
    const { part, bytes } = await breakOff()
    if (how === 'another byte') {
      const content = await readFile(part)
      content[bytes >> 1] = (content[bytes >> 1] ?? 0) ^ 1
      await writeFile(part, content)
    } else await truncate(part, how === 'gone' ? 0 : bytes - 1)
    const got = await site.get({ url: url() })
    expect(got.content.equals(file)).toBe(true)
    expect(ranges()).toEqual([undefined, undefined])
    expect(await site.files()).toHaveLength(1)
  },
)

it('a file that has changed meanwhile is fetched whole, and no byte of the old one is in it', async () => {
  const other = someBytes(300_000, 'other')
  const roomy = await openFetchSite({ keepPartFromBytes: 100_000, maxResumes: 0 })
  origin.script('/large', [broken, { body: other, headers: { etag: '"second"' } }])
  await roomy.failure({ url: url() })
  expect(await roomy.files()).toHaveLength(2)
  expect((await roomy.get({ url: url() })).content.equals(other)).toBe(true)
  expect(await roomy.files()).toHaveLength(1)
  await roomy.close()
})

it('an attempt that is told to stop leaves its part to the next one', async () => {
  const stop = new AbortController()
  const failed = new Error('the worker is stopping')
  origin.script('/large', [
    { body: file, headers, stallAfter: 250_000 },
    { body: file, headers },
  ])
  const onProgress = (bytes: number) => void (bytes === 250_000 && stop.abort(failed))
  const { signal } = stop
  await expect(site.fetch({ url: url() }, { signal, onProgress })).rejects.toBe(failed)
  expect((await site.get({ url: url() })).content.equals(file)).toBe(true)
  expect(ranges()).toEqual([undefined, 'bytes=250000-'])
})

it('a resumed file is one of many attempts, each of which brings some of it', async () => {
  origin.script('/large', [
    broken,
    { body: file, headers, cutAfter: 50_000 },
    { body: file, headers },
  ])
  await site.failure({ url: url() })
  await site.failure({ url: url() })
  expect((await site.get({ url: url() })).content.equals(file)).toBe(true)
  expect(ranges()).toHaveLength(3)
  expect(await site.files()).toHaveLength(1)
})

it.each([
  ['short', { ...broken, cutAfter: 50_000 }],
  ['without a validator', { body: file, cutAfter: 250_000 }],
  ['of a weak validator', { ...broken, headers: { etag: 'W/"first"' } }],
])('a part that is %s is not kept', async (_what, answer) => {
  origin.serve('/large', answer)
  await site.failure({ url: url() })
  expect(await site.files()).toEqual([])
})

it('what is wrong with all that came is not gone on with', async () => {
  origin.serve('/large', { body: file, headers })
  const types = ['application/pdf']
  expect((await site.failure({ url: url(), expected: { types } })).kind).toBe('permanent')
  expect(await site.files()).toEqual([])
})

it('a note has nothing secret in it, and only its owner can read it', async () => {
  await breakOff()
  const [note = ''] = (await readdir(site.dir)).filter((name) => name.endsWith('.json'))
  expect(await readFile(join(site.dir, note), 'utf8')).not.toContain('secret')
  expect((await stat(join(site.dir, note))).mode & 0o777).toBe(0o600)
})

it('gc leaves a part to its next attempt for a day', async () => {
  const { part } = await breakOff()
  const names = await readdir(site.dir)
  const name = part.split('/').at(-1)
  const now = await keptParts(site.dir, names, Date.now())
  expect([[...now.kept], [...now.old]]).toEqual([[name], []])
  const later = await keptParts(site.dir, names, Date.now() + 25 * 60 * 60 * 1000)
  expect([[...later.kept], later.old.size]).toEqual([[], 1])
})
