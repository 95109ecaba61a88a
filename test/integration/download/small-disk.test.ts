/** A queue whose disk becomes full in the middle of its files. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { blobPath } from '../../../src/core/download/blob-path.ts'
import { findQueue, setQueueOptions, setQueuePaused } from '../../../src/db/download-queues.repo.ts'
import { resumeSignal } from '../../../src/workflows/messages.ts'
import { type FileOrigin, someBytes, startFileOrigin } from '../../support/file-origin.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { openSmallVolume, type SmallVolume } from '../../support/small-volume.ts'
import { openQueue } from './queue-site.ts'

vi.setConfig({ testTimeout: 240_000 })

let server: MatchServer
let origin: FileOrigin
let volume: SmallVolume
beforeAll(async () => {
  volume = openSmallVolume(10)
  server = await startMatchServer()
  origin = await startFileOrigin()
})
afterAll(async () => {
  await origin.close()
  await server.close()
  volume.close()
})

it('case 12 and rule 23: five files of 4 MB on a disk of 10 MB: it pauses once, keeps what is whole, and goes on when there is room', async () => {
  const { db } = server.bench
  const paths = [1, 2, 3, 4, 5].map((n) => `/big/${n}`)
  // Of a length that nobody tells only the disk knows whether there is room.
  for (const path of paths)
    origin.serve(path, { body: someBytes(4_000_000, path), chunked: volume.isReal })
  const store = pathToFileURL(volume.dir).href
  const reserveBytes = volume.reserveBytes()
  const queue = await openQueue(server, { store, reserveBytes, maxPerHost: 5 })
  await queue.add(...paths.map((path) => origin.url(path)))
  const handle = await queue.run()
  await queue.until(async () => (await findQueue(db, queue.name))?.pausedReason != null)
  await queue.until(async () => (await queue.stats()).states.in_progress === 0)
  expect((await findQueue(db, queue.name))?.pausedReason).toMatch(/^disk-full: /)
  const before = await queue.jobs()
  const done = before.filter(({ state }) => state === 'done')
  expect(done.length).toBeLessThan(3)
  expect(before.map(({ state, attempts }) => [state, attempts])).toEqual(
    before.map(({ state }) => [state === 'done' ? 'done' : 'queued', 0]),
  )
  expect(readdirSync(join(volume.dir, 'tmp'))).toEqual([])

  volume.enlarge()
  await setQueueOptions(
    db,
    queue.name,
    queue.withOptions({ store, reserveBytes: 0, maxPerHost: 5 }),
  )
  await setQueuePaused(db, queue.name, null)
  await handle.signal(resumeSignal)
  await handle.result()
  for (const { state, sha256 } of await queue.jobs()) {
    const content = readFileSync(join(volume.dir, blobPath(sha256 ?? '')))
    expect([state, createHash('sha256').update(content).digest('hex')]).toEqual(['done', sha256])
  }
  const pathOf = (id: string) => new URL(id.slice('url:'.length)).pathname
  const asked = done.map(({ artifact_id: id }) => origin.requests(pathOf(id)).length)
  expect(asked).toEqual(done.map(() => 1))
})
