/** What the settings of a queue change, seen by the host: secrets, robots, groups of hosts, authorities; and a pause. */
import { createServer } from 'node:https'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { findQueue, setQueuePaused } from '../../../src/db/download-queues.repo.ts'
import {
  downloadProgressQuery,
  pauseSignal,
  resumeSignal,
} from '../../../src/workflows/messages.ts'
import { makeAuthority } from '../../support/certificates.ts'
import { type FileOrigin, startFileOrigin } from '../../support/file-origin.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { openQueue } from './queue-site.ts'

vi.setConfig({ testTimeout: 240_000 })

const SECRET = 'X-Api-Key: s3cret-of-the-operator'
let server: MatchServer
let origin: FileOrigin
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'record-linker-settings-'))
  origin = await startFileOrigin()
  const credentials = { [`127.0.0.1:${origin.port}`]: SECRET }
  server = await startMatchServer({ credentials })
})
afterAll(async () => {
  await origin.close()
  await server.close()
  rmSync(folder, { recursive: true })
})

it('a secret of the operator goes to its host, to no other by a redirect, and stays out of tables and histories', async () => {
  const other = await startFileOrigin()
  other.serve('/elsewhere', { body: 'from elsewhere' })
  origin.serve('/own', { body: 'the own file', headers: { 'cache-control': 'max-age=60' } })
  origin.serve('/away', { status: 302, headers: { location: other.url('/elsewhere') } })
  const queue = await openQueue(server)
  await queue.add(origin.url('/own'), origin.url('/away'))
  const handle = await queue.run()
  await handle.result()
  expect((await queue.stats()).states.done).toBe(2)
  const keys = (one: FileOrigin) => one.requests().map(({ headers }) => headers['x-api-key'])
  expect(new Set(keys(origin))).toEqual(new Set(['s3cret-of-the-operator']))
  expect(keys(other)).toEqual([undefined])
  const { db } = server.bench
  const history = JSON.stringify(await handle.fetchHistory())
  for (const table of ['jobs', 'download_attempts', 'http_cache', 'download_queues'] as const) {
    const rows = JSON.stringify(await db.selectFrom(table).selectAll().execute())
    expect([table, rows.includes('s3cret')]).toEqual([table, false])
  }
  expect(history).not.toContain('s3cret')
  // What came for a secret is nobody else's: it is not kept as an answer to all.
  await queue.add({ artifact: { urls: [origin.url('/own')] }, artifactId: 'again' })
  await queue.drain()
  expect(origin.requests('/own')).toHaveLength(2)
  await other.close()
})

it('rule 35: who wants what is on its way waits for it, and takes it from the store', async () => {
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const headers = { 'cache-control': 'public, max-age=600' }
  origin.serve('/wanted', { body: 'wanted thrice', headers, before: held })
  const queue = await openQueue(server)
  const artifact = { urls: [origin.url('/wanted')] }
  await queue.add(...['a', 'b', 'c'].map((artifactId) => ({ artifact, artifactId })))
  const handle = await queue.run()
  await queue.until(async () => (await queue.stats()).states.in_progress === 3)
  await queue.until(async () => origin.requests('/wanted').length > 0)
  letGo()
  await handle.result()
  expect((await queue.stats()).states.done).toBe(3)
  expect(origin.requests('/wanted')).toHaveLength(1)
})

it('rule 32: robots.txt is heeded where that is wanted, asked once, and a host in trouble refuses all', async () => {
  const strict = await startFileOrigin()
  strict.serve('/robots.txt', { body: 'User-agent: *\nDisallow: /private/\n' })
  for (const path of ['/private/a', '/public/a', '/public/b']) strict.serve(path, { body: path })
  const heeding = await openQueue(server, { robots: 'obey' })
  await heeding.add(...['/private/a', '/public/a', '/public/b'].map((path) => strict.url(path)))
  await heeding.drain()
  expect((await heeding.jobs()).map(({ reason }) => reason)).toEqual(['robots-refused', null, null])
  expect(strict.requests('/private/a')).toEqual([])
  expect(strict.requests('/robots.txt').length).toBeLessThanOrEqual(3)
  const careless = await openQueue(server)
  await careless.add(strict.url('/private/a'))
  await careless.drain()
  expect((await careless.stats()).states.done).toBe(1)

  const troubled = await startFileOrigin()
  troubled.serve('/robots.txt', { status: 500 })
  troubled.serve('/a', { body: 'a' })
  const waiting = await openQueue(server, { robots: 'obey', maxAttempts: 2 })
  await waiting.add(troubled.url('/a'))
  await waiting.drain()
  expect(await waiting.jobs()).toMatchObject([{ state: 'error', reason: 'server-error' }])
  expect(troubled.requests('/a')).toEqual([])
  const without = await startFileOrigin()
  without.serve('/a', { body: 'without' })
  await heeding.add(without.url('/a'))
  await heeding.drain()
  expect(without.requests('/a')).toHaveLength(1)
  for (const one of [strict, troubled, without]) await one.close()
})

it('rule 32: X-Robots-Tag is heeded where that is wanted', async () => {
  origin.serve('/noai', { body: 'no', headers: { 'x-robots-tag': 'noai' } })
  for (const [robots, state] of [
    ['ignore', 'done'],
    ['header', 'error'],
  ] as const) {
    const queue = await openQueue(server, { robots })
    await queue.add(origin.url('/noai'))
    await queue.drain()
    expect(await queue.jobs()).toMatchObject([{ state }])
  }
})

it('rule 28: an authority out of a file is trusted for its host; a file that is not there pauses the queue', async () => {
  const authority = makeAuthority('Ours')
  const { key, cert } = authority.issue({ names: ['localhost'] })
  const secure = createServer({ key, cert }, (_, response) => response.end('over TLS'))
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  const url = `https://localhost:${(secure.address() as AddressInfo).port}/a`
  const file = join(folder, 'ca.pem')
  const allowedAddresses = ['127.0.0.0/8', '::1/128']
  const queue = await openQueue(server, { authorities: { localhost: file }, allowedAddresses })
  await queue.add(url)
  const handle = await queue.run()
  const { db } = server.bench
  await queue.until(async () => (await findQueue(db, queue.name))?.pausedReason != null)
  expect((await findQueue(db, queue.name))?.pausedReason).toMatch(/^bad-authority: .*localhost/)
  writeFileSync(file, authority.cert)
  await setQueuePaused(db, queue.name, null)
  await handle.signal(resumeSignal)
  await handle.result()
  expect(await queue.jobs()).toMatchObject([{ state: 'done', attempts: 0 }])
  secure.closeAllConnections()
  secure.close()
})

it('a pause that comes while a job is asked for holds its next way too', async () => {
  const { db } = server.bench
  const queue = await openQueue(server)
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  origin.serve('/first', { status: 404, body: 'none', before: held })
  origin.serve('/second', { body: 'the second way' })
  await queue.add({ artifact: { urls: [origin.url('/first'), origin.url('/second')] } })
  const handle = await queue.run()
  await queue.until(async () => origin.requests('/first').length > 0)
  await setQueuePaused(db, queue.name, 'by user')
  await handle.signal(pauseSignal, { reason: 'by user' })
  await queue.until(async () => (await handle.query(downloadProgressQuery)).phase === 'paused')
  await new Promise((resolve) => setTimeout(resolve, 600))
  letGo()
  await queue.until(async () => (await queue.stats()).states.queued === 1)
  expect(origin.requests('/second')).toEqual([])
  await setQueuePaused(db, queue.name, null)
  await handle.signal(resumeSignal)
  await handle.result()
  expect(await queue.jobs()).toMatchObject([{ state: 'done', attempts: 0 }])
})
